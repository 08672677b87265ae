#include "method/validate/checks.hpp"

namespace plimsoll::checks {

void context(const Inputs& inputs, Findings& findings) {
  const std::int64_t context = inputs.workload.context_tokens;
  const std::int64_t positions = inputs.model.learned_positions.value, longest = inputs.model.max_context.value;
  if (positions > 0 && context > positions)
    refuse(findings, "context_tokens", [&] {
      return Words{number(context) + " tokens do not fit the model's table of " + number(positions) + " positions.",
                   "Write at most " + number(positions) + ", or choose a model with rotary positions."};
    });
  else if (longest > 0 && context > longest)
    warn(findings, "context_tokens", [&] {
      return Words{number(context) + " tokens are more than the " + number(longest) + " the model was made for.",
                   "The memory is still right; write at most " + number(longest) + " for useful answers."};
    });
}

void batching(const Inputs& inputs, AttentionKernel kernel, Findings& findings) {
  const Workload& workload = inputs.workload;
  if (workload.batching != Batching::packed && workload.mean_tokens > workload.context_tokens)
    refuse(findings, "mean_tokens", [&] {
      return Words{"Sequences of " + number(workload.mean_tokens) + " tokens on average do not fit a context of " +
                   number(workload.context_tokens) + ".",
                   "Write at most " + number(workload.context_tokens) + ", or a longer context_tokens."};
    });
  if (workload.batching != Batching::padding_free) return;
  // Only fused kernels take the places where sequences begin (flash_attn_varlen_func; Transformer Engine's "thd"), in 16 bits.
  if (kernel == AttentionKernel::eager || kernel == AttentionKernel::fused_softmax)
    refuse(findings, "batching", [&] {
      return Words{"Attention without a fused kernel makes the scores of every pair of tokens, across sequences that share a row.",
                   "Choose flash or cudnn as attention, or padded as batching."};
    });
  else if (inputs.strategy.precision == Precision::fp32)
    refuse(findings, "batching", [&] {
      return Words{"Kernels for sequences that share a row compute in 16 bits, and the precision is fp32.",
                   "Choose a precision with bf16 or fp16, or padded as batching."};
    });
  for (const LayerGroup& group : inputs.model.groups)
    if (group.cross.query_heads > Count{0})
      return refuse(findings, "batching", [&] {
        return Words{"Attention to an encoder has no row that its sequences could share.",
                     "Choose padded as batching."};
      });
}

} // namespace plimsoll::checks
