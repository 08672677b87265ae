#include "files/tensors/assemble.hpp"
#include "files/tensors/ggml_types.hpp"
#include "method/sort_stably.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

bool before_layers(const Tensor& tensor) noexcept { return tensor.kind < TensorKind::attention; }

/// What stands outside layers, alike ones joined: layers of towers and prediction layers are hundreds of alike tensors.
struct Outside {
  Tensor tensor;
  const WeightFormat* format = nullptr; ///< a module's
};

std::vector<Outside> outside_of(const std::vector<FileLayer>& layers) {
  std::vector<Outside> all;
  for (const FileLayer& layer : layers) {
    if (layer.section == Section::layers) continue;
    for (const Module& module : layer.modules) all.push_back({module.tensor, &module.format});
  }
  const auto order = [](const Outside& outside) {
    const Tensor& t = outside.tensor;
    return std::tuple{t.kind, t.name, t.rows, t.columns, t.matrix, std::string_view{outside.format->id}};
  };
  sort_stably(all, {}, order);
  std::vector<Outside> joined;
  for (Outside& next : all) {
    Tensor last = joined.empty() ? Tensor{} : joined.back().tensor;
    last.copies = next.tensor.copies, last.active = next.tensor.active;
    if (!joined.empty() && last == next.tensor && *joined.back().format == *next.format) {
      joined.back().tensor.copies += next.tensor.copies;
      joined.back().tensor.active += next.tensor.active;
    } else {
      joined.push_back(std::move(next));
    }
  }
  return joined;
}

/// The formats in use, each once, with different ids.
class Formats {
public:
  explicit Formats(std::vector<WeightFormat>& formats) : formats_(formats) {}

  std::size_t index_of(const WeightFormat& format) {
    const auto [at, is_new] = known_.emplace(text_of(format), formats_.size());
    if (!is_new) return at->second;
    formats_.push_back(format);
    if (const std::size_t count = ++same_id_[format.id]; count > 1) formats_.back().id += "-" + std::to_string(count);
    return formats_.size() - 1;
  }

private:
  /// All that makes formats differ.
  static std::string text_of(const WeightFormat& format) {
    std::string text = format.id;
    for (const StoredPart& part : format.parts)
      for (const std::int64_t number : {part.rows.value, part.columns.value, part.bytes.value})
        text += ',' + std::to_string(number);
    return text;
  }

  std::vector<WeightFormat>& formats_;
  std::unordered_map<std::string, std::size_t> known_;
  std::unordered_map<std::string, std::size_t> same_id_;
};

/// Numbers equal lists of tensors alike, so that comparing two layers of a file does not compare all their tensors.
class TensorLists {
public:
  std::int64_t number_of(const std::vector<Module>& modules) {
    std::vector<std::size_t>& alike = by_hash_[hash_of(modules)];
    for (const std::size_t index : alike)
      if (std::ranges::equal(*lists_[index], modules, {}, &Module::tensor, &Module::tensor))
        return static_cast<std::int64_t>(index);
    alike.push_back(lists_.size());
    lists_.push_back(&modules);
    return static_cast<std::int64_t>(lists_.size() - 1);
  }

private:
  static std::uint64_t hash_of(const std::vector<Module>& modules) noexcept {
    std::uint64_t hash = modules.size();
    for (const Module& module : modules) {
      const Tensor& t = module.tensor;
      for (const std::int64_t value : {t.rows.value, t.columns.value, t.copies.value, static_cast<std::int64_t>(t.name.size()),
                                       static_cast<std::int64_t>(t.kind)}) {
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
      }
    }
    return hash;
  }

  std::vector<const std::vector<Module>*> lists_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash_;
};

} // namespace

Model assemble_model(std::vector<FileLayer>& layers, Count hidden_size, Count vocab_size) {
  Architecture architecture;
  architecture.hidden_size = max(hidden_size, Count{1});
  architecture.vocab_size = max(vocab_size, Count{1});
  architecture.final_norm = false;
  TensorLists lists;
  for (FileLayer& file_layer : layers) {
    if (file_layer.section != Section::layers) continue;
    Layer& layer = architecture.layers.emplace_back(file_layer.layer);
    // Layers with other tensors make another group.
    layer.extras.push_back({.name = "tensors", .rows = Count{lists.number_of(file_layer.modules)}});
  }
  Model model = make_model(architecture);
  std::size_t number = 0;
  std::vector<const FileLayer*> firsts(model.groups.size());
  for (FileLayer& file_layer : layers) {
    if (file_layer.section != Section::layers) continue;
    file_layer.group = model.pattern[number++];
    if (!firsts[file_layer.group]) firsts[file_layer.group] = &file_layer;
  }

  std::vector<ModelTensor> tensors; // the file's own take the place of those that follow from the layers
  const std::vector<Outside> outside = outside_of(layers);
  for (const Outside& part : outside)
    if (before_layers(part.tensor)) tensors.push_back({part.tensor});
  for (std::size_t i = 0; i < model.groups.size(); ++i) {
    model.groups[i].extras.clear();
    for (const Module& module : firsts[i]->modules) tensors.push_back({module.tensor, i, model.groups[i].layers});
  }
  for (const Outside& part : outside)
    if (!before_layers(part.tensor)) tensors.push_back({part.tensor});
  model.tensors = ModelTensors{std::move(tensors)};
  return model;
}

