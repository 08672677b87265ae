#include "files/tensors/assemble.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>
#include <tuple>

namespace plimsoll::io::tensor_files {

namespace {

Section section_of(const LayerParts& parts) {
  if (parts.number < 0) return Section::outside;
  switch (stack_kind(parts.stack)) {
    case TensorKind::vision: return Section::vision;
    case TensorKind::audio: return Section::audio;
    case TensorKind::prediction: return Section::prediction;
    default: break;
  }
  // A prediction layer numbered like the others: it joins the embedding of the next token with the state (DeepSeek-V3,
  // section 2.2).
  for (const Part& part : parts.parts)
    if (part.module.ends_with("eh_proj")) return Section::prediction;
  return Section::layers;
}

bool is_encoder(std::string_view stack) noexcept { return has_component(stack, "encoder") || has_component(stack, "enc"); }
bool is_decoder(std::string_view stack) noexcept { return has_component(stack, "decoder") || has_component(stack, "dec"); }

/// Attention over an encoder's output has the widths of its own key matrix, which stand for one head as everywhere.
Attention cross_from(std::vector<Module> modules, Count hidden_size) {
  std::erase_if(modules, [](const Module& module) { return !is_cross(module); });
  if (modules.empty()) return {};
  for (Module& module : modules) module.path = {}; // so that they count as self attention
  Unknowns ignored;
  return layer_from_shapes(modules, hidden_size, ignored).attention;
}

} // namespace

std::vector<FileLayer> read_layers(const std::vector<LayerParts>& parts, Packing& packing, const GgufFacts* gguf,
                                   Unknowns& unknowns, Report& report) {
  std::vector<FileLayer> layers;
  layers.reserve(parts.size());
  std::size_t model_layers = 0;
  bool has_decoder = false;
  for (const LayerParts& part : parts) {
    layers.push_back({.parts = &part, .section = section_of(part)});
    if (layers.back().section != Section::layers) continue;
    ++model_layers;
    has_decoder = has_decoder || is_decoder(part.stack);
  }
  const Count hidden{packing.hidden_size};
  for (FileLayer& file_layer : layers) {
    file_layer.modules = modules_of(*file_layer.parts, packing);
    sort_stably(file_layer.modules, {}, [](const Module& module) {
      return std::tuple{module.tensor.kind, module.path};
    });
    if (file_layer.section != Section::layers) {
      for (Module& module : file_layer.modules) {
        if (file_layer.section == Section::prediction) module.tensor.kind = TensorKind::prediction;
        module.tensor.active = module.tensor.copies;
      }
      if (file_layer.section == Section::outside) cut_tensors(file_layer.modules, {});
      continue;
    }
    Unknowns own;
    Layer& layer = file_layer.layer;
    const std::string_view stack = file_layer.parts->stack;
    layer = layer_from_shapes(file_layer.modules, hidden, own);
    layer.cross = cross_from(file_layer.modules, hidden);
    layer.encoder = has_decoder && is_encoder(stack);
    const auto bidirectional = [](const Module& module) { return module.path.starts_with("attention.self."); }; // BERT
    layer.attention.caches = !layer.encoder && !std::ranges::any_of(file_layer.modules, bidirectional);
    if (gguf)
      gguf->complete(layer, file_layer.modules, static_cast<std::size_t>(file_layer.parts->number), model_layers, hidden, own,
                     report);
    cut_tensors(file_layer.modules, layer);
    unknowns.heads = unknowns.heads || own.heads;
    unknowns.experts_used = unknowns.experts_used || own.experts_used;
    unknowns.recurrence = unknowns.recurrence || own.recurrence;
  }
  return layers;
}

} // namespace plimsoll::io::tensor_files
