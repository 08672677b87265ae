#include "files/tensors/assemble.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::size_t kMostRows = 2048; ///< per group; further ones are added up in one row

class GroupLister {
public:
  explicit GroupLister(TensorGroup& group) : group_(group) {}

  void add(const FileLayer& layer, bool in_layers) {
    for (const Module& module : layer.modules) group_.parameters += elements(module.tensor);
    for (const Part& part : layer.parts->parts) add(part, in_layers);
  }

private:
  void add(const Part& part, bool in_layers) {
    TensorRow& row = row_of(part);
    const Count count{part.count};
    row.tensors += count;
    if (in_layers) row.layers += Count{1};
    row.elements += count * part.tensor->elements;
    row.bytes += count * part.tensor->bytes;
    group_.bytes += count * part.tensor->bytes;
  }

  TensorRow& row_of(const Part& part) {
    std::string name = part.module;
    if (!part.part.empty()) name += '.', name += part.part;
    std::string key = name;
    key += '\n';
    key += part.tensor->dtype;
    for (const std::int64_t size : part.tensor->shape) key += '\n', key += std::to_string(size);
    if (group_.rows.size() >= kMostRows && !known_.contains(key)) {
      if (!overflowed_) group_.rows.push_back({.name = "…"});
      overflowed_ = true;
      return group_.rows.back();
    }
    const auto [at, is_new] = known_.emplace(std::move(key), group_.rows.size());
    if (is_new) group_.rows.push_back({.name = std::move(name), .dtype = part.tensor->dtype, .shape = part.tensor->shape});
    return group_.rows[at->second];
  }

  TensorGroup& group_;
  bool overflowed_ = false;
  std::unordered_map<std::string, std::size_t> known_;
};

struct SectionName {
  Section section;
  const char* id;
  const char* label;
};
constexpr std::array<SectionName, 4> kSections = {{{Section::outside, "outside_layers", "outside layers"},
                                                   {Section::prediction, "prediction", "prediction layers"},
                                                   {Section::vision, "vision", "vision tower"},
                                                   {Section::audio, "audio", "audio tower"}}};

} // namespace

std::vector<TensorGroup> list_groups(const std::vector<FileLayer>& layers, const Model& model) {
  std::vector<TensorGroup> groups;
  groups.reserve(model.groups.size() + kSections.size()); // listers keep references
  std::vector<GroupLister> listers;
  for (const LayerGroup& group : model.groups) {
    groups.push_back({.id = group.id.empty() ? "layers" : group.id,
                      .label = group.label.empty() ? "layers" : group.label,
                      .layers = group.layers});
    listers.emplace_back(groups.back());
  }
  for (const FileLayer& layer : layers)
    if (layer.section == Section::layers) listers[layer.group].add(layer, true);
  for (const SectionName& section : kSections) {
    groups.push_back({.id = section.id, .label = section.label});
    GroupLister lister{groups.back()};
    for (const FileLayer& layer : layers) {
      if (layer.section != section.section) continue;
      lister.add(layer, section.section != Section::outside);
      if (section.section != Section::outside) groups.back().layers += Count{1};
    }
    if (groups.back().rows.empty()) groups.pop_back();
  }
  return groups;
}

} // namespace plimsoll::io::tensor_files