namespace {

StoredTensor stored(std::size_t index, const Tensor& tensor, std::size_t format) {
  return {.tensor = index,
          .layers = Count{1},
          .copies = tensor.copies,
          .rows = tensor.rows,
          .columns = tensor.columns,
          .format = format};
}

} // namespace

bool assemble_weights(const Model& model, const std::vector<FileLayer>& layers, StoredWeights& weights) {
  bool exact = true;
  Formats formats{weights.formats};
  const std::vector<Outside> outside = outside_of(layers);
  // The layers of a group have the same tensors in the same order.
  std::vector<std::vector<const FileLayer*>> members(model.groups.size());
  for (const FileLayer& layer : layers) {
    if (layer.section == Section::layers) members[layer.group].push_back(&layer);
    for (const Module& module : layer.modules)
      exact =
          exact && module.tensor.copies * stored_bytes(module.format, module.tensor.rows, module.tensor.columns) == module.bytes;
  }
  std::size_t next_outside = 0, place = 0;
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const ModelTensor& tensor = model.tensors[i];
    if (tensor.group == ModelTensor::kNoGroup) {
      weights.tensors.push_back(stored(i, tensor.tensor, formats.index_of(*outside[next_outside++].format)));
      continue;
    }
    place = i > 0 && model.tensors[i - 1].group == tensor.group ? place + 1 : 0;
    const std::size_t first = weights.tensors.size();
    for (const FileLayer* layer : members[tensor.group]) {
      const std::size_t format = formats.index_of(layer->modules[place].format);
      const auto begin = weights.tensors.begin() + static_cast<std::ptrdiff_t>(first);
      const auto at =
          std::find_if(begin, weights.tensors.end(), [&](const StoredTensor& known) { return known.format == format; });
      if (at == weights.tensors.end()) weights.tensors.push_back(stored(i, tensor.tensor, format));
      else at->layers += Count{1};
    }
  }
  return exact;
}

namespace {

/// The id of a type of ggml. Of safetensors "unquantised", whose numbers engines turn into the model's own, or "" for what is quantised; nothing for
/// vectors, which no quantisation takes.
std::optional<std::string> format_in_catalogue(const Module& module, bool gguf) {
  if (!gguf) return module.tensor.matrix ? std::optional{is_plain(module.format) ? std::string{"unquantised"} : std::string{}} : std::nullopt;
  const GgmlType* const type = find_ggml_type(std::string_view{module.format.name});
  return type != nullptr ? std::optional{format_of(*type)} : std::nullopt;
}

} // namespace

std::vector<TensorFormat> tensor_formats(const std::vector<FileLayer>& layers, bool gguf) {
  std::unordered_map<std::string, std::size_t> known; // by kind, name and format
  std::vector<TensorFormat> formats;
  std::uint16_t number = 0;
  for (const FileLayer& layer : layers) {
    if (layer.section != Section::outside && layer.section != Section::layers) continue;
    for (const Module& module : layer.modules) {
      const std::optional<std::string> format = in_language_model(module.tensor.kind) ? format_in_catalogue(module, gguf) : std::nullopt;
      if (!format) continue;
      std::string key = *format + ' ' + std::to_string(static_cast<int>(module.tensor.kind)) + ' ';
      key += module.tensor.name;
      const auto [at, is_new] = known.emplace(std::move(key), formats.size());
      if (is_new) formats.push_back({module.tensor.kind, std::string{module.tensor.name}, {}, *format});
      std::vector<std::uint16_t>& of = formats[at->second].layers;
      if (layer.section == Section::layers && (of.empty() || of.back() != number)) of.push_back(number);
    }
    if (layer.section == Section::layers) ++number;
  }
  return formats;
}

} // namespace plimsoll::io::tensor_files
