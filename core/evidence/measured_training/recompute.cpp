// "checkpointing" and "attention": what of the activations is kept, and by which kernels.
#include "evidence/measured_training/fields.hpp"
#include "evidence/words.hpp"

namespace plimsoll::io::accuracy::measured_training {

namespace {

enum Kept : int { kAll, kFull, kPerOp, kEverySecond, kCore, kOffloaded, kModules, kUnstated, kInferred };

constexpr Phrase kRecomputes[] = {
    {"none", kAll},
    {"off", kAll},
    {"full", kFull},
    {"uniform", kFull},
    {"hf gradient checkpointing", kFull},
    {"gradient checkpointing", kFull},
    {"selective", kNothing}, // of what follows
    {"per op", kPerOp},
    {"op level", kPerOp},
    {"op level saves matmul sdpa outputs every 2nd mm", kPerOp},
    {"every 2nd layer", kEverySecond},
    {"core attn", kCore},
    {"core attention", kCore},
    {"cpu activation offload", kOffloaded},
    {"cpu offload", kOffloaded},
    {"moe", kModules},
    {"moe act", kModules},
    {"mlp", kModules},
    {"layernorm", kModules},
    {"mla up proj", kModules},
    {"unknown", kUnstated},
    {"not stated", kUnstated},
    {"selective none", kUnstated}, // "selective/none (not stated)"
    {"inferred", kInferred},
    {"non reentrant", kNothing},
    {"non reentrant setting in script", kNothing},
    {"reentrant", kNothing},
    {"block", kNothing}, // the class that is wrapped
    {"script default", kNothing},
};

enum Core : int { kFlash, kCudnn, kFusedSoftmax, kEager, kSdpa, kOther, kLiger, kUnnamed };

constexpr Phrase kAttentions[] = {
    {"flash", kFlash},
    {"flash attention", kFlash},
    {"flash attention 2", kFlash},
    {"flash attention 3", kFlash},
    {"flash 2", kFlash},
    {"flash2", kFlash},
    {"flash attn", kFlash},
    {"fa2", kFlash},
    {"fa3", kFlash},
    {"fused", kFlash}, // Transformer Engine's: FlashAttention or cuDNN, which keep the same set
    {"te fused", kFlash},
    {"xformers", kFlash},
    {"kernels community vllm flash attn3", kFlash},
    {"cudnn", kCudnn},
    {"unfused", kFusedSoftmax},
    {"unfused scores", kFusedSoftmax},
    {"fused softmax kernel", kFusedSoftmax},
    {"eager", kEager},
    {"hf 2023", kNothing},
    {"hf", kNothing},
    {"sdpa", kSdpa},
    {"sdpa flash", kFlash},
    {"transformers default", kNothing},
    {"memory grows linearly in sequence so scores are not materialised", kNothing},
    {"liger kernels", kLiger},
    {"gated deltanet", kOther},
    {"n a", kUnnamed},
};

} // namespace

void read_recompute(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "checkpointing");
  const Understood words = understand(text, kRecomputes);
  if (!words.rest.empty()) return into.decline(not_understood("checkpointing", text, words.rest));
  if (words.says(kUnstated) || words.meanings.empty()) return into.decline("The row does not tell what is recomputed: " + quoted(std::string_view{text}) + ".");
  if (words.says(kModules)) return into.decline("Recomputing single modules has no field: " + quoted(std::string_view{text}) + ".");
  if (words.says(kInferred)) into.assumed.push_back("Recomputation is \"" + text + "\", as the row infers.");
  Strategy& strategy = into.inputs.strategy;
  if (words.says(kOffloaded)) strategy.recompute = Recompute::offloaded;
  else if (words.says(kFull)) strategy.recompute = Recompute::full;
  else if (words.says(kPerOp)) strategy.recompute = Recompute::per_op;
  else if (words.says(kCore)) strategy.recompute = Recompute::selective;
  else if (words.says(kEverySecond)) strategy.recompute = Recompute::every_k, strategy.recompute_layers = 2;
}

void read_attention(const Json& row, MeasuredRow& into) {
  const std::string text = text_of(row, "attention");
  const Understood words = understand(text, kAttentions);
  Implementation& code = into.inputs.implementation;
  if (text.empty()) return into.assumed.push_back("Attention runs as the framework does unless told otherwise.");
  if (!words.rest.empty()) return into.decline(not_understood("attention", text, words.rest));
  if (words.says(kOther) || words.says(kUnnamed)) return into.decline(not_covered_text("attention", text));
  if (words.says(kLiger)) {
    code.norms = code.mlp = Fusion::fused;
    code.loss = LossKernel::liger_fused_linear;
  }
  if (words.says(kFusedSoftmax)) code.attention = AttentionKernel::fused_softmax;
  else if (words.says(kEager)) code.attention = AttentionKernel::eager;
  else if (words.says(kCudnn)) code.attention = AttentionKernel::cudnn;
  else code.attention = AttentionKernel::flash;
  if (words.says(kSdpa) && !words.says(kFlash)) into.assumed.push_back("PyTorch's scaled_dot_product_attention takes its flash kernel.");
}

} // namespace plimsoll::io::accuracy::measured_training
