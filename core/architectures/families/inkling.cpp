// Inkling (Thinking Machines): window layers with heads of their own, positions as a learned bias by distance, short convolutions on keys,
// values and what attention and MLP give. Read from transformers, src/transformers/models/inkling. What the convolutions remember, three tokens
// of a few thousand channels in each layer, is not counted; nor are its towers for images and sound.
#include "architectures/families/hybrid.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

/// What stands beside a layer's attention: the map to the bias, its table by distance, and the filters.
void add_parts(Layer& layer, Count hidden, Count rank, Count reach, Count kernel) {
  const Attention& attention = layer.attention;
  Tensor relative = map_tensor("r_proj", TensorKind::attention, attention.query_heads * rank, hidden);
  relative.split = Split::rows;
  relative.units = attention.query_heads;
  layer.extras.push_back(relative);
  const auto filter = [&](const char* name, Count channels, Count copies) {
    Tensor tensor = map_tensor(name, TensorKind::attention, channels, kernel, copies);
    tensor.matrix = false;
    layer.extras.push_back(tensor);
  };
  Tensor table = map_tensor("rel_logits_proj", TensorKind::positions, rank, reach);
  table.matrix = false;
  layer.extras.push_back(table);
  filter("kv_sconv", attention.kv_heads * attention.head_dim, Count{2});
  filter("attn_mlp_sconv", hidden, Count{2});
}

} // namespace

void build_inkling(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  read_layers(draft, layer);
  read_feed_forward(draft);

  Attention sliding = layer.attention;
  sliding.query_heads = read.count("window_query_heads", {"swa_num_attention_heads"}, sliding.query_heads.value);
  sliding.kv_heads = read.count("window_kv_heads", {"swa_num_key_value_heads"}, sliding.kv_heads.value);
  check_heads(draft, sliding.query_heads.value, sliding.kv_heads.value, "window_kv_heads");
  const Range sizes{1, 1'048'576};
  const Count rank{read.number({"d_rel"}, sizes, 16)}, reach{read.number({"rel_extent"}, sizes, 1024)}, kernel{read.number({"sconv_kernel_size", "conv_kernel_size"}, {1, 1024}, 4)};
  const std::int64_t window = read.integer("sliding_window", names::kWindow, 512);
  std::vector<bool> local(draft.layers());
  if (const auto listed = read.numbers({"local_layer_ids"}, {0, 10'000})) local = marked(*listed, draft.layers());
  else
    for (std::size_t i = 0; i < local.size(); ++i) local[i] = (i + 1) % 6 != 0;

  const Count hidden = draft.out.hidden_size;
  const auto complete = [&](Layer& at, bool slides) {
    if (slides) at.attention = sliding;
    add_parts(at, hidden, rank, slides ? Count{window} : reach, kernel);
    // The router weighs the shared experts too.
    if (at.moe.experts > Count{0}) at.extras.push_back(map_tensor("shared_gate", TensorKind::router, ceil_div(at.moe.shared_size, at.moe.expert_size), hidden));
  };
  for (std::size_t i = 0; i < draft.layers(); ++i) complete(draft.out.layers[i], local[i]);
  set_windows(draft, local, window);
  draft.out.extras.push_back(vector_tensor("embed_norm", TensorKind::norms, hidden));

  // Prediction layers are dense, and state which of them look back over the window in a part of the file of their own.
  ConfigReader file = read.outermost(draft.whole_file);
  auto chain = file.inside("mtp_config");
  if (!chain) return;
  const std::int64_t count = chain->number({"num_nextn_predict_layers"}, {0, 1024}, 0);
  const std::vector<bool> near = marked(chain->numbers({"local_layer_ids"}, {0, 10'000}).value_or(std::vector<std::int64_t>{}), static_cast<std::size_t>(count));
  Layer predicted = layer;
  predicted.mlp.intermediate_size = read_mlp_width(draft);
  for (const bool slides : near) {
    Layer one = predicted;
    complete(one, slides);
    add_prediction(draft, one, 1);
  }
}

} // namespace plimsoll::io
