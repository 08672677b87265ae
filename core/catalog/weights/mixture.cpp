#include "catalog/weights/mixture.hpp"

#include "catalog/weights/kind_names.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostRules = 4096;
constexpr std::int64_t kMostLayers = 4096; // of a file

/// Ids of ggml's and ik_llama.cpp's formats are written without what stands before them.
constexpr std::string_view kFamilies[] = {"", "ggml_", "ik_"};

const WeightFormat* format_named(std::string_view name, const WeightScheme& scheme, const FormatsById& formats) {
  if (const auto own = std::ranges::find(scheme.formats, name, &WeightFormat::id); own != scheme.formats.end()) return &*own;
  for (const std::string_view family : kFamilies)
    if (const auto at = formats.find(std::string{family} += name); at != formats.end()) return &at->second;
  return nullptr;
}

std::string_view short_name(std::string_view id) {
  for (const std::string_view family : kFamilies)
    if (!family.empty() && id.starts_with(family)) return id.substr(family.size());
  return id;
}

/// The text up to the separator, which is taken off with it.
std::string_view next(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

/// "0-3.7" = {0, 1, 2, 3, 7}; empty where it is no such list.
std::vector<std::uint16_t> layers_in(std::string_view text) {
  std::vector<std::uint16_t> layers;
  while (!text.empty()) {
    std::string_view range = next(text, '.');
    const auto first = whole_number(next(range, '-'));
    const auto last = range.empty() ? first : whole_number(range);
    if (!first || !last || *first < 0 || *last < *first || *last >= kMostLayers || (!layers.empty() && *first <= layers.back())) return {};
    for (std::int64_t i = *first; i <= *last; ++i) layers.push_back(static_cast<std::uint16_t>(i));
  }
  return layers;
}

std::string text_of_layers(const std::vector<std::uint16_t>& layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t last = i;
    while (last + 1 < layers.size() && layers[last + 1] == layers[last] + 1) ++last;
    text += (text.empty() ? "" : ".") + std::to_string(layers[i]);
    if (last > i) text += "-" + std::to_string(layers[last]);
    i = last + 1;
  }
  return text;
}

std::size_t index_of(std::vector<WeightFormat>& formats, const WeightFormat& format) {
  const auto at = std::ranges::find(formats, format.id, &WeightFormat::id);
  if (at == formats.end()) formats.push_back(format);
  return static_cast<std::size_t>(std::ranges::find(formats, format.id, &WeightFormat::id) - formats.begin());
}

/// "experts.down_proj" is the kind and the name, "down_proj" the name alone.
void name_tensor(WeightRule& rule, std::string_view tensor) {
  const std::size_t dot = tensor.find('.');
  const auto kind = dot != tensor.npos ? kind_named(tensor.substr(0, dot)) : std::nullopt;
  if (kind) {
    rule.kinds = bit_of(*kind);
    tensor.remove_prefix(dot + 1);
  }
  rule.names.emplace_back(tensor);
}

/// Files of llama.cpp hold these apart, and the model has them as one: its larger part stands for it.
std::string_view joined_name(std::string_view name) { return name == "in_proj_qkv" ? std::string_view{"in_proj_qkvz"} : name; }

/// The layouts of one tensor.
using Layouts = std::vector<const TensorFormat*>;

std::int64_t count_of(const TensorFormat& layout) { return std::max<std::int64_t>(1, std::ssize(layout.layers)); } // one outside layers

/// Whether the scheme stores as many layers of that tensor in the same formats.
bool is_usual(const Model& model, const StoredWeights& usual, std::string_view name, const Layouts& layouts) {
  std::vector<std::int64_t> left;
  for (const TensorFormat* layout : layouts) left.push_back(count_of(*layout));
  for (const StoredTensor& stored : usual.tensors) {
    const Tensor& tensor = model.tensors[stored.tensor].tensor;
    if (tensor.kind != layouts.front()->kind || tensor.name != name) continue;
    std::size_t at = 0;
    while (at < layouts.size() && layouts[at]->format != usual.formats[stored.format].id) ++at;
    if (at == layouts.size()) return false;
    left[at] -= stored.layers.value;
  }
  return std::ranges::all_of(left, [](std::int64_t layers) { return layers == 0; });
}

} // namespace

bool state_tensors(WeightScheme& scheme, std::string_view list, const FormatsById& formats) {
  std::vector<WeightRule> rules;
  const std::string whole = std::string{kStatedTensors} += list;
  while (!list.empty()) {
    std::string_view entry = next(list, kStatedTensors);
    const std::string_view tensor = next(entry, ':');
    const bool listed = entry.find(':') != entry.npos;
    WeightRule rule;
    if (listed) {
      rule.layers = LayerSet::listed;
      rule.layer_list = layers_in(next(entry, ':'));
      if (rule.layer_list.empty()) return false;
    }
    const WeightFormat* const known = format_named(entry, scheme, formats);
    const std::optional<WeightFormat> format = known != nullptr ? std::optional{*known} : std::nullopt; // a copy: the scheme's own list grows
    if (tensor.empty() || !format || rules.size() == kMostRules) return false;
    name_tensor(rule, tensor);
    rule.format = index_of(scheme.formats, *format);
    rules.push_back(std::move(rule));
  }
  if (rules.empty()) return false;
  scheme.id += whole;
  scheme.stated = rules.size();
  for (WeightRule& rule : scheme.rules) rules.push_back(std::move(rule));
  scheme.rules = std::move(rules);
  return true;
}

std::string stated_tensors(const Model& model, const WeightScheme& scheme, std::span<const TensorFormat> stored) {
  const StoredWeights usual = store(model, scheme);
  std::vector<std::string_view> names; // in the model
  for (const TensorFormat& one : stored) {
    const bool has_it = std::ranges::any_of(model.tensors, [&](const ModelTensor& of) { return of.tensor.kind == one.kind && of.tensor.name == one.name; });
    names.push_back(has_it ? std::string_view{one.name} : joined_name(one.name));
  }
  std::string text;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const std::string_view name = names[i];
    Layouts layouts;
    bool is_first = true, one_kind = !kind_named(name.substr(0, name.find('.')));
    for (std::size_t j = 0; j < stored.size(); ++j) {
      if (names[j] != name) continue;
      one_kind = one_kind && stored[j].kind == stored[i].kind;
      if (stored[j].kind != stored[i].kind) continue;
      is_first = is_first && j >= i;
      layouts.push_back(&stored[j]);
      if (count_of(*layouts.front()) < count_of(stored[j])) std::swap(layouts.front(), layouts.back());
    }
    WeightRule rule;
    rule.kinds = bit_of(stored[i].kind);
    rule.names.emplace_back(name);
    if (!is_first || is_usual(model, usual, name, layouts) || !takes_some(model, scheme, rule)) continue;
    const std::string said = kStatedTensors + (one_kind ? "" : std::string{kKindNames[static_cast<std::size_t>(stored[i].kind)]} + ".") + std::string{name} + ":";
    for (std::size_t k = 1; k < layouts.size(); ++k) text += said + text_of_layers(layouts[k]->layers) + ":" + std::string{short_name(layouts[k]->format)};
    text += said + std::string{short_name(layouts.front()->format)}; // that of most layers needs no list
  }
  return text;
}

} // namespace plimsoll::io
