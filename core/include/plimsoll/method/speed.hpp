#pragma once
// How fast a model is served: the time of a decode step and of a prompt, and the tokens per second that follow.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"
#include "plimsoll/method/time_range.hpp"

#include <cstdint>

namespace plimsoll {

/// Thousandths of a token per second: what large models do on small devices is less than one.
struct TokenRate {
  Count expected, low, high;
};

/// Fixed size, no heap, no strings. A step is one token for each of Workload::batch sequences, all context_tokens long: as slow as it
/// gets; with speculative decoding, one pass over all draft tokens, what proposes them, and as many tokens as are accepted. Waiting in a queue, sampling and detokenising on the host are not in it.
struct Speed {
  bool exists = false;          ///< the device's rates and the engine's efficiency are known, and the task is inference
  TimeRange step;              ///< of decoding
  TokenRate accepted;          ///< thousandths of tokens that a sequence gets of a step: 1000 where nothing is drafted
  Nanoseconds floor;           ///< the step with every byte read, or every multiplication made, at the data sheet's rate: the roofline
  bool computes = false;       ///< multiplications, not reads, decide the step
  TokenRate sequence;          ///< tokens that one sequence gets
  TokenRate total;             ///< that all sequences of all replicas get
  Count crossover;             ///< sequences from which on multiplications decide; 0 = reads do at any number
  bool has_prefill = false;  ///< the rate of the device's matrix units is known too
  TimeRange first_token;       ///< of a prompt of context_tokens alone on the device, up to its first token
  TokenRate prompt;            ///< tokens of that prompt that are read
};

/// Pure: equal scenarios give equal bytes on every platform. Throws only where there is no memory for the kernels of a pass.
/// `scenario` must come from inputs without validate() errors.
Speed speed(const Scenario& scenario);

} // namespace plimsoll
