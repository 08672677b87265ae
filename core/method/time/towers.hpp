#pragma once
// What towers take for the images and the sound of one prompt.

#include "method/time/visit.hpp"

namespace plimsoll::timing {

/// sink(const Term&) in nanoseconds, a tower each; nothing where a prompt has neither images nor sound.
void visit_towers(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into) noexcept;
template <class Sink> void visit_towers(const Scenario& scenario, const Efficiency& efficiency, Sink&& sink) {
  const auto call = [](void* into, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(term); };
  visit_towers(scenario, efficiency, call, &sink);
}

} // namespace plimsoll::timing
