#pragma once
// How a framework keeps weights and activations in fewer bits, or away from the device: parts of a profile (profile.hpp).

#include "plimsoll/method/constant.hpp"

namespace plimsoll {

/// 8-bit matrix multiplication beside weights of 16 or 32 bits.
struct Fp8Profile {
  Constant copies;    ///< kept of each weight from one step to the next, in blocks with scales: by rows and by columns, or nothing
  Constant of_tensor; ///< bytes of it where a tensor has one scale: an fp8 copy, and its transpose where the GPU multiplies no other layout
  Constant history;   ///< largest values of a tensor that delayed scaling keeps
  bool shares_inputs = false; ///< a map whose input another operation keeps in 16 bits keeps that, and no copy in 8; not with delayed scaling
  bool casts = false; ///< every operand is cast when it is multiplied, and nothing of that is kept (torchao); otherwise its cast is kept
};

/// How all that layers keep leaves the device for the host's memory.
enum class KeptOffload : unsigned char {
  none,    ///< the framework does not move it
  layers,  ///< layer by layer; the last one stays
  tensors, ///< each saved tensor by itself
};

/// What of activations a framework can leave to the host's memory, and what stays on the device all the same.
struct OffloadProfile {
  bool inputs = true; ///< inputs of layers that run again may
  KeptOffload kept = KeptOffload::none;
  Constant ahead;            ///< by layers: how many more than those that stay are on the device, on their way
  Constant stash;            ///< by tensors: so many of the last ones are on the device, on their way
  bool repeats_stay = false; ///< by tensors: one that several operations keep stays on the device too; otherwise it goes once for each of them
};

/// Which of what a trainer leaves to the host's memory while answers are generated is copied there tensor by tensor into pageable memory.
enum class PageableCopies : unsigned char {
  none,   ///< all goes through pinned memory, at the rate of the link
  states, ///< what the optimizer keeps
  all,    ///< weights too
};

/// What changes places around the answers of a step of reinforcement learning.
struct RolloutProfile {
  PageableCopies pageable = PageableCopies::none;
  bool logprobs = false;     ///< the engine is asked for the log-probability of each token that it samples
  bool engine_waits = false; ///< weights of an engine that sleeps wait in the host's memory; otherwise they are given up
  std::int64_t sequences_apart = 0; ///< that an engine on other GPUs runs at once; 0 = as many as it does by itself
};

} // namespace plimsoll
