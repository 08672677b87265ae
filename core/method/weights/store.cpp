// Rules meet tensors. What a rule asks of the model and of the tensor is answered once; only what it asks of the layer is asked
// for every layer.
#include "plimsoll/method/weight_scheme.hpp"

#include <algorithm>
#include <span>

namespace plimsoll {

namespace {

bool agrees(Presence wanted, bool is) noexcept { return wanted == Presence::any || (wanted == Presence::yes) == is; }

bool takes_tensor(const WeightRule& rule, const Tensor& tensor) {
  return (rule.kinds == 0 || (rule.kinds & bit_of(tensor.kind)) != 0) &&
         (rule.names.empty() || std::ranges::find(rule.names, tensor.name) != rule.names.end()) &&
         agrees(rule.matrix, tensor.matrix) &&
         (rule.columns_not_multiple_of <= Count{0} || tensor.columns.value % rule.columns_not_multiple_of.value != 0);
}

bool in_set(const WeightRule& rule, std::int64_t i, std::int64_t n) {
  const bool middle = i >= n / 8 && i < 7 * n / 8;
  switch (rule.layers) {
    case LayerSet::all: return true;
    case LayerSet::first: return i < rule.first_layers.value;
    case LayerSet::ends: return i == 0 || i + 1 == n;
    case LayerSet::first_sixteenth: return i < n / 16;
    case LayerSet::first_eighth: return i < n / 8;
    case LayerSet::middle: return middle;
    case LayerSet::more_bits: return !middle || (i - n / 8) % 3 == 2;
    case LayerSet::listed: return std::ranges::binary_search(rule.layer_list, i, {}, [](auto layer) { return std::int64_t{layer}; });
  }
  return false;
}

/// The tensors and places of a model, as rules ask about them.
class Places {
public:
  explicit Places(const Model& model) : model_(model) {
    for (const LayerGroup& group : model.groups) experts_ = max(experts_, group.moe.experts);
  }

  bool suits_model(const WeightRule& rule, const LayerGroup* group) const {
    if (rule.layer_count > Count{0} && rule.layer_count.value != std::int64_t(model_.pattern.size())) return false;
    if (rule.experts > Count{0} && rule.experts != experts_) return false;
    if (experts_ < rule.experts_at_least) return false;
    if (!agrees(rule.tied, model_.tied_embeddings || !model_.has_head)) return false;
    if (!agrees(rule.fused, group != nullptr && group->fused_projections)) return false;
    if (rule.gqa_at_least <= Count{0}) return true;
    return group != nullptr && group->attention.kv_heads > Count{0} &&
           group->attention.query_heads >= rule.gqa_at_least * group->attention.kv_heads;
  }

  /// For each group, whether its layers have a tensor that the rule is about.
  std::vector<bool> groups_with(const WeightRule& rule) const {
    std::vector<bool> has(model_.groups.size());
    for (const ModelTensor& tensor : model_.tensors)
      if (tensor.group != ModelTensor::kNoGroup && takes_tensor(rule, tensor.tensor)) has[tensor.group] = true;
    return has;
  }

  /// Calls visit(i, n) for each layer of the group.
  template <class Visit> void for_each_layer(const WeightRule& rule, std::size_t group, Visit visit) const {
    const std::vector<bool> counted = rule.among_alike ? groups_with(rule) : std::vector<bool>(model_.groups.size(), true);
    const auto counts = [&](std::uint16_t g) { return g < counted.size() && counted[g]; };
    const std::int64_t n = std::ranges::count_if(model_.pattern, counts);
    std::int64_t i = 0;
    for (std::uint16_t g : model_.pattern) {
      if (g == group) visit(i, n);
      if (counts(g)) ++i;
    }
  }

private:
  const Model& model_;
  Count experts_{0};
};

/// The format that such a matrix can have: the wanted one, or the first fallback that takes its columns.
std::size_t fitting(const WeightScheme& scheme, std::size_t wanted, Count columns) {
  for (std::size_t tries = 0; tries < scheme.formats.size(); ++tries) {
    const WeightFormat& format = scheme.formats[wanted];
    if (format.fallback.empty() || format.column_multiple <= Count{1} || columns.value % format.column_multiple.value == 0) break;
    const auto next = std::ranges::find(scheme.formats, format.fallback, &WeightFormat::id);
    if (next == scheme.formats.end()) break;
    wanted = static_cast<std::size_t>(next - scheme.formats.begin());
  }
  return wanted;
}

class Storing {
public:
  Storing(const Model& model, const WeightScheme& scheme, StoredWeights& stored)
      : model_(model), scheme_(scheme), stored_(stored), places_(model) {}

