#pragma once
// Speculative decoding: how long drafting takes, and how many tokens a step gives. Leviathan et al. 2023 (arXiv 2211.17192).

#include "method/time/visit.hpp"
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/speed.hpp"

namespace plimsoll::timing {

/// Whether draft tokens are checked in each step.
bool drafts(const Scenario& scenario) noexcept;

/// Tokens that a sequence gets of one step, in thousandths: the sum of acceptance^i for i from 0 to draft_tokens, which is equation 1 of
/// the paper. 1000 where nothing is drafted.
TokenRate accepted_tokens(const Scenario& scenario) noexcept;

/// What drafting for `sequences` sequences takes: sink(const Term&) in nanoseconds.
void visit_draft(const Scenario& scenario, const Efficiency& efficiency, Count sequences, TermSink sink, void* into) noexcept;
template <class Sink> void visit_draft(const Scenario& scenario, const Efficiency& efficiency, Count sequences, Sink&& sink) {
  const auto call = [](void* into, const Term& term) { (*static_cast<std::remove_reference_t<Sink>*>(into))(term); };
  visit_draft(scenario, efficiency, sequences, call, &sink);
}

/// Tokens per second, in thousandths, where each of `sequences` sequences gets so many thousandths of a token in that many nanoseconds.
Term accepted_per_second(Count sequences, const TokenRate& accepted, std::int64_t time, std::int64_t low, std::int64_t high) noexcept;

} // namespace plimsoll::timing
