#pragma once
// What a pass waits for besides its own reads and multiplications.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::timing {

/// `passes` passes over that many layers.
Term launches(Count passes, Count layers, const Constant& each) noexcept;
/// Scheduling and sampling of the sequences of a step.
Term sequences_apart(Count sequences, const Constant& each) noexcept;

/// All-reduces of a tensor-parallel group in so many passes: before the first byte, and the bytes of `tokens` tokens in all. Bytes take
/// no time where nobody has published how fast they go.
Term reductions(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count passes) noexcept;
Term sent(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count tokens) noexcept;
/// The same of tokens that go to the experts of other replicas and come back.
Term exchanges(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count passes) noexcept;
Term exchanged(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count tokens) noexcept;
/// The same of what a stage of a pipeline hands to the next.
Term hops(const Scenario& scenario, const Efficiency& efficiency, Count passes) noexcept;
Term handed_on(const Scenario& scenario, const Efficiency& efficiency, Count tokens) noexcept;

/// All of them: sink(const Term&), some with no time.
template <class Sink> void visit_waits(const Scenario& scenario, const Stage& stage, const Efficiency& efficiency, Count passes, Count tokens, Sink&& sink) {
  sink(reductions(scenario, stage, efficiency, passes));
  sink(sent(scenario, stage, efficiency, tokens));
  sink(exchanges(scenario, stage, efficiency, passes));
  sink(exchanged(scenario, stage, efficiency, tokens));
  sink(hops(scenario, efficiency, passes));
  sink(handed_on(scenario, efficiency, tokens));
}

} // namespace plimsoll::timing
