// Models that see: ViT (arXiv 2010.11929), DINOv2 (arXiv 2304.07193) and CLIP (arXiv 2103.00020), whose text encoder is the model here and
// whose vision tower is a component beside it. Sources: huggingface/transformers, models/vit, models/dinov2, models/clip.
#include "architectures/steps/steps.hpp"

namespace plimsoll::io {

namespace {

constexpr Range kWide{1, 16'777'216};

/// One token for each patch of the image and one for the class; the sequence is as long as the image says.
void build_vit(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  Architecture& out = draft.out;
  const bool dino = draft.family.type == "dinov2";
  out.hidden_size = read.count("hidden_size", names::kHidden);
  out.norm = read.choice("norm", NormKind::layernorm);
  out.has_embedding = out.has_head = out.tied_embeddings = false;
  out.vocab_size = Count{0};
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.caches = false;
  layer.mlp.intermediate_size = dino ? read.count("intermediate_size", {"intermediate_size"}, read.number({"mlp_ratio"}, {1, 64}, 4) * draft.hidden())
                                     : read.count("intermediate_size", {"intermediate_size"}, 3072);
  if (dino) layer.extras = {vector_tensor("layer_scale", TensorKind::adapters, out.hidden_size, Count{2})};
  read_layers(draft, layer);

  const std::int64_t patch = read.number({"patch_size"}, {1, 4096}, dino ? 14 : 16), side = read.number({"image_size"}, {1, 65'536}, 224) / patch;
  const Count width = out.hidden_size, colours{read.number({"num_channels"}, {1, 4096}, 3)};
  out.max_context = read.count("max_context", {}, side * side + 1);
  out.learned_positions = Count{read.fact("learned_positions", side * side + 1)};
  out.extras.push_back(map_tensor("patch_embeddings", TensorKind::embedding, width, colours * Count{patch * patch}));
  out.extras.push_back(vector_tensor("patch_embeddings.bias", TensorKind::embedding, width));
  out.extras.push_back(vector_tensor("cls_token", TensorKind::embedding, width));
  if (dino) out.extras.push_back(vector_tensor("mask_token", TensorKind::embedding, width));
  const bool labels = class_of(draft).ends_with("ForImageClassification");
  if (!dino && !labels && read.fact("pooler", 1) != 0) {
    out.extras.push_back(map_tensor("pooler.dense", TensorKind::pooler, width, width));
    out.extras.push_back(vector_tensor("pooler.dense.bias", TensorKind::pooler, width));
  }
  if (!labels) return;
  const Count classes = read_labels(draft), seen = dino ? Count{2} * width : width; // DINOv2: the class token and the mean of the patches
  out.extras.push_back(map_tensor("classifier", TensorKind::pooler, classes, seen));
  out.extras.push_back(vector_tensor("classifier.bias", TensorKind::pooler, classes));
}

void build_clip(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  read_frame(draft);
  Architecture& out = draft.out;
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  layer.attention.caches = false;
  layer.mlp.intermediate_size = read_mlp_width(draft);
  read_layers(draft, layer);
  out.has_head = false;
  if (class_of(draft).ends_with("TextModel")) return;
  ConfigReader whole = read.outermost(draft.whole_file);
  out.extras.push_back(map_tensor("text_projection", TensorKind::pooler, Count{whole.number({"projection_dim"}, kWide, 512)}, out.hidden_size));
  if (whole.has("vision_config")) out.extras.push_back(vector_tensor("logit_scale", TensorKind::pooler, Count{1}));
}

constexpr Family vit(std::string_view type, std::string_view name) {
  return {.type = type, .name = name, .defaults = {.hidden = 768, .layers = 12, .heads = 12, .mlp = 3072}, .norm = NormKind::layernorm,
          .qkv_bias = {.names = {"qkv_bias"}, .standard = true}, .output_bias = kPresent, .mlp_bias = kPresent, .mlp = MlpKind::plain, .activation = "gelu",
          .build = build_vit};
}

constexpr Family kFamilies[] = {
    vit("vit", "ViT"),
    vit("dinov2", "DINOv2"),
    {.type = "clip", .name = "CLIP", .defaults = {.hidden = 512, .layers = 12, .heads = 8, .mlp = 2048, .vocab = 49408, .context = 77}, .norm = NormKind::layernorm,
     .qkv_bias = kPresent, .output_bias = kPresent, .mlp_bias = kPresent, .tied = true, .mlp = MlpKind::plain, .activation = "quick_gelu", .learned_positions = true,
     .build = build_clip},
};

} // namespace

std::span<const Family> families::image() noexcept { return kFamilies; }

} // namespace plimsoll::io
