// Which tower stands beside which language model, and the projector between them.
#include "architectures/towers.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace plimsoll::io {

namespace {

using towers::Tensors;

std::string type_of(const Json& object) {
  const auto at = object.find("model_type");
  return at != object.end() && at->is_string() ? at->get<std::string>() : std::string{};
}

bool is_one_of(const std::string& type, NameList types) {
  return std::ranges::any_of(types, [&](const char* other) { return type == other; });
}

/// Two maps to the language model's width (LLaVA).
void add_llava_projector(Tensors& to, Count vision, Count text) {
  towers::add_map(to, "projector.linear_1", text, vision, true);
  towers::add_map(to, "projector.linear_2", text, text, true);
}

Count width_of(ConfigReader& vision, std::int64_t standard = 768) { return Count{vision.number({"hidden_size"}, {1, 16'777'216}, standard)}; }

/// Empty where no exact rule is known.
Tensors tower_of(const std::string& outer, ConfigReader& whole, ConfigReader& vision, Count text) {
  const std::string inner = vision.text({"model_type"}, "");
  Tensors tower;
  if (outer == "gemma3") {
    tower = towers::siglip(vision);
    const Count width = width_of(vision);
    towers::add_map(tower, "mm_input_projection", width, text, false);
    tower.push_back(vector_tensor("mm_soft_emb_norm", TensorKind::vision, width));
  } else if (outer == "clip") {
    tower = towers::clip(vision);
    towers::add_map(tower, "visual_projection", Count{whole.number({"projection_dim"}, {1, 16'777'216}, 512)}, width_of(vision), false);
  } else if (outer == "paligemma") {
    tower = towers::siglip(vision);
    towers::add_map(tower, "multi_modal_projector", Count{vision.number({"projection_dim"}, {1, 16'777'216}, text.value)}, width_of(vision), true);
  } else if (outer == "mllama") {
    tower = towers::mllama(vision, text);
  } else if (is_one_of(outer, {"smolvlm", "idefics3"})) {
    tower = towers::siglip(vision);
    const Count factor{whole.number({"scale_factor"}, {1, 64}, 2)};
    towers::add_map(tower, "connector.modality_projection", text, factor * (factor * width_of(vision, 1152)), false);
  } else if (outer == "llama4") {
    tower = towers::llama4(vision, text);
  } else if (is_one_of(outer, {"qwen3_5", "qwen3_5_moe", "qwen3_vl", "qwen3_vl_moe", "qwen3_omni_moe_thinker"})) {
    tower = towers::qwen3_vl(vision);
  } else if (outer == "qwen2_vl") {
    tower = towers::qwen2_vl(vision);
  } else if (is_one_of(outer, {"qwen2_5_vl", "qwen2_5_omni_thinker"})) {
    tower = towers::qwen2_5_vl(vision, text);
  } else if (outer == "gemma3n") {
    tower = towers::mobilenet(vision, text);
  } else if (outer == "gemma4") {
    tower = towers::gemma4(vision, text);
  } else if (outer == "kimi_k25") {
    tower = towers::moonvit(vision, text);
  } else if (outer == "glm_ocr") {
    tower = towers::glm_ocr(vision, text);
  } else if (outer == "paddleocr_vl") {
    tower = towers::paddleocr(vision, text);
  } else if (outer == "minicpmv4_6") {
    tower = towers::minicpm_v(vision, text);
  } else if (is_one_of(outer, {"deepseek_vl_v2", "unlimited-ocr"})) {
    tower = towers::deep_encoder(vision, text);
  } else if (outer == "deepseek_ocr2") {
    tower = towers::deep_encoder2(vision, text);
  } else if (outer == "hunyuan_vl") {
    tower = towers::hunyuan_vl(vision, text);
  } else if (outer == "muse_glimmer") {
    tower = towers::muse_glimmer(vision);
    const Range sizes{1, 16'777'216};
    const Count joined{whole.number({"out_hidden_size"}, sizes, 6144)}, width{whole.number({"projector_hidden_size"}, sizes, 4096)};
    towers::add_map(tower, "vision_adapter.fc1", width, joined, false);
    towers::add_map(tower, "vision_adapter.fc2", width, width, false);
    towers::add_map(tower, "vision_projection", text, width, false);
  } else if (outer == "lfm2_vl" && inner == "siglip2_vision_model") {
    tower = towers::siglip2(vision);
    const Count factor{whole.number({"downsample_factor"}, {1, 64}, 2)}, joined = factor * (factor * width_of(vision));
    const Count width{whole.number({"projector_hidden_size"}, {1, 16'777'216}, 2560)};
    if (whole.says({"projector_use_layernorm"}, true)) tower.push_back(vector_tensor("projector.layer_norm", TensorKind::vision, joined, Count{2}));
    towers::add_map(tower, "projector.linear_1", width, joined, whole.says({"projector_bias"}, true));
    towers::add_map(tower, "projector.linear_2", text, width, whole.says({"projector_bias"}, true));
  } else if (outer == "mistral3") {
    tower = towers::pixtral(vision);
    const Count width = width_of(vision, 1024), merge{whole.number({"spatial_merge_size"}, {1, 64}, 2)};
    tower.push_back(vector_tensor("projector.norm", TensorKind::vision, width));
    towers::add_map(tower, "projector.merging_layer", width, merge * (merge * width), false);
    towers::add_map(tower, "projector.linear_1", text, width, false);
    towers::add_map(tower, "projector.linear_2", text, text, false);
  } else if (is_one_of(outer, {"llava", "llava_next"}) && is_one_of(inner, {"clip_vision_model", "siglip_vision_model", "pixtral"})) {
    tower = inner == "clip_vision_model" ? towers::clip(vision) : inner == "pixtral" ? towers::pixtral(vision) : towers::siglip(vision);
    add_llava_projector(tower, width_of(vision, inner == "pixtral" ? 1024 : 768), text);
    if (outer == "llava_next") tower.push_back(vector_tensor("image_newline", TensorKind::vision, text));
  } else if (is_one_of(outer, {"internvl_chat", "interns1"})) {
    tower = towers::intern_vit(vision, text);
  }
  return tower;
}

/// As a model of its own, where all its layers have one width.
std::optional<Architecture> architecture_of(const Tensors& tower) {
  if (tower.blocks.empty()) return std::nullopt;
  Architecture alone;
  alone.name = "tower";
  alone.hidden_size = tower.blocks.front().width;
  alone.norm = tower.blocks.front().norm;
  alone.vocab_size = Count{0};
  alone.has_embedding = alone.has_head = alone.final_norm = false;
  std::size_t at = 0;
  const auto outside = [&](std::size_t end) {
    for (; at < end; ++at) {
      alone.extras.push_back(tower[at]);
      alone.extras.back().kind = TensorKind::pooler;
    }
  };
  for (const towers::Blocks& blocks : tower.blocks) {
    if (blocks.width != alone.hidden_size) return std::nullopt;
    outside(blocks.begin);
    at = blocks.end;
    alone.layers.insert(alone.layers.end(), static_cast<std::size_t>(blocks.layers.value), blocks.layer);
  }
  outside(tower.size());
  return alone;
}

/// What the processor of that kind of file makes of an image. Bounds that stand in preprocessor_config.json are those of the published models.
void read_rule(TowerInput& tower, const std::string& outer, ConfigReader& whole, ConfigReader& vision) {
  const Range sizes{1, 1'000'000};
  const std::string inner = vision.text({"model_type"}, "");
  const Count patch{vision.number({"patch_size"}, {1, 4096}, outer == "mistral3" || inner == "pixtral" ? 16 : 14)};
  const auto square = [&](std::int64_t standard) {
    const std::int64_t side = vision.number({"image_size"}, sizes, standard) / patch.value;
    return Count{side * side};
  };
  if (is_one_of(outer, {"qwen2_vl", "qwen2_5_vl", "qwen2_5_omni_thinker", "qwen3_vl", "qwen3_vl_moe", "qwen3_omni_moe_thinker", "qwen3_5", "qwen3_5_moe"})) {
    const bool third = outer.starts_with("qwen3");
    const Count merge{vision.number({"spatial_merge_size"}, {1, 64}, 2)};
    tower.rule = TokenRule::grid;
    tower.side = Count{vision.number({"patch_size"}, {1, 4096}, third ? 16 : 14)} * merge;
    tower.join = merge * merge;
    tower.frames = Count{vision.number({"temporal_patch_size"}, {1, 64}, 2)};
    tower.least = third ? Count{65'536} : Count{3'136}; // 256 x 256; 56 x 56
    tower.most = third ? Count{16'777'216} : Count{12'845'056}; // 4096 x 4096; 16,384 x 28 x 28
  } else if (outer == "gemma4") { // models/gemma4/image_processing_gemma4.py, video_processing_gemma4.py
    const Count pool{vision.number({"pooling_kernel_size"}, {1, 64}, 3)};
    tower.rule = TokenRule::area;
    tower.side = Count{vision.number({"patch_size"}, {1, 4096}, 16)} * pool;
    tower.join = pool * pool;
    tower.most = Count{whole.number({"vision_soft_tokens_per_image"}, sizes, 280)} * (tower.side * tower.side);
    tower.frame_most = Count{70} * (tower.side * tower.side); // of a video, whose frames its own processor makes smaller
  } else if (outer == "gemma3") {
    tower.rule = TokenRule::fixed;
    tower.patches = square(896);
    tower.join = max(ceil_div(tower.patches, Count{whole.number({"mm_tokens_per_image"}, sizes, 256)}), Count{1});
  } else if (outer == "paligemma" || (outer == "llava" && inner != "pixtral")) {
    tower.rule = TokenRule::fixed;
    tower.patches = square(inner == "clip_vision_model" ? 336 : 224);
  } else if (outer == "clip") {
    tower.rule = TokenRule::fixed;
    tower.patches = tower.join = square(224); // one vector comes of it
  } else if (outer == "mistral3" || (outer == "llava" && inner == "pixtral")) {
    const Count merge{outer == "mistral3" ? whole.number({"spatial_merge_size"}, {1, 64}, 2) : 1};
    tower.rule = TokenRule::rows;
    tower.side = patch * merge;
    tower.join = merge * merge;
    tower.most = Count{vision.number({"image_size"}, sizes, outer == "mistral3" ? 1540 : 1024)};
  } else if (is_one_of(outer, {"internvl_chat", "interns1"})) {
    tower.rule = TokenRule::tiles;
    tower.side = Count{whole.number({"force_image_size"}, sizes, vision.number({"image_size"}, sizes, 448))};
    const Count across{tower.side.value / patch.value};
    tower.patches = across * across;
    tower.join = Count{4}; // downsample_ratio 0.5 along both sides
    tower.most = Count{whole.number({"max_dynamic_patch"}, {1, 64}, 12)};
  }
}

void keep(ModelBuilder& draft, Tensors tensors, const TowerInput& tower) {
  for (Tensor& tensor : tensors) tensor.kind = tower.kind;
  draft.out.extras.insert(draft.out.extras.end(), tensors.begin(), tensors.end());
  if (auto architecture = architecture_of(tensors)) draft.out.towers.push_back({tower, std::move(*architecture)});
}

/// Empty where no exact rule is known.
Tensors audio_tower_of(const std::string& outer, ConfigReader& audio, Count text, TowerInput& tower) {
  const Count width{audio.number({"d_model", "hidden_size"}, {1, 16'777'216}, 1280)};
  Tensors tensors;
  tower.rule = TokenRule::seconds;
  tower.patches = Count{50}; // vectors of Whisper's encoder in a second
  if (outer == "qwen2_audio") {
    tensors = towers::whisper_encoder(audio, true);
    towers::add_map(tensors, "multi_modal_projector", text, width, true);
    tower.join = Count{2};
  } else if (outer == "qwen2_5_omni_thinker") {
    tensors = towers::whisper_encoder(audio, false);
    const Count out{audio.number({"output_dim"}, {1, 16'777'216}, text.value)};
    towers::add_map(tensors, "proj", out, width, true);
    tensors.push_back(map_tensor("audio_bos_eos_token", TensorKind::audio, Count{2}, out));
    tower.join = Count{2};
  } else if (outer == "voxtral") {
    tensors = towers::whisper_encoder(audio, true);
    towers::add_map(tensors, "projector.linear_1", text, Count{audio.number({"intermediate_size"}, {1, 16'777'216}, 5120)}, false);
    towers::add_map(tensors, "projector.linear_2", text, text, false);
    tower.join = Count{4};
    tower.least = Count{30}; // every sound is filled up to whole pieces of 30 seconds
  } else if (outer == "qwen3_omni_moe_thinker") {
    tensors = towers::qwen3_omni_encoder(audio, text);
    tower.patches = Count{13}; // of a hundred frames, a second
  } else if (outer == "gemma3n") {
    tensors = towers::conformer(audio, text);
  }
  return tensors;
}

void note_uncounted(ConfigReader& whole, const char* what, const char* name) {
  whole.note(what, std::string{"The "} + name + " is not counted: its shape follows from no rule that is known here.",
             "Add its parameters yourself where they matter; the language model is complete.");
}

} // namespace

void read_towers(ModelBuilder& draft) {
  ConfigReader file = draft.read.outermost(draft.whole_file);
  const auto thinker = draft.whole_file.find("thinker_config"); // Omni: what sees, hears and thinks stands inside
  const bool inside = thinker != draft.whole_file.end() && thinker->is_object();
  const std::string outer = type_of(inside ? *thinker : draft.whole_file);
  ConfigReader whole = inside ? file.at(*thinker, "thinker_config") : file;
  if (auto vision = whole.inside("vision_config")) {
    Tensors tensors = tower_of(outer, whole, *vision, draft.out.hidden_size);
    if (tensors.empty()) note_uncounted(whole, "vision_config", "vision tower");
    TowerInput tower{.kind = TensorKind::vision};
    if (!tensors.empty()) read_rule(tower, outer, whole, *vision);
    keep(draft, std::move(tensors), tower);
  }
  if (auto audio = whole.inside("audio_config")) {
    TowerInput tower{.kind = TensorKind::audio};
    Tensors tensors = audio_tower_of(outer, *audio, draft.out.hidden_size, tower);
    if (tensors.empty()) note_uncounted(whole, "audio_config", "audio tower");
    keep(draft, std::move(tensors), tower);
  }
}

} // namespace plimsoll::io
