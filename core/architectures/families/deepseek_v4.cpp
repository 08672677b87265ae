// DeepSeek V4: one wide key/value head whose cache is compressed by layer, low-rank queries, a grouped low-rank output map, attention
// sinks, hyper-connections (arXiv 2409.19606) instead of one residual stream, and first layers that pick experts by a token table.
#include "architectures/families/deepseek_v4.hpp"

#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

constexpr std::int64_t kOverlapping = 4; ///< this ratio keeps two overlapping halves, and selects with an indexer

struct Sizes {
  Count h, heads, head, query_rank, groups, output_rank, streams, index_heads, index_size;
};

/// Joins `ratio` tokens into one: a learned position table, maps for key and gate, a norm.
void add_compressor(std::vector<Tensor>& to, TensorKind kind, Count h, std::int64_t ratio, Count size) {
  const Count width = Count{ratio == kOverlapping ? 2 : 1} * size;
  to.push_back({.name = "compressor.ape", .kind = kind, .rows = Count{ratio}, .columns = width, .matrix = false});
  to.push_back(map_tensor("compressor.wkv", kind, width, h));
  to.push_back(map_tensor("compressor.wgate", kind, width, h));
  to.push_back(vector_tensor("compressor.norm", kind, size));
}

void add_attention(std::vector<Tensor>& to, const Sizes& s, std::int64_t ratio) {
  const Count query = s.heads * s.head, per_group = Count{query.value / s.groups.value};
  to.push_back(map_tensor("wq_a", TensorKind::attention, s.query_rank, s.h));
  to.push_back(map_tensor("wq_b", TensorKind::attention, query, s.query_rank));
  to.push_back(map_tensor("wkv", TensorKind::attention, s.head, s.h));
  to.push_back(map_tensor("wo_a", TensorKind::attention, s.groups * s.output_rank, per_group));
  to.push_back(map_tensor("wo_b", TensorKind::attention, s.h, s.groups * s.output_rank));
  to.push_back(vector_tensor("attn_sink", TensorKind::attention, s.heads));
  to.push_back(vector_tensor("q_norm", TensorKind::norms, s.query_rank));
  to.push_back(vector_tensor("kv_norm", TensorKind::norms, s.head));
  if (ratio == 0) return;
  add_compressor(to, TensorKind::attention, s.h, ratio, s.head);
  if (ratio != kOverlapping) return;
  to.push_back(map_tensor("indexer.wq_b", TensorKind::indexer, s.index_heads * s.index_size, s.query_rank));
  to.push_back(map_tensor("indexer.weights_proj", TensorKind::indexer, s.index_heads, s.h));
  add_compressor(to, TensorKind::indexer, s.h, ratio, s.index_size);
}

/// Mixing maps of attention and of the MLP: (2 + c) c outputs each from all c streams, as many biases, three scales.
void add_connections(std::vector<Tensor>& to, const Sizes& s) {
  const Count mixes = (Count{2} + s.streams) * s.streams;
  to.push_back(map_tensor("hc_fn", TensorKind::adapters, mixes, s.streams * s.h, Count{2}));
  to.push_back(vector_tensor("hc_base", TensorKind::adapters, mixes, Count{2}));
  to.push_back(vector_tensor("hc_scale", TensorKind::adapters, Count{3}, Count{2}));
}

void add_stream_head(std::vector<Tensor>& to, const Sizes& s, TensorKind kind, Count copies) {
  to.push_back(map_tensor("hc_head_fn", kind, s.streams, s.streams * s.h, copies));
  to.push_back(vector_tensor("hc_head_base", kind, s.streams, copies));
  to.push_back(vector_tensor("hc_head_scale", kind, Count{1}, copies));
}

/// The matrices stand in `extras`; the attention beside them is what its cache and its context are made of.
Layer layer_of(const Layer& shared, const Sizes& s, std::int64_t ratio, std::int64_t window) {
  Layer layer = shared;
  layer.attention = {.query_heads = s.heads, .kv_heads = Count{1}, .head_dim = s.head, .keys_are_values = true, .one_cache = true, .borrowed = true};
  if (ratio == 0) {
    layer.attention.pattern = window > 0 ? AttentionPattern::sliding : AttentionPattern::full;
    layer.attention.window = Count{window};
  }
  layer.attention.compression = Count{std::max<std::int64_t>(1, ratio)};
  add_attention(layer.extras, s, ratio);
  add_connections(layer.extras, s);
  return layer;
}

} // namespace

void build_deepseek_v4(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Layer shared = read_block(draft);
  Sizes s;
  s.h = draft.out.hidden_size;
  s.heads = read.count("query_heads", names::kHeads);
  s.head = read.count("head_dim", {"head_dim"}, 512);
  s.query_rank = read.count("q_lora_rank", {"q_lora_rank"}, 1024);
  const Range sizes{1, 1'048'576};
  s.groups = Count{read.number({"o_groups"}, sizes, 8)};
  s.output_rank = Count{read.number({"o_lora_rank"}, sizes, 1024)};
  s.streams = read.count("residual_streams", {"hc_mult"}, 4);
  s.index_heads = read.count("index_heads", {"index_n_heads"}, 64);
  s.index_size = read.count("index_head_dim", {"index_head_dim"}, 128);
  shared.mlp = {};
  shared.moe = read_moe(draft, draft.family.experts);
  const std::int64_t window = read.integer("sliding_window", names::kWindow, 128);

  const auto layers = static_cast<std::size_t>(read_layer_count(draft));
  const auto ratios = layer_numbers(draft, {"compress_ratios"}, {0, 1'000'000}, layers);
  const std::int64_t hashed = read.number({"num_hash_layers"}, {0, 10'000}, 0);
  for (std::size_t i = 0; i < layers; ++i) {
    Layer layer = layer_of(shared, s, ratios ? by_layer(*ratios, i) : 0, window);
    if (static_cast<std::int64_t>(i) < hashed) layer.moe.correction_bias = false;
    draft.out.layers.push_back(std::move(layer));
  }
  if (hashed > 0)
    read.note("num_hash_layers", "The first " + std::to_string(hashed) + " layers pick experts by a table of integers, which is not counted.",
              "Add vocabulary times experts per token integers for each of them where they matter.");
  add_stream_head(draft.out.extras, s, TensorKind::adapters, Count{1});

  const std::int64_t count = read_prediction_layers(draft);
  for (std::int64_t i = 0; i < std::min<std::int64_t>(count, 64); ++i) {
    const std::size_t at = layers + static_cast<std::size_t>(i);
    const Count copies{i == 63 ? count - 63 : 1};
    add_prediction(draft, layer_of(shared, s, ratios && at < ratios->size() ? (*ratios)[at] : 0, window), copies.value);
    add_stream_head(draft.out.extras, s, TensorKind::prediction, copies);
  }
}

} // namespace plimsoll::io
