#include "method/moments/visit_each.hpp"

#include "method/moments/visit.hpp"

namespace plimsoll::moments {

void visit_each(const Scenario& scenario, const Stage& stage, TermSink sink, void* into) {
  visit(scenario, stage, [sink, into](Lifetime block, Part part, const Term& term) { sink(into, block, part, term); });
}

} // namespace plimsoll::moments
