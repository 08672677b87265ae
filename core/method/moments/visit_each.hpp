#pragma once
// visit() for those who need every term but not every nanosecond: compiled once, not wherever it is used.

#include "method/moments/lifetimes.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <type_traits>

namespace plimsoll::moments {

using TermSink = void (*)(void* into, Lifetime block, Part part, const Term& term);
void visit_each(const Scenario& scenario, const Stage& stage, TermSink sink, void* into);

/// sink(Lifetime, Part, const Term&).
template <class Sink> void visit_each(const Scenario& scenario, const Stage& stage, Sink&& sink) {
  const auto call = [](void* into, Lifetime block, Part part, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(block, part, term); };
  visit_each(scenario, stage, call, &sink);
}

} // namespace plimsoll::moments
