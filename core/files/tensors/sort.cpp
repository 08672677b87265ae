#include "files/tensors/modules.hpp"

#include "method/sort_stably.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

/// Experts are alike when module, part, dtype and shape are.
std::string likeness(const TensorName& name, const FileTensor& tensor) {
  std::string key = name.module;
  key += '\n';
  key += name.part;
  key += '\n';
  key += tensor.dtype;
  for (const std::int64_t size : tensor.shape) {
    key += '\n';
    key += std::to_string(size);
  }
  return key;
}

} // namespace

std::vector<LayerParts> sort_into_layers(const TensorFile& file) {
  struct Place {
    std::string_view stack;
    std::int64_t layer;
    std::size_t tensor;
  };
  std::vector<Place> places;
  std::vector<TensorName> names;
  places.reserve(file.tensors.size());
  names.reserve(file.tensors.size());
  for (std::size_t i = 0; i < file.tensors.size(); ++i) {
    names.push_back(parse_name(file.tensors[i].name));
    places.push_back({names.back().stack, names.back().layer, i});
  }
  sort_stably(places, {}, [](const Place& place) { return std::tuple{place.layer >= 0, place.stack, place.layer}; });

  std::vector<LayerParts> layers;
  std::unordered_map<std::string, std::size_t> experts;
  for (const Place& place : places) {
    if (layers.empty() || layers.back().number != place.layer || layers.back().stack != place.stack) {
      layers.push_back({place.stack, place.layer, {}});
      experts.clear();
    }
    std::vector<Part>& parts = layers.back().parts;
    TensorName& name = names[place.tensor];
    const FileTensor& tensor = file.tensors[place.tensor];
    if (name.expert) {
      const auto [at, is_new] = experts.emplace(likeness(name, tensor), parts.size());
      if (!is_new) {
        ++parts[at->second].count;
        continue;
      }
    }
    parts.push_back({std::move(name.module), std::string{name.part}, &tensor, 1, name.expert});
  }
  return layers;
}

} // namespace plimsoll::io::tensor_files
