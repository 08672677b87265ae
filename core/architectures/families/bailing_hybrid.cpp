// Ling and Ring 2.5 to 3: latent attention in the last layer of each group, lightning attention in the others; in Ling 3 Kimi Delta Attention.
// Read from transformers, src/transformers/models/bailing_hybrid and bailing2_5_moe; Ling 3 from its config and the names of its tensors.
#include "architectures/families/hybrid.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// One gate for each head, or none.
bool gates_heads(ConfigReader& read) { return read.text({"gated_attention_proj_granularity_type"}, "") == "head_wise"; }

} // namespace

void build_bailing_hybrid(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  const Layer layer = read_block(draft);
  const LatentAttention latent = read_latent(draft);
  const Count heads = latent.heads;
  const bool third = read.has("short_conv_kernel_size");
  const Count head{read.fact("linear_value_dim", third ? read.number({"head_dim"}, {1, 65'536}, 128) : std::max<std::int64_t>(1, draft.hidden() / heads.value))};
  const Count linear_heads{read.fact("linear_value_heads", heads.value)};
  Recurrence recurrence = Lightning{.heads = linear_heads, .head_dim = head};
  if (third) {
    const bool full_rank = read.says({"no_kda_lora"}, false);
    recurrence = KimiDelta{.heads = linear_heads, .head_dim = head, .kernel = read.count("conv_kernel", {"short_conv_kernel_size"}, 4),
                           .full_rank_gate = full_rank, .full_rank_decay = full_rank};
  }
  read_layers(draft, layer);
  read_feed_forward(draft);
  const bool gated = gates_heads(read);
  const std::vector<bool> full = read_full_layers(draft, "linear_attention", read.number({"layer_group_size"}, {1, 10'000}, 8));
  const auto attend = [&](Layer& at) {
    at.recurrence = {};
    at.latent = latent;
    if (gated) at.extras.push_back(map_tensor("g_proj", TensorKind::attention, heads, draft.out.hidden_size));
  };
  Layer predicted = draft.out.layers.back(); // prediction layers attend, whatever the pattern
  attend(predicted);
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    if (full[i]) {
      attend(at);
      continue;
    }
    at.recurrence = recurrence;
    if (!third) at.extras.push_back(vector_tensor("query_key_norms", TensorKind::norms, head, Count{2}));
  }
  add_prediction(draft, predicted, read_prediction_layers(draft));
}

} // namespace plimsoll::io
