// Source: huggingface/transformers, models/mllama/modeling_mllama.py (MllamaVisionModel).
#include "architectures/towers.hpp"

#include <utility>

namespace plimsoll::io::towers {

namespace {

constexpr Range kSizes{1, 16'777'216};

Tensor vector(std::string_view name, Count size, Count copies = Count{1}) { return vector_tensor(name, TensorKind::vision, size, copies); }
Tensor map(std::string_view name, Count rows, Count columns) { return map_tensor(name, TensorKind::vision, rows, columns); }

/// Ways to put up to `tiles` tiles together, and one for an image that is not there.
Count aspect_ratios(std::int64_t tiles) {
  Count ratios{1};
  for (std::int64_t across = 1; across <= tiles; ++across) ratios += Count{tiles / across};
  return ratios;
}

} // namespace

/// Tables of positions for the tiles of each aspect ratio; layers with gates that look at all tiles behind those that look at one.
Tensors mllama(ConfigReader& vision, Count text) {
  Tensors tower;
  const Count width{vision.number({"hidden_size"}, kSizes, 1280)}, heads{vision.number({"attention_heads", "num_attention_heads"}, {1, 65'536}, 16)};
  const std::int64_t patch = vision.number({"patch_size"}, {1, 4096}, 14), side = vision.number({"image_size"}, {1, 65'536}, 448) / patch;
  const std::int64_t tiles = vision.number({"max_num_tiles"}, {1, 64}, 4);
  const Count positions{side * side + 1}, of_tiles = Count{tiles} * width, ratios = aspect_ratios(tiles);
  tower.push_back(map("patch_embedding", width, Count{3 * patch * patch}));
  tower.push_back(vector("class_embedding", width));
  tower.push_back(map("gated_positional_embedding", positions, width));
  tower.push_back(map("tile_embedding", ratios, of_tiles * positions));
  tower.push_back(map("pre_tile_positional_embedding", ratios, of_tiles));
  tower.push_back(map("post_tile_positional_embedding", ratios, of_tiles));
  tower.push_back(vector("position_gates", Count{3}));
  tower.push_back(vector("layernorm_pre", width, Count{2}));
  tower.push_back(vector("layernorm_post", width, Count{2}));
  Layer layer;
  const Count shared = width.value % heads.value == 0 ? heads : Count{1};
  layer.attention = {.query_heads = shared, .kv_heads = shared, .head_dim = Count{width.value / shared.value}, .caches = false};
  layer.mlp = {.intermediate_size = Count{vision.number({"intermediate_size"}, kSizes, 5120)}, .kind = MlpKind::plain, .bias = true};
  layer.norms = Count{2};
  add_layers(tower, layer, width, Count{vision.number({"num_hidden_layers"}, {1, 10'000}, 32)}, NormKind::layernorm);
  layer.extras.push_back(vector("layer_gates", Count{2}));
  add_layers(tower, std::move(layer), width, Count{vision.number({"num_global_layers"}, {1, 10'000}, 8)}, NormKind::layernorm);
  add_map(tower, "multi_modal_projector", text, Count{vision.number({"vision_output_dim"}, kSizes, 7680)}, true);
  return tower;
}

} // namespace plimsoll::io::towers
