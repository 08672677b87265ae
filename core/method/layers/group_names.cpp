#include "method/layers/group_names.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace plimsoll::layers {

namespace {

struct Name {
  std::string_view id;
  std::string_view label;
  friend bool operator==(const Name&, const Name&) = default;
};

Name stack_of(const LayerGroup& group) {
  return group.encoder ? Name{"encoder", "encoder"} : Name{"decoder", "decoder"};
}

Name recurrence_of(const Recurrence& recurrence) {
  static constexpr std::array<Name, std::variant_size_v<Recurrence>> kNames{{{"", ""},
                                                                             {"mamba", "Mamba"},
                                                                             {"mamba2", "Mamba-2"},
                                                                             {"linear", "linear-attention"},
                                                                             {"linear", "linear-attention"},
                                                                             {"linear", "linear-attention"},
                                                                             {"convolution", "convolution"}}};
  return kNames[recurrence.index()];
}

Name mixer_of(const LayerGroup& group) {
  const AttentionShape& attention = group.attention_shape;
  if (!attention.id.empty()) return {attention.id, attention.label};
  if (const Name recurrence = recurrence_of(group.recurrence); !recurrence.id.empty())
    return group.attends() ? Name{"hybrid", "hybrid"} : recurrence;
  if (!group.attends()) return {"no_attention", "attention-free"};
  switch (attention.pattern) {
    case AttentionPattern::sliding: return {"sliding", "sliding-window"};
    case AttentionPattern::chunked: return {"chunked", "chunked-attention"};
    case AttentionPattern::full: break;
  }
  return {"full", "full-attention"};
}

Name mlp_of(const LayerGroup& group) {
  if (group.moe.experts > Count{0}) return {"experts", "expert"};
  return group.mlp.intermediate_size > Count{0} ? Name{"dense", "dense"} : Name{"no_mlp", "MLP-free"};
}

bool vary(const std::vector<LayerGroup>& groups, Name (*name_of)(const LayerGroup&)) {
  return std::ranges::any_of(groups, [&](const LayerGroup& group) { return name_of(group) != name_of(groups.front()); });
}

} // namespace

void name_groups(std::vector<LayerGroup>& groups) {
  if (groups.size() < 2) return;
  std::map<std::string, int> seen;
  constexpr std::array kParts{stack_of, mixer_of, mlp_of};
  std::array<bool, kParts.size()> varies{};
  for (std::size_t i = 0; i < kParts.size(); ++i) varies[i] = vary(groups, kParts[i]);
  for (LayerGroup& group : groups) {
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      if (!varies[i]) continue;
      const Name name = kParts[i](group);
      if (!group.id.empty()) group.id += '_', group.label += ' ';
      group.id += name.id;
      group.label += name.label;
    }
    if (group.id.empty()) group.id = "group", group.label = "alike";
    if (const int count = ++seen[group.id]; count > 1) {
      group.id += '_' + std::to_string(count);
      group.label += ' ' + std::to_string(count);
    }
    group.label += " layers";
  }
}

} // namespace plimsoll::layers
