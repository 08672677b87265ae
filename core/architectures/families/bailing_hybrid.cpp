// Ling and Ring 2.5 and 2.6: latent attention in the last layer of each group, lightning attention in the others. Read from transformers,
// src/transformers/models/bailing_hybrid and bailing2_5_moe.
#include "architectures/families/hybrid.hpp"

#include <algorithm>

namespace plimsoll::io {

void build_bailing_hybrid(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  if (read.has("short_conv_kernel_size")) {
    read.report(Severity::error, "short_conv_kernel_size", read.path_of("short_conv_kernel_size") + " makes this a Ling 3, whose linear attention is not covered yet.",
                "Ling 2.5 and 2.6 are covered.");
    return;
  }
  read_frame(draft);
  const Layer layer = read_block(draft);
  const LatentAttention latent = read_latent(draft);
  const std::int64_t heads = latent.heads.value;
  const Count head{read.fact("linear_value_dim", std::max<std::int64_t>(1, draft.hidden() / heads))};
  const Lightning lightning{.heads = Count{read.fact("linear_value_heads", heads)}, .head_dim = head};
  read_layers(draft, layer);
  read_feed_forward(draft);
  const std::vector<bool> full = read_full_layers(draft, "linear_attention", read.number({"layer_group_size"}, {1, 10'000}, 8));
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    Layer& at = draft.out.layers[i];
    if (full[i]) {
      at.latent = latent;
      continue;
    }
    at.recurrence = lightning;
    at.extras.push_back(vector_tensor("query_key_norms", TensorKind::norms, head, Count{2}));
  }
}

} // namespace plimsoll::io
