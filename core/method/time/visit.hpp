#pragma once
// What a pass of serving takes, once: sink(const Term&) in nanoseconds, low the fastest.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstdint>
#include <type_traits>

namespace plimsoll::timing {

using TermSink = void (*)(void* into, const Term& term);

/// A decode step of `sequences` sequences: kernel by kernel where those of the engine are measured, as under load; elsewhere either
/// everything that is read or everything that is multiplied, whichever takes longer, and what both wait for.
void visit_decode(const Scenario& scenario, const Efficiency& efficiency, Count sequences, TermSink sink, void* into);
/// Whether the multiplications of such a step take longer than its reads.
bool multiplies_longer(const Scenario& scenario, const Efficiency& efficiency, Count sequences) noexcept;
/// The same step at the data sheet's whole rates with nothing to wait for, on the GPU: the roofline.
Nanoseconds decode_floor(const Scenario& scenario, const Efficiency& efficiency, Count sequences) noexcept;

/// A prompt of context_tokens, in passes of prefill_tokens, likewise.
void visit_prefill(const Scenario& scenario, const Efficiency& efficiency, TermSink sink, void* into);

/// sink(const Term&).
template <class Sink> void visit_decode(const Scenario& scenario, const Efficiency& efficiency, Count sequences, Sink&& sink) {
  const auto call = [](void* into, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(term); };
  visit_decode(scenario, efficiency, sequences, call, &sink);
}
template <class Sink> void visit_prefill(const Scenario& scenario, const Efficiency& efficiency, Sink&& sink) {
  const auto call = [](void* into, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(term); };
  visit_prefill(scenario, efficiency, call, &sink);
}

/// Tokens per second, in thousandths, where `tokens` take that many nanoseconds.
Term tokens_per_second(Count tokens, std::int64_t time, std::int64_t low, std::int64_t high) noexcept;

} // namespace plimsoll::timing