  void add(std::size_t index, const Tensor& tensor) {
    const ModelTensor& place = model_.tensors[index];
    const LayerGroup* group = model_.group_of(place);
    std::vector<std::size_t> chosen; // the format of each layer of the group; unset where no rule has taken it
    constexpr std::size_t kUnset = static_cast<std::size_t>(-1);
    const auto layers = group == nullptr ? std::size_t{1} : static_cast<std::size_t>(std::ranges::count(model_.pattern, place.group));
    chosen.assign(layers, kUnset);
    for (const WeightRule& rule : scheme_.rules) {
      if (std::ranges::find(chosen, kUnset) == chosen.end()) break;
      if (rule.format >= scheme_.formats.size() || !takes_tensor(rule, tensor) || !places_.suits_model(rule, group)) continue;
      if (rule.layers == LayerSet::all) {
        std::ranges::replace(chosen, kUnset, rule.format);
      } else if (group != nullptr) {
        std::size_t at = 0;
        places_.for_each_layer(rule, place.group, [&](std::int64_t i, std::int64_t n) {
          if (chosen[at] == kUnset && in_set(rule, i, n)) chosen[at] = rule.format;
          ++at;
        });
      }
    }
    std::ranges::replace(chosen, kUnset, std::size_t{0});
    append(index, tensor, chosen);
  }

private:
  /// One entry for each format, in the order in which layers first have it.
  void append(std::size_t index, const Tensor& tensor, std::span<const std::size_t> chosen) {
    const std::size_t first = stored_.tensors.size();
    for (std::size_t wanted : chosen) {
      const std::size_t format = fitting(scheme_, wanted, tensor.columns);
      const auto begin = stored_.tensors.begin() + static_cast<std::ptrdiff_t>(first);
      const auto same = std::ranges::find(begin, stored_.tensors.end(), format, &StoredTensor::format);
      if (same != stored_.tensors.end()) same->layers += Count{1};
      else stored_.tensors.push_back({index, Count{1}, tensor.copies, tensor.rows, tensor.columns, format, stored_.tensors.size() == first});
    }
  }

  const Model& model_;
  const WeightScheme& scheme_;
  StoredWeights& stored_;
  Places places_;
};

/// Key half: for each head a matrix from the key's channels without position to the latent vector. Value half: from the latent
/// vector to the value's channels.
std::vector<Tensor> halves(const Tensor& joined, const LatentAttention& latent) {
  Tensor key = joined, value = joined;
  key.name = "k_b_proj";
  key.rows = latent.heads * latent.kv_rank;
  key.columns = latent.nope_dim;
  value.name = "v_b_proj";
  value.rows = latent.heads * latent.value_dim;
  value.columns = latent.kv_rank;
  return {key, value};
}

bool is_latent_map(const ModelTensor& place, const LayerGroup* group) { return group != nullptr && group->latent.heads > Count{0} && place.tensor.name == "kv_b_proj"; }

} // namespace

bool takes_some(const Model& model, const WeightScheme& scheme, const WeightRule& rule) {
  const auto has_layer = [&](const ModelTensor& place) {
    return rule.layers != LayerSet::listed || std::ranges::any_of(rule.layer_list, [&](std::uint16_t i) { return i < model.pattern.size() && model.pattern[i] == place.group; });
  };
  return std::ranges::any_of(model.tensors, [&](const ModelTensor& place) {
    if (!has_layer(place)) return false;
    if (takes_tensor(rule, place.tensor)) return true;
    const LayerGroup* const group = model.group_of(place);
    return scheme.latent_map != LatentMap::joined && is_latent_map(place, group) &&
           std::ranges::any_of(halves(place.tensor, group->latent), [&](const Tensor& half) { return takes_tensor(rule, half); });
  });
}

WeightScheme with_quantised_head(WeightScheme scheme) {
  constexpr std::uint32_t kHead = bit_of(TensorKind::head);
  std::erase_if(scheme.rules, [](const WeightRule& rule) { return rule.kinds == kHead; });
  for (WeightRule& rule : scheme.rules) rule.kinds &= ~kHead;
  return scheme;
}

StoredWeights store(const Model& model, const WeightScheme& scheme) {
  StoredWeights stored;
  stored.scheme = scheme.id;
  stored.formats = scheme.formats;
  stored.compute_bytes = scheme.compute_bytes;
  stored.tables = model.rotary_factors * scheme.rotary_factor_bytes;
  if (scheme.formats.empty()) return stored;
  Storing storing{model, scheme, stored};
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const ModelTensor& place = model.tensors[i];
    const LayerGroup* group = model.group_of(place);
    const bool latent_map = is_latent_map(place, group);
    if (!latent_map || scheme.latent_map != LatentMap::split) storing.add(i, place.tensor);
    if (latent_map && scheme.latent_map != LatentMap::joined)
      for (const Tensor& half : halves(place.tensor, group->latent)) storing.add(i, half);
  }
  return stored;
}

Bytes stored_bytes(const StoredWeights& weights, const StoredTensor& tensor) noexcept {
  return tensor.layers * (tensor.copies * stored_bytes(weights.formats[tensor.format], tensor.rows, tensor.columns));
}

Bytes stored_bytes(const Model& model, const StoredWeights& weights, TensorKind kind) noexcept {
  Bytes total{0};
  for (const StoredTensor& tensor : weights.tensors)
    if (model.tensors[tensor.tensor].tensor.kind == kind) total += stored_bytes(weights, tensor);
  return total;
}

Bytes stored_bytes(const Model& model, const StoredWeights& weights) noexcept {
  Bytes total = weights.tables;
  for (const StoredTensor& tensor : weights.tensors)
    if (model.tensors[tensor.tensor].tensor.kind != TensorKind::prediction) total += stored_bytes(weights, tensor);
  return total;
}

} // namespace plimsoll
