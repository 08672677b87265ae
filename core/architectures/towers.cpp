// Sources: the vision classes of transformers (src/transformers/models: siglip, clip, pixtral, llama4, qwen2_vl, qwen2_5_vl, qwen3_vl,
// gemma4); MoonViT and InternViT from the code shipped with their weights. Sizes of known checkpoints are tests.
#include "architectures/towers.hpp"

#include <algorithm>

namespace plimsoll::io::towers {

namespace {

constexpr Range kSizes{1, 16'777'216};
constexpr Range kLayers{1, 10'000};

Tensor vector(std::string_view name, Count size) { return vector_tensor(name, TensorKind::vision, size); }
Tensor norm(std::string_view name, Count size) { return vector_tensor(name, TensorKind::vision, size, Count{2}); } // weight and bias

struct Shape {
  Count width, mlp, layers, patch;
};

/// What the class has where the file says nothing: nested configs leave out what equals the class.
struct Standard {
  std::int64_t width, mlp, layers, patch;
};

Shape read_shape(ConfigReader& vision, Standard standard, NameList width = {"hidden_size"}, NameList mlp = {"intermediate_size"},
                 NameList layers = {"num_hidden_layers", "depth"}) {
  Shape shape;
  shape.width = Count{vision.number(width, kSizes, standard.width)};
  shape.mlp = Count{vision.number(mlp, kSizes, standard.mlp)};
  shape.layers = Count{vision.number(layers, kLayers, standard.layers)};
  shape.patch = Count{vision.number({"patch_size"}, {1, 4096}, standard.patch)};
  return shape;
}

/// Pixels of one patch in three colours.
Count pixels(const Shape& shape) { return Count{3} * (shape.patch * shape.patch); }

Count patches(ConfigReader& vision, const Shape& shape, std::int64_t standard) {
  const std::int64_t side = vision.number({"image_size"}, {1, 65'536}, standard) / shape.patch.value;
  return Count{side * side};
}

struct Block {
  bool attention_bias = true;
  MlpKind mlp = MlpKind::plain;
  bool mlp_bias = true;
  NormKind norm = NormKind::layernorm;
  std::int64_t norms = 2;
};

void add_blocks(Tensors& to, const Shape& shape, const Block& block, const Tensors& more = {}) {
  Layer layer;
  layer.attention = {.query_heads = Count{1}, .kv_heads = Count{1}, .head_dim = shape.width, .qkv_bias = block.attention_bias, .output_bias = block.attention_bias};
  layer.mlp = {.intermediate_size = shape.mlp, .kind = block.mlp, .bias = block.mlp_bias};
  layer.norms = Count{block.norms};
  layer.extras = more;
  Tensors tensors = tensors_of(layer, shape.width, block.norm);
  for (Tensor& tensor : tensors) tensor.split = Split::none, tensor.units = Count{1}; // every GPU holds the whole tower
  add_tensors(to, std::move(tensors), TensorKind::vision, shape.layers);
}

/// Joins merge × merge patches: a norm, then two maps.
void add_merger(Tensors& to, Count width, Count merge, Count out, bool norm_over_all, NormKind kind = NormKind::layernorm) {
  const Count joined = merge * (merge * width), normed = norm_over_all ? joined : width;
  to.push_back(kind == NormKind::layernorm ? norm("merger.norm", normed) : vector("merger.norm", normed));
  add_map(to, "merger.fc1", joined, joined, true);
  add_map(to, "merger.fc2", out, joined, true);
}

Count read_merge(ConfigReader& vision) { return Count{vision.number({"spatial_merge_size"}, {1, 64}, 2)}; }

Count read_frames(ConfigReader& vision) { return Count{vision.number({"temporal_patch_size"}, {1, 64}, 2)}; }

} // namespace

void add_map(Tensors& to, std::string_view name, Count rows, Count columns, bool bias) {
  to.push_back(map_tensor(name, TensorKind::vision, rows, columns));
  if (bias) to.push_back(vector("bias", rows));
}

Tensors siglip(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {768, 3072, 12, 16});
  add_map(tower, "patch_embedding", shape.width, pixels(shape), true);
  tower.push_back(map_tensor("position_embedding", TensorKind::vision, patches(vision, shape, 224), shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(norm("post_layernorm", shape.width));
  return tower;
}

Tensors clip(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {768, 3072, 12, 32});
  tower.push_back(vector("class_embedding", shape.width));
  add_map(tower, "patch_embedding", shape.width, pixels(shape), false);
  tower.push_back(map_tensor("position_embedding", TensorKind::vision, patches(vision, shape, 224) + Count{1}, shape.width));
  tower.push_back(norm("pre_layrnorm", shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(norm("post_layernorm", shape.width));
  return tower;
}

Tensors pixtral(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1024, 4096, 24, 16});
  add_map(tower, "patch_conv", shape.width, pixels(shape), false);
  tower.push_back(vector("ln_pre", shape.width));
  add_blocks(tower, shape, {.attention_bias = false, .mlp = MlpKind::gated, .mlp_bias = false, .norm = NormKind::rmsnorm});
  return tower;
}

Tensors llama4(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {768, 5632, 34, 14});
  const Count in{vision.number({"projector_input_dim"}, kSizes, 4096)}, out{vision.number({"projector_output_dim"}, kSizes, 4096)};
  const Count last{vision.number({"vision_output_dim"}, kSizes, 7680)};
  add_map(tower, "patch_embedding", shape.width, pixels(shape), false);
  tower.push_back(vector("class_embedding", shape.width));
  tower.push_back(map_tensor("positional_embedding", TensorKind::vision, patches(vision, shape, 448) + Count{1}, shape.width));
  tower.push_back(norm("layernorm_pre", shape.width));
  tower.push_back(norm("layernorm_post", shape.width));
  add_blocks(tower, shape, {});
  add_map(tower, "vision_adapter.fc1", in, shape.mlp, false);
  add_map(tower, "vision_adapter.fc2", out, in, false);
  add_map(tower, "multi_modal_projector", text, last, false);
  return tower;
}

Tensors qwen2_vl(ConfigReader& vision) {
  Tensors tower;
  Shape shape;
  shape.width = Count{vision.number({"embed_dim"}, kSizes, 1280)};
  shape.layers = Count{vision.number({"depth"}, kLayers, 32)};
  shape.patch = Count{vision.number({"patch_size"}, {1, 4096}, 14)};
  shape.mlp = Count{vision.number({"mlp_ratio"}, {1, 64}, 4)} * shape.width;
  add_map(tower, "patch_embed", shape.width, read_frames(vision) * pixels(shape), false);
  add_blocks(tower, shape, {});
  add_merger(tower, shape.width, read_merge(vision), Count{vision.number({"hidden_size"}, kSizes, 3584)}, false);
  return tower;
}

Tensors qwen2_5_vl(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1280, 3420, 32, 14});
  add_map(tower, "patch_embed", shape.width, read_frames(vision) * pixels(shape), false);
  add_blocks(tower, shape, {.mlp = MlpKind::gated, .norm = NormKind::rmsnorm});
  add_merger(tower, shape.width, read_merge(vision), Count{vision.number({"out_hidden_size"}, kSizes, text.value)}, false, NormKind::rmsnorm);
  return tower;
}

Tensors qwen3_vl(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1152, 4304, 27, 16});
  const Count out{vision.number({"out_hidden_size"}, kSizes, 3584)}, merge = read_merge(vision);
  add_map(tower, "patch_embed", shape.width, read_frames(vision) * pixels(shape), true);
  tower.push_back(map_tensor("pos_embed", TensorKind::vision, Count{vision.number({"num_position_embeddings"}, kSizes, 2304)}, shape.width));
  add_blocks(tower, shape, {});
  add_merger(tower, shape.width, merge, out, false);
  const auto deep = vision.numbers({"deepstack_visual_indexes"}, {0, 10'000}).value_or(std::vector<std::int64_t>{});
  for (std::size_t i = 0; i < std::min<std::size_t>(deep.size(), 64); ++i) add_merger(tower, shape.width, merge, out, true);
  return tower;
}

Tensors gemma4(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {768, 3072, 16, 16});
  const Count head{vision.number({"head_dim"}, {1, 65'536}, 64)};
  add_map(tower, "patch_embedder", shape.width, pixels(shape), false);
  tower.push_back(map_tensor("position_embedding_table", TensorKind::vision, Count{2} * Count{vision.number({"position_embedding_size"}, kSizes, 10'240)}, shape.width));
  add_blocks(tower, shape, {.attention_bias = false, .mlp = MlpKind::gated, .mlp_bias = false, .norm = NormKind::rmsnorm, .norms = 4},
             {vector("q_norm", head), vector("k_norm", head)});
  add_map(tower, "embedding_projection", text, shape.width, false);
  return tower;
}

Tensors moonvit(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1152, 4304, 27, 14}, {"vt_hidden_size"}, {"vt_intermediate_size"}, {"vt_num_hidden_layers"});
  const Count rows = Count{vision.number({"init_pos_emb_height"}, kLayers, 64)} * Count{vision.number({"init_pos_emb_width"}, kLayers, 64)};
  add_map(tower, "patch_embed", shape.width, pixels(shape), true);
  tower.push_back(map_tensor("pos_emb", TensorKind::vision, rows, shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(norm("final_layernorm", shape.width));
  add_merger(tower, shape.width, Count{2}, text, false);
  return tower;
}

Tensors intern_vit(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1024, 4096, 24, 14});
  tower.push_back(vector("class_embedding", shape.width));
  add_map(tower, "patch_embedding", shape.width, pixels(shape), true);
  tower.push_back(map_tensor("position_embedding", TensorKind::vision, patches(vision, shape, 448) + Count{1}, shape.width));
  add_blocks(tower, shape, {}, {vector("ls1", shape.width), vector("ls2", shape.width)});
  const Count joined = Count{4} * shape.width;
  tower.push_back(norm("mlp1.norm", joined));
  add_map(tower, "mlp1.fc1", text, joined, true);
  add_map(tower, "mlp1.fc2", text, text, true);
  return tower;
}

} // namespace plimsoll::io::towers
