// Which tower stands beside which language model, and the projector between them.
#include "architectures/towers.hpp"

#include <algorithm>

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
  } else if (outer == "paligemma") {
    tower = towers::siglip(vision);
    towers::add_map(tower, "multi_modal_projector", Count{vision.number({"projection_dim"}, {1, 16'777'216}, text.value)}, width_of(vision), true);
  } else if (outer == "llama4") {
    tower = towers::llama4(vision, text);
  } else if (is_one_of(outer, {"qwen3_5", "qwen3_5_moe", "qwen3_vl", "qwen3_vl_moe"})) {
    tower = towers::qwen3_vl(vision);
  } else if (outer == "qwen2_vl") {
    tower = towers::qwen2_vl(vision);
  } else if (outer == "qwen2_5_vl") {
    tower = towers::qwen2_5_vl(vision, text);
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
  } else if (outer == "deepseek_vl_v2") {
    tower = towers::deep_encoder(vision, text);
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
  } else if (outer == "internvl_chat" && vision.text({"norm_type"}, "layer_norm") == "layer_norm" && !vision.says({"qk_normalization"}, false)) {
    tower = towers::intern_vit(vision, text);
  }
  return tower;
}

void note_uncounted(ConfigReader& whole, const char* what, const char* name) {
  whole.note(what, std::string{"The "} + name + " is not counted: its shape follows from no rule that is known here.",
             "Add its parameters yourself where they matter; the language model is complete.");
}

} // namespace

void read_towers(ModelBuilder& draft) {
  ConfigReader whole = draft.read.outermost(draft.whole_file);
  if (auto vision = whole.inside("vision_config")) {
    std::vector<Tensor> tower = tower_of(type_of(draft.whole_file), whole, *vision, draft.out.hidden_size);
    if (tower.empty()) note_uncounted(whole, "vision_config", "vision tower");
    draft.out.extras.insert(draft.out.extras.end(), tower.begin(), tower.end());
  }
  if (auto audio = whole.inside("audio_config")) {
    if (type_of(draft.whole_file) != "voxtral") return note_uncounted(whole, "audio_config", "audio tower");
    const std::vector<Tensor> tower = towers::voxtral(*audio, draft.out.hidden_size);
    draft.out.extras.insert(draft.out.extras.end(), tower.begin(), tower.end());
  }
}

} // namespace plimsoll::io
