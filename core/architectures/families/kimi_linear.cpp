// Kimi Linear (arXiv 2510.26692): Kimi Delta Attention, every fourth layer latent attention. Kimi K3 adds gates of full rank, experts on
// a narrower vector and residual maps over earlier layers.
#include "architectures/families/hybrid.hpp"

namespace plimsoll::io {

void build_kimi_linear(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  LatentAttention latent = read_latent(draft);
  latent.output_gate = read.flag("attention_gate", {"mla_use_output_gate"}, false);
  KimiDelta delta;
  std::vector<std::int64_t> full;
  auto linear = read.inside("linear_attn_config");
  if (!linear) {
    read.report(Severity::error, "linear_attn_config", read.path_of("linear_attn_config") + " is missing: without it the kinds of layers are unknown.",
                "Paste the whole config.json of the model.");
  } else {
    const Range sizes{1, 65'536};
    delta.heads = Count{read.fact("linear_value_heads", linear->number({"num_heads"}, sizes))};
    delta.head_dim = Count{read.fact("linear_value_dim", linear->number({"head_dim"}, sizes, 128))};
    delta.kernel = Count{read.fact("conv_kernel", linear->number({"short_conv_kernel_size"}, {1, 1024}, 4))};
    delta.full_rank_gate = linear->says({"use_full_rank_gate"}, false);
    full = linear->numbers({"full_attn_layers"}, {1, 10'000}).value_or(std::vector<std::int64_t>{});
  }
  read_layers(draft, layer);
  read_feed_forward(draft);

  Architecture& out = draft.out;
  const Count narrow = read.count("expert_latent_size", {"routed_expert_hidden_size"}, 0);
  const bool narrow_norm = read.says({"latent_moe_use_norm"}, false), residuals = read.has("attn_res_block_size");
  const std::vector<bool> is_full = marked(full, draft.layers() + 1);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = out.layers[i];
    if (is_full[i + 1]) at.latent = latent; // the list counts from 1
    else at.recurrence = delta;
    if (at.moe.experts > Count{0}) {
      at.moe.latent_size = narrow;
      at.moe.latent_norm = narrow_norm && narrow > Count{0};
    }
    if (residuals) at.extras.push_back(vector_tensor("attn_residual", TensorKind::adapters, out.hidden_size, Count{4})); // two norms, two maps to one number
  }
  if (residuals) out.extras.push_back(vector_tensor("final_residual", TensorKind::adapters, out.hidden_size, Count{2}));
}

} // namespace plimsoll::io
