#pragma once
// What a stated load says of inputs that are not stated.

#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>

namespace plimsoll::io {

/// A load says how long sequences are, and how many a replica has at once: the defaults of context_tokens and batch follow, and the batch
/// of `inputs` where none `is_batch_stated`.
inline void follow_traffic(Inputs& inputs, bool is_batch_stated, Inputs& defaults) {
  Traffic& traffic = inputs.workload.traffic;
  if (trains(inputs.workload.task)) return;
  if (!traffic.trace.empty()) {
    constexpr std::size_t kEach = 3; // numbers of a request
    std::int64_t longest = 1;
    for (std::size_t i = 0; i + kEach <= traffic.trace.size(); i += kEach) longest = std::max(longest, traffic.trace[i + 1] + traffic.trace[i + 2]);
    defaults.workload.context_tokens = longest;
    return;
  }
  if (traffic.lengths == Lengths::sharegpt) { // Kwon et al. 2023 (arXiv 2309.06180), figure 11: 161.31 and 337.99 tokens on average
    defaults.workload.traffic.prompt_tokens = 161;
    defaults.workload.traffic.answer_tokens = 338;
    if (traffic.prompt_tokens <= 0) traffic.prompt_tokens = defaults.workload.traffic.prompt_tokens;
    if (traffic.answer_tokens <= 0) traffic.answer_tokens = defaults.workload.traffic.answer_tokens;
  }
  if (traffic.prompt_tokens <= 0 || traffic.answer_tokens <= 0) return;
  if (traffic.turns > 1) {
    defaults.workload.traffic.turn_tokens = std::max<std::int64_t>(traffic.prompt_tokens - inputs.serving.shared_tokens, 1);
    if (traffic.turn_tokens <= 0) traffic.turn_tokens = defaults.workload.traffic.turn_tokens;
  }
  std::int64_t& context = defaults.workload.context_tokens;
  context = traffic.conversation_tokens();
  if (traffic.lengths != Lengths::even) { // which have no longest, but for the model's
    const std::int64_t most = inputs.model.max_context > Count{0} ? inputs.model.max_context.value : find_field("context_tokens")->max;
    context = std::max(context, std::min(context * kLongestOfMean, most));
  }
  if (traffic.concurrency <= 0) return;
  const Field& batch = *find_field("batch");
  batch.set(defaults, std::clamp<std::int64_t>(sequences_of_replica(Count{traffic.concurrency}, inputs.strategy).value, batch.min, batch.max));
  if (!is_batch_stated) batch.set(inputs, batch.get(defaults));
}

} // namespace plimsoll::io
