#pragma once
// What the model is asked to do.

#include <cstdint>

namespace plimsoll {

enum class Task : unsigned char {
  inference, ///< serve: prefill and decode
  finetune,  ///< start from trained weights; what trains is Tuning's
  pretrain,  ///< pre-training
};
inline constexpr int kTasks = 3;

constexpr bool trains(Task task) noexcept { return task != Task::inference; }

/// How sequences of different lengths make up a micro-batch of training.
enum class Batching : unsigned char {
  padded,       ///< each as long as the micro-batch's longest
  packed,       ///< rows of context_tokens, each filled with several documents that do not see each other
  padding_free, ///< one after the other in one row as long as they are together (variable-length attention)
};

struct Workload {
  Task task = Task::inference;
  std::int64_t context_tokens = 8192; ///< tokens per sequence, prompt and answer together; >= 1
  std::int64_t batch = 1;             ///< inference: sequences held at once by one replica; training: sequences per micro-batch and GPU
  Batching batching = Batching::padded; ///< training
  std::int64_t mean_tokens = 0;       ///< training: tokens of a sequence on average, where rows are not packed; 0 = context_tokens, >= 0
  std::int64_t micro_batches = 1;     ///< training: micro-batches that one replica runs in a step (gradient accumulation); >= 1
  std::int64_t prefill_tokens = 0;    ///< inference: most tokens that one forward pass takes (chunked prefill); 0 = the engine's default
};

} // namespace plimsoll
