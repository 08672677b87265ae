#pragma once
// Towers that see or hear, whose shape a config states exactly, as tensors of kind vision or audio. One function per design.

#include "architectures/steps/steps.hpp"

namespace plimsoll::io::towers {

using Tensors = std::vector<Tensor>;

/// `vision` reads vision_config; `text` is the width of the language model.
Tensors siglip(ConfigReader& vision);
Tensors clip(ConfigReader& vision);
Tensors pixtral(ConfigReader& vision);
Tensors llama4(ConfigReader& vision, Count text);
Tensors qwen2_vl(ConfigReader& vision);
Tensors qwen2_5_vl(ConfigReader& vision, Count text);
Tensors qwen3_vl(ConfigReader& vision);
Tensors gemma4(ConfigReader& vision, Count text);
Tensors moonvit(ConfigReader& vision, Count text);
Tensors intern_vit(ConfigReader& vision, Count text);
Tensors siglip2(ConfigReader& vision);
Tensors glm_ocr(ConfigReader& vision, Count text);
Tensors paddleocr(ConfigReader& vision, Count text);
Tensors minicpm_v(ConfigReader& vision, Count text);
Tensors muse_glimmer(ConfigReader& vision);
Tensors deep_encoder(ConfigReader& vision, Count text); ///< SAM before CLIP (DeepSeek-OCR); empty where the file names other parts

/// `audio` reads audio_config; tensors of kind audio.
Tensors voxtral(ConfigReader& audio, Count text);

/// A map with or without a bias.
void add_map(Tensors& to, std::string_view name, Count rows, Count columns, bool bias);

} // namespace plimsoll::io::towers
