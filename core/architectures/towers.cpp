// Sources: the vision classes of transformers (src/transformers/models: siglip, clip, pixtral, llama4, qwen2_vl, qwen2_5_vl, qwen3_vl,
// gemma4, siglip2, glm_ocr, paddleocr_vl, minicpmv4_6, muse_glimmer, hunyuan_vl, deepseek_ocr2); MoonViT, InternViT and DeepSeek-OCR's from the code shipped with their weights. Sizes of known checkpoints are tests.
#include "architectures/towers.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io::towers {

namespace {

constexpr Range kSizes{1, 16'777'216};
constexpr Range kLayers{1, 10'000};

Tensor vector(std::string_view name, Count size) { return vector_tensor(name, TensorKind::vision, size); }
Tensor norm(std::string_view name, Count size) { return vector_tensor(name, TensorKind::vision, size, Count{2}); } // weight and bias

struct Shape {
  Count width, mlp, layers, patch, heads{1};
};

/// What the class has where the file says nothing: nested configs leave out what equals the class.
struct Standard {
  std::int64_t width, mlp, layers, patch;
};

Count read_heads(ConfigReader& vision) { return Count{vision.number({"num_attention_heads", "num_heads", "vt_num_attention_heads"}, {1, 65'536}, 16)}; }

Shape read_shape(ConfigReader& vision, Standard standard, NameList width = {"hidden_size"}, NameList mlp = {"intermediate_size"},
                 NameList layers = {"num_hidden_layers", "depth"}) {
  Shape shape;
  shape.width = Count{vision.number(width, kSizes, standard.width)};
  shape.mlp = Count{vision.number(mlp, kSizes, standard.mlp)};
  shape.layers = Count{vision.number(layers, kLayers, standard.layers)};
  shape.patch = Count{vision.number({"patch_size"}, {1, 4096}, standard.patch)};
  shape.heads = read_heads(vision);
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
  bool output_bias = false; ///< on what attention gives, without attention_bias too
  QkNorm qk_norm = QkNorm::none;
};

void add_blocks(Tensors& to, const Shape& shape, const Block& block, const std::vector<Tensor>& more = {}) {
  Layer layer;
  const Count heads = shape.width.value % shape.heads.value == 0 ? shape.heads : Count{1};
  layer.attention = {.query_heads = heads, .kv_heads = heads, .head_dim = Count{shape.width.value / heads.value}, .qkv_bias = block.attention_bias, .output_bias = block.attention_bias || block.output_bias, .qk_norm = block.qk_norm, .caches = false};
  layer.mlp = {.intermediate_size = shape.mlp, .kind = block.mlp, .bias = block.mlp_bias};
  layer.norms = Count{block.norms};
  layer.extras = more;
  add_layers(to, std::move(layer), shape.width, shape.layers, block.norm);
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

void add_layers(Tensors& to, Layer layer, Count width, Count layers, NormKind norm) {
  Blocks blocks{.layer = {}, .width = width, .layers = layers, .norm = norm, .begin = to.size()};
  std::vector<Tensor> tensors = tensors_of(layer, width, norm);
  for (Tensor& tensor : tensors) tensor.split = Split::none, tensor.units = Count{1}; // every GPU holds the whole tower
  add_tensors(to, std::move(tensors), TensorKind::vision, layers);
  blocks.end = to.size();
  for (Tensor& tensor : layer.extras) tensor.kind = TensorKind::norms; // in the tower as a model of its own
  blocks.layer = std::move(layer);
  to.blocks.push_back(std::move(blocks));
}

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
  shape.heads = read_heads(vision);
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
  // The large one (InternViT-6B) has RMSNorms, also of whole queries and keys, and no bias on the maps to them.
  const NormKind kind = vision.text({"norm_type"}, "layer_norm") == "rms_norm" ? NormKind::rmsnorm : NormKind::layernorm;
  const bool normed = vision.says({"qk_normalization", "use_qk_norm"}, false);
  add_blocks(tower, shape, {.attention_bias = vision.says({"qkv_bias", "attention_bias"}, true), .norm = kind, .output_bias = true, .qk_norm = normed ? QkNorm::full : QkNorm::none},
             {vector("ls1", shape.width), vector("ls2", shape.width)});
  const Count joined = Count{4} * shape.width;
  tower.push_back(norm("mlp1.norm", joined));
  add_map(tower, "mlp1.fc1", text, joined, true);
  add_map(tower, "mlp1.fc2", text, text, true);
  return tower;
}

Tensors siglip2(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {768, 3072, 12, 16});
  add_map(tower, "patch_embedding", shape.width, pixels(shape), true);
  tower.push_back(map_tensor("position_embedding", TensorKind::vision, Count{vision.number({"num_patches"}, kSizes, 256)}, shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(norm("post_layernorm", shape.width));
  return tower;
}

Tensors glm_ocr(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1024, 4096, 24, 14});
  const Count head{shape.width.value / vision.number({"num_heads"}, {1, 65'536}, 16)};
  const Count out{vision.number({"out_hidden_size"}, kSizes, text.value)}, merge = read_merge(vision);
  const bool bias = vision.says({"attention_bias"}, true);
  add_map(tower, "patch_embed", shape.width, read_frames(vision) * pixels(shape), true);
  add_blocks(tower, shape, {.attention_bias = bias, .mlp = MlpKind::gated, .mlp_bias = bias, .norm = NormKind::rmsnorm}, {vector("q_norm", head), vector("k_norm", head)});
  tower.push_back(vector("post_layernorm", shape.width));
  add_map(tower, "downsample", out, merge * (merge * shape.width), true);
  add_map(tower, "merger.proj", out, out, false);
  tower.push_back(norm("merger.post_projection_norm", out));
  for (const char* name : {"merger.gate_proj", "merger.up_proj", "merger.down_proj"}) add_map(tower, name, Count{3} * out, out, false); // as many times wider as colours
  return tower;
}

Tensors paddleocr(ConfigReader& vision, Count text) {
  Tensors tower = siglip(vision);
  const Count width{vision.number({"hidden_size"}, kSizes, 1152)}, merge = read_merge(vision), joined = merge * (merge * width);
  tower.push_back(norm("projector.pre_norm", width));
  add_map(tower, "projector.linear_1", joined, joined, true);
  add_map(tower, "projector.linear_2", text, joined, true);
  return tower;
}

Tensors minicpm_v(ConfigReader& vision, Count text) {
  Tensors tower = siglip(vision);
  const Shape shape = read_shape(vision, {768, 3072, 12, 16});
  const Count joined = Count{4} * shape.width, inner = Count{4} * shape.mlp; // windows of two by two
  for (const char* name : {"vit_merger.q_proj", "vit_merger.k_proj", "vit_merger.v_proj", "vit_merger.out_proj"}) add_map(tower, name, shape.width, shape.width, true);
  tower.push_back(norm("vit_merger.layer_norm1", shape.width));
  tower.push_back(norm("vit_merger.pre_norm", joined));
  add_map(tower, "vit_merger.linear_1", inner, joined, true);
  add_map(tower, "vit_merger.linear_2", shape.width, inner, true);
  tower.push_back(norm("merger.pre_norm", joined));
  add_map(tower, "merger.linear_1", joined, joined, true);
  add_map(tower, "merger.linear_2", text, joined, true);
  return tower;
}

// The network's size is that of the two published counts of Gemma 3n less everything else in them: the same in both, and 0.05 % below that
// of Keras's port (keras-team/keras-hub, keras_hub/src/models/mobilenetv5/mobilenetv5_presets.py: 294,284,096).
Tensors mobilenet(ConfigReader& vision, Count text) {
  Tensors tower;
  if (vision.text({"architecture"}, "mobilenetv5_300m_enc") != "mobilenetv5_300m_enc") return tower;
  const Count width{vision.number({"hidden_size"}, kSizes, 2048)};
  tower.push_back({.name = "mobilenetv5_300m_enc", .kind = TensorKind::vision, .rows = Count{294'126'848}, .matrix = false});
  tower.push_back(map_tensor("embed_vision.embedding", TensorKind::vision, Count{vision.number({"vocab_size"}, kSizes, 128)}, width));
  tower.push_back(vector_tensor("embed_vision.norms", TensorKind::vision, width, Count{2}));
  add_map(tower, "embed_vision.embedding_projection", text, width, false);
  return tower;
}

Tensors muse_glimmer(ConfigReader& vision) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1536, 8960, 50, 14});
  const Count rows = Count{vision.number({"pos_emb_height"}, kLayers, 32)} * Count{vision.number({"pos_emb_width"}, kLayers, 32)};
  add_map(tower, "patch_embedding", shape.width, Count{vision.number({"patch_temporal"}, {1, 64}, 2)} * pixels(shape), false);
  tower.push_back(map_tensor("position_embedding_table", TensorKind::vision, rows, shape.width));
  tower.push_back(norm("ln_pre", shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(norm("ln_post", shape.width));
  return tower;
}

namespace {

/// SAM: patches of 16 pixels, windows of 14 patches in all but some layers, then convolutions that join four patches twice. Returns their channels.
Count add_sam(Tensors& tower, ConfigReader& sam, std::int64_t side, const std::vector<std::int64_t>& standard) {
  Shape shape{.width = Count{sam.number({"width", "hidden_size"}, kSizes, 768)}, .mlp = {}, .layers = Count{sam.number({"layers", "num_hidden_layers"}, kLayers, 12)}, .patch = Count{16}};
  shape.mlp = Count{4} * shape.width;
  const Count head{shape.width.value / sam.number({"heads", "num_attention_heads"}, {1, 65'536}, 12)}, neck{256}, taps{9};
  const auto whole = sam.numbers({"global_attn_indexes"}, {0, 10'000}).value_or(std::vector<std::int64_t>{2, 5, 8, 11});
  const std::int64_t global = std::min(static_cast<std::int64_t>(whole.size()), shape.layers.value);
  add_map(tower, "sam.patch_embed", shape.width, pixels(shape), true);
  tower.push_back(map_tensor("sam.pos_embed", TensorKind::vision, Count{side * side}, shape.width));
  add_blocks(tower, shape, {});
  tower.push_back(map_tensor("sam.rel_pos_windows", TensorKind::vision, Count{27}, head, Count{2 * (shape.layers.value - global)}));
  tower.push_back(map_tensor("sam.rel_pos_global", TensorKind::vision, Count{2 * side - 1}, head, Count{2 * global}));
  add_map(tower, "sam.neck.0", neck, shape.width, false);
  add_map(tower, "sam.neck.2", neck, taps * neck, false);
  tower.push_back(vector_tensor("sam.neck.norms", TensorKind::vision, neck, Count{4}));
  Count last = neck;
  for (const std::int64_t channels : sam.numbers({"downsample_channels"}, kSizes).value_or(standard)) {
    add_map(tower, "sam.net", Count{channels}, taps * last, false);
    last = Count{channels};
  }
  return last;
}

} // namespace

Tensors deep_encoder(ConfigReader& vision, Count text) {
  Tensors tower;
  auto width = vision.inside("width");
  if (!width) return {};
  auto sam = width->inside("sam_vit_b"), large = width->inside("clip-l-14-224");
  if (!sam || !large) return {};
  const Count last = add_sam(tower, *sam, vision.number({"image_size"}, {16, 65'536}, 1024) / 16, {512, 1024});
  // CLIP on what SAM gives; its own patch embedding is stored all the same.
  Shape second{.width = Count{large->number({"width"}, kSizes, 1024)}, .mlp = {}, .layers = Count{large->number({"layers"}, kLayers, 24)},
               .patch = Count{large->number({"patch_size"}, {1, 4096}, 14)}};
  second.mlp = Count{4} * second.width;
  tower.push_back(vector("clip.class_embedding", second.width));
  add_map(tower, "clip.patch_embedding", second.width, pixels(second), false);
  tower.push_back(map_tensor("clip.position_embedding", TensorKind::vision, patches(*large, second, 224) + Count{1}, second.width));
  tower.push_back(norm("clip.pre_layrnorm", second.width));
  add_blocks(tower, second, {});
  add_map(tower, "projector", text, last + second.width, true);
  tower.push_back(vector_tensor("image_newline_and_separator", TensorKind::vision, text, Count{2}));
  return tower;
}

Tensors deep_encoder2(ConfigReader& vision, Count text) {
  Tensors tower;
  auto sam = vision.inside("sam_config"), second = vision.inside("encoder_config");
  if (!sam || !second) return {};
  add_sam(tower, *sam, sam->number({"image_size"}, {16, 65'536}, 1024) / 16, {512, 896});
  // Layers of Qwen2 on what SAM gives, with learned queries for views of 768 and of 1,024 pixels.
  const Count width{second->number({"hidden_size"}, kSizes, 896)}, heads{second->number({"num_attention_heads"}, {1, 65'536}, 14)};
  const Count kv{second->number({"num_key_value_heads"}, {1, 65'536}, 2)}, head{width.value / heads.value};
  Layer layer;
  layer.attention = {.query_heads = heads, .kv_heads = kv, .head_dim = head, .qkv_bias = true, .caches = false};
  layer.mlp = {.intermediate_size = Count{second->number({"intermediate_size"}, kSizes, 4864)}, .kind = MlpKind::gated};
  layer.norms = Count{2};
  add_layers(tower, layer, width, Count{second->number({"num_hidden_layers"}, kLayers, 24)}, NormKind::rmsnorm);
  tower.push_back(vector("encoder.norm", width));
  tower.push_back(map_tensor("queries", TensorKind::vision, Count{144 + 256}, width));
  add_map(tower, "projector", text, width, true);
  tower.push_back(vector("view_separator", text));
  return tower;
}

Tensors hunyuan_vl(ConfigReader& vision, Count text) {
  Tensors tower;
  const Shape shape = read_shape(vision, {1152, 4304, 27, 16});
  const std::int64_t side = vision.number({"max_image_size"}, {1, 65'536}, 2048) / shape.patch.value;
  const Count width = shape.width, merge = read_merge(vision);
  add_map(tower, "patch_embedding", width, pixels(shape), true);
  tower.push_back(map_tensor("position_embedding", TensorKind::vision, Count{side * side + 1}, width));
  add_blocks(tower, shape, {});
  add_map(tower, "perceive.proj.0", Count{2} * width, merge * (merge * width), true);
  add_map(tower, "perceive.proj.2", Count{4} * width, Count{2} * width, true);
  add_map(tower, "perceive.mlp", text, Count{4} * width, true);
  tower.push_back(vector("perceive.image_newline", Count{4} * width));
  tower.push_back(vector_tensor("perceive.begin_end_separator", TensorKind::vision, text, Count{3}));
  tower.push_back(vector("perceive.before_rms", width));
  tower.push_back(vector("perceive.after_rms", text));
  return tower;
}

} // namespace plimsoll::io::towers
