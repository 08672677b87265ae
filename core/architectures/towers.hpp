#pragma once
// Towers that see or hear, whose shape a config states exactly, as tensors of kind vision or audio. One function per design.

#include "architectures/steps/steps.hpp"

namespace plimsoll::io::towers {

/// Layers that are alike, of some width, and where their tensors stand.
struct Blocks {
  Layer layer;
  Count width, layers;
  NormKind norm = NormKind::layernorm;
  std::size_t begin = 0, end = 0;
};

struct Tensors : std::vector<Tensor> {
  std::vector<Blocks> blocks;
};

/// `vision` reads vision_config; `text` is the width of the language model.
Tensors siglip(ConfigReader& vision);
Tensors clip(ConfigReader& vision);
Tensors pixtral(ConfigReader& vision);
Tensors mllama(ConfigReader& vision, Count text);
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
Tensors hunyuan_vl(ConfigReader& vision, Count text);
Tensors deep_encoder(ConfigReader& vision, Count text);  ///< SAM before CLIP (DeepSeek-OCR); empty where the file names other parts
Tensors deep_encoder2(ConfigReader& vision, Count text); ///< SAM before layers of Qwen2 (DeepSeek-OCR 2); likewise

/// What hears; `audio` reads audio_config. Whisper's encoder, with its table of positions where that is stored.
Tensors whisper_encoder(ConfigReader& audio, bool stored_positions);
Tensors conformer(ConfigReader& audio, Count text); ///< Gemma 3n
Tensors qwen3_omni_encoder(ConfigReader& audio, Count text);
/// MobileNet-V5 and its projector (Gemma 3n); empty for another network, since a name alone states its size.
Tensors mobilenet(ConfigReader& vision, Count text);

/// Adds `layers` layers like `layer`; every GPU holds all of them.
void add_layers(Tensors& to, Layer layer, Count width, Count layers, NormKind norm);
/// A map with or without a bias.
void add_map(Tensors& to, std::string_view name, Count rows, Count columns, bool bias);

} // namespace plimsoll::io::towers
