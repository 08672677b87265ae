#pragma once
// What of a training step a pass without gradients takes.

#include "method/compute/visit.hpp"
#include "method/time/training/rate.hpp"
#include "plimsoll/method/time.hpp"

namespace plimsoll::timing {

/// Of `of` equal parts of a part of a step's time, those of its forward pass; none of what only training does. >= 0.
struct ForwardShare {
  std::int64_t share = 0, of = 1;
};

constexpr ForwardShare forward_share(TimePart part) noexcept {
  switch (part) {
    case TimePart::matrices:
    case TimePart::elementwise:
    case TimePart::context_parallel:
    case TimePart::pipeline:
    case TimePart::data_parallel: // of two gathers and a reduction
    case TimePart::launches: return {1, 3};
    case TimePart::attention: return {2, 7}; // FlashAttention-2 multiplies five times backward
    case TimePart::tensor_parallel:
    case TimePart::experts: return {1, 2};
    case TimePart::recompute:
    case TimePart::optimizer:
    case TimePart::offload: break;
  }
  return {};
}

/// One end of the forward passes of a step: multiplications by frozen weights have one backward pass, not two; weights are gathered only
/// where each GPU keeps a shard.
inline Nanoseconds forward_time(const Scenario& scenario, const StepTime& step, End end) noexcept {
  Nanoseconds sum;
  for (std::size_t i = 0; i < step.parts.size(); ++i) {
    const TimePart part = static_cast<TimePart>(i);
    if (part == TimePart::data_parallel && scenario.strategy.sharding != Sharding::parameters) continue;
    const ForwardShare forward = part == TimePart::matrices ? ForwardShare{1, compute::passes_over_weights(scenario).value} : forward_share(part);
    if (forward.share > 0) sum += scaled(time_at(step.parts[i], end), forward.share, forward.of);
  }
  return sum;
}

} // namespace plimsoll::timing
