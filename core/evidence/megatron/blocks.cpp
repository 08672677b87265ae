// Attention, MLPs, experts and recurrences of a row.
#include "evidence/megatron/blocks.hpp"

#include <array>
#include <cmath>

namespace plimsoll::io::accuracy {

namespace {

Attention read_attention(const Section& model) {
  Attention attention;
  attention.query_heads = Count{model.integer("heads")};
  attention.kv_heads = Count{model.integer("kv_heads")};
  attention.head_dim = Count{model.integer("head_dim")};
  attention.qkv_bias = attention.output_bias = model.flag("linear_bias");
  attention.output_gate = model.flag("attention_output_gate");
  if (model.flag("qk_norm")) attention.qk_norm = read_norm(model) == NormKind::layernorm ? QkNorm::per_head_layernorm : QkNorm::per_head;
  const double share = model.real("rotary_percent").value_or(1.0);
  if (share > 0.0 && share < 1.0) attention.rotary_dim = Count{static_cast<std::int64_t>(std::floor(share * static_cast<double>(attention.head_dim.value)))};
  return attention;
}

LatentAttention read_latent(const Section& model) {
  const Section mla = model.inside("mla");
  return {.heads = Count{model.integer("heads")},
          .query_rank = Count{mla.integer("q_lora_rank", 0, 0)},
          .kv_rank = Count{mla.integer("kv_lora_rank")},
          .nope_dim = Count{mla.integer("qk_head_dim")},
          .rope_dim = Count{mla.integer("qk_pos_emb_head_dim")},
          .value_dim = Count{mla.integer("v_head_dim")}};
}

Mlp read_mlp(const Section& model) {
  return {.intermediate_size = Count{model.integer("ffn_hidden")},
          .kind = model.flag("gated_mlp") ? MlpKind::gated : MlpKind::plain,
          .bias = model.flag("linear_bias")};
}

Moe read_moe(const MegatronDraft& draft) {
  const Section& model = draft.model;
  MegatronFacts& facts = draft.out.facts;
  static constexpr std::array<Word<Dispatcher>, 3> kDispatchers{
      {{"allgather", Dispatcher::allgather}, {"alltoall", Dispatcher::alltoall}, {"flex", Dispatcher::flex}}};
  static constexpr std::array<Word<bool>, 4> kRouterFormats{{{"", false}, {"bf16", false}, {"fp32", true}, {"fp64", true}}};
  const Section moe = model.inside("moe");
  facts.dispatcher = moe.choice<Dispatcher>("dispatcher", kDispatchers, "allgather");
  facts.dispatcher_backend = moe.text("flex_backend");
  if (facts.dispatcher_backend.empty() && draft.arguments.flag("--moe-enable-deepep")) facts.dispatcher_backend = "deepep";
  facts.grouped_gemm = moe.flag("grouped_gemm");
  facts.permute_fusion = moe.flag("permute_fusion");
  facts.router_fp32 = moe.choice<bool>("router_dtype", kRouterFormats);
  facts.load_balancing = moe.text("load_balancing");
  facts.expert_bias = moe.flag("expert_bias");
  facts.capacity_factor = moe.real("capacity_factor");
  const MlpKind kind = model.flag("gated_mlp") ? MlpKind::gated : MlpKind::plain;
  return {.experts = Count{moe.integer("experts")},
          .per_token = Count{moe.integer("top_k")},
          .expert_size = Count{moe.integer("ffn")},
          .shared_size = Count{moe.integer("shared_ffn", 0, 0)},
          .kind = kind,
          .bias = model.flag("linear_bias"),
          .shared_gate = moe.flag("shared_gate"),
          .latent_size = Count{moe.integer("latent", 0, 0)}};
}

} // namespace

NormKind read_norm(const Section& model) {
  static constexpr std::array<Word<bool>, 2> kNorms{{{"layernorm", false}, {"rmsnorm", true}}};
  if (model.choice<bool>("norm", kNorms)) return NormKind::rmsnorm;
  return model.flag("norm_bias", true) ? NormKind::layernorm : NormKind::layernorm_no_bias;
}

Mamba2 read_mamba(const Section& model) {
  const Section hybrid = model.inside("hybrid");
  Mamba2 ssm;
  ssm.head_dim = Count{hybrid.integer("mamba_head_dim")};
  ssm.state = Count{hybrid.integer("mamba_state_dim")};
  ssm.groups = Count{hybrid.integer("mamba_num_groups")};
  ssm.kernel = Count{hybrid.integer("conv_kernel", 1, 4)};
  if (const auto heads = hybrid.optional_integer("mamba_num_heads", 1)) {
    ssm.heads = Count{*heads};
    return ssm;
  }
  const Count inner = Count{hybrid.integer("expand", 1, 2)} * Count{model.integer("hidden")};
  ssm.heads = ceil_div(inner, ssm.head_dim);
  if (ssm.heads * ssm.head_dim != inner) model.reading().refuse("model.hybrid.mamba_head_dim does not divide the channels of the state space.");
  return ssm;
}

GatedDeltaNet read_delta(const Section& model) {
  const Section linear = model.inside("linear_attention");
  return {.key_heads = Count{linear.integer("linear_num_key_heads")},
          .value_heads = Count{linear.integer("linear_num_value_heads")},
          .key_dim = Count{linear.integer("linear_key_head_dim")},
          .value_dim = Count{linear.integer("linear_value_head_dim")},
          .kernel = Count{linear.integer("linear_conv_kernel_dim", 1, 4)}};
}

void adapt_latent(std::vector<Tensor>& tensors, const Section& model) {
  const auto is_norm = [](const Tensor& tensor) { return tensor.name == "q_a_layernorm" || tensor.name == "kv_a_layernorm"; };
  if (!model.flag("qk_norm")) std::erase_if(tensors, is_norm);
  if (read_norm(model) != NormKind::layernorm) return;
  for (Tensor& tensor : tensors)
    if (is_norm(tensor)) tensor.columns = Count{2};
}

void adapt_latent(std::vector<ModelTensor>& tensors, const Section& model) {
  std::vector<ModelTensor> kept;
  for (const ModelTensor& part : tensors) {
    std::vector<Tensor> one{part.tensor};
    adapt_latent(one, model);
    for (const Tensor& tensor : one) kept.push_back({tensor, part.group, part.layers});
  }
  tensors = std::move(kept);
}

Tensor tensor_of(std::string_view name, TensorKind kind, Count rows, Count columns, bool matrix) {
  return {.name = name, .kind = kind, .rows = rows, .columns = columns, .matrix = matrix};
}

Blocks::Blocks(MegatronDraft& draft) {
  const Section& model = draft.model;
  if (model.has("mla")) {
    attention.latent = read_latent(model);
    if (model.flag("linear_bias")) // its only bias
      attention.extras.push_back(tensor_of("o_proj.bias", TensorKind::attention, Count{model.integer("hidden")}, Count{1}, false));
  } else {
    attention.attention = read_attention(model);
  }
  mlp.mlp = read_mlp(model);
  if (model.has("moe")) experts.moe = read_moe(draft);
  attention.norms = mlp.norms = experts.norms = state_space.norms = linear.norms = Count{1};
}

} // namespace plimsoll::io::accuracy
