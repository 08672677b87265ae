// Which code ran: kernels, fusions, what the environment says.
#include "evidence/megatron/parts.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy {

namespace {

AttentionKernel read_attention(const MegatronDraft& draft, const MegatronFacts& facts) {
  static constexpr std::array<Word<AttentionKernel>, 5> kKernels{{{"auto", AttentionKernel::profile},
                                                                  {"flash", AttentionKernel::flash},
                                                                  {"fused", AttentionKernel::cudnn},
                                                                  {"unfused", AttentionKernel::fused_softmax},
                                                                  {"local", AttentionKernel::fused_softmax}}};
  const AttentionKernel asked = draft.implementation.choice<AttentionKernel>("attention_backend", kKernels, "auto");
  // Megatron's own attention multiplies around a softmax, which one kernel computes where Transformer Engine or Apex is installed;
  // without, the softmax is kept in fp32.
  if (!facts.engine_installed) return AttentionKernel::eager;
  if (!facts.transformer_engine) return AttentionKernel::fused_softmax;
  // The backends that the environment switches off, where Transformer Engine may choose.
  if (asked == AttentionKernel::profile && draft.implementation.integer("nvte_fused_attn", 0, 1, 1) == 0) return AttentionKernel::flash;
  return asked;
}

LossKernel read_loss(const MegatronDraft& draft) {
  static constexpr std::array<Word<LossKernel>, 2> kLosses{{{"native", LossKernel::megatron_fused}, {"te", LossKernel::te_fused}}};
  const Section& row = draft.implementation;
  if (!row.flag("cross_entropy_fusion")) return LossKernel::megatron;
  return row.choice<LossKernel>("cross_entropy_fusion_impl", kLosses, "native");
}

/// NVIDIA/Megatron-LM, megatron/training/arguments.py, core_transformer_config_from_args: --no-bias-gelu-fusion speaks of GELU,
/// --no-bias-swiglu-fusion of gated MLPs; squared ReLU has a fused form for experts only.
bool fuses_activation(const MegatronDraft& draft) {
  if (draft.model.flag("gated_mlp")) return !draft.arguments.flag("--no-bias-swiglu-fusion");
  return draft.model.text("activation") == "gelu" && draft.implementation.flag("bias_gelu_fusion", true);
}

/// CUBLAS_WORKSPACE_CONFIG: ":SIZE:COUNT", repeated, in KiB (cuBLAS documentation, "Results Reproducibility").
std::int64_t workspace_kib(const MegatronDraft& draft, std::string_view text) {
  std::int64_t total = 0, size = 0, number = 0;
  bool counts = false, digits = false;
  const auto end_of_number = [&] {
    if (digits && counts) total += size * number;
    else if (digits) size = number;
    counts = digits ? !counts : counts;
    number = 0;
    digits = false;
  };
  for (const char letter : text) {
    if (letter == ':') end_of_number();
    else if (letter >= '0' && letter <= '9' && number < 1'000'000) number = number * 10 + (letter - '0'), digits = true;
    else return draft.reading.refuse("implementation.cublas_workspace_config is " + quoted(text) + ", which is no list of sizes and counts."), 0;
  }
  end_of_number();
  return std::min<std::int64_t>(total, 100'000'000);
}

bool deterministic(const MegatronDraft& draft) {
  return draft.implementation.flag("deterministic") || !draft.environment.flag("NVTE_ALLOW_NONDETERMINISTIC_ALGO", true);
}

} // namespace

void read_implementation(MegatronDraft& draft) {
  static constexpr std::array<Word<bool>, 2> kLayers{{{"transformer_engine", true}, {"local", false}}};
  const Section& row = draft.implementation;
  Implementation& implementation = draft.out.inputs.implementation;
  MegatronFacts& facts = draft.out.facts;
  facts.engine_installed = row.flag("te_installed", true);
  facts.transformer_engine = row.choice<bool>("transformer_impl", kLayers, "transformer_engine") && facts.engine_installed;
  facts.attention_backend = row.has("attention_backend") ? row.text("attention_backend") : "auto";
  facts.fused_activation = fuses_activation(draft);
  facts.fused_squared_relu = draft.arguments.flag("--use-fused-weighted-squared-relu");
  facts.operation_fuser = draft.arguments.flag("--use-transformer-engine-op-fuser");
  facts.cuda_graph = row.text("cuda_graph");
  facts.cublas_workspace = row.text("cublas_workspace_config");
  facts.expandable_segments = row.flag("expandable_segments");
  facts.deferral_limit = draft.arguments.integer("--wgrad-deferral-limit", 0, 0);
  facts.expert_overlap = draft.strategy.flag("overlap_ep");
  facts.delayed_weight_gradients = draft.arguments.flag("--delay-wgrad-compute");

  implementation.attention = read_attention(draft, facts);
  implementation.norms = Fusion::fused; // Transformer Engine's, or Apex's in Megatron's own layers
  implementation.mlp = facts.fused_activation ? Fusion::fused : Fusion::eager;
  // megatron/core/transformer/moe/experts.py: activation and the router's weights are one kernel for gated MLPs, and for squared ReLU on demand.
  const bool weighted = draft.model.flag("gated_mlp") ? facts.fused_activation : facts.fused_squared_relu;
  implementation.experts = weighted ? Fusion::fused : Fusion::eager;
  implementation.dispatch = facts.dispatcher == Dispatcher::allgather ? ExpertDispatch::all_gather : ExpertDispatch::all_to_all;
  implementation.router_fp32 = facts.router_fp32;
  implementation.grouped_experts = facts.grouped_gemm && facts.transformer_engine;
  implementation.deferred_micro_batches = facts.deferral_limit;
  implementation.loss = read_loss(draft);
  implementation.hidden_dropout = draft.model.real("dropout_hidden").value_or(0.1) > 0.0;
  implementation.attention_dropout = draft.model.real("dropout_attention").value_or(0.1) > 0.0;
  implementation.deterministic = deterministic(draft);
  implementation.workspace_kib = workspace_kib(draft, facts.cublas_workspace);
  implementation.attention_mask = row.flag("attention_mask_in_dataloader", true);
  implementation.defer_head_gradient = row.flag("defer_embedding_wgrad");
  implementation.communication_overlap = draft.strategy.flag("tp_comm_overlap");
  implementation.fused_gradient_accumulation = row.flag("gradient_accumulation_fusion", true);
}

} // namespace plimsoll::io::accuracy
