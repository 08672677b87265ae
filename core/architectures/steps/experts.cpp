// Which layers have experts, how many, how wide: every family has names of its own for the same few facts.
#include "architectures/steps/steps.hpp"

#include <algorithm>
#include <charconv>

namespace plimsoll::io {

namespace {

std::optional<std::int64_t> known(std::int64_t standard) { return standard > 0 ? std::optional{standard} : std::nullopt; }

constexpr Range kLayerRange{0, 10'000};

/// Layers listed by number: "3,4,5" (Step) or [1, 3, 5] (Llama 4).
std::optional<std::vector<bool>> listed_layers(ModelBuilder& draft, std::size_t layers) {
  ConfigReader& read = draft.read;
  std::vector<std::int64_t> listed;
  if (const Json* text = read.find("moe_layers_enum"); text != nullptr && text->is_string()) {
    const std::string numbers = text->get<std::string>();
    const char* at = numbers.data();
    const char* const end = at + numbers.size();
    while (at < end) {
      std::int64_t layer = 0;
      const auto [next, failed] = std::from_chars(at, end, layer);
      if (failed != std::errc{} || (next < end && *next != ',')) {
        read.report(Severity::error, "moe_layers_enum", read.path_of("moe_layers_enum") + " is " + quoted(*text) + ", where layer numbers with commas are needed.",
                    "Correct the value in the file.");
        return std::nullopt;
      }
      listed.push_back(layer);
      at = next < end ? next + 1 : end;
    }
  } else if (const auto numbers = read.numbers({"moe_layers"}, kLayerRange)) {
    listed = *numbers;
  } else {
    return std::nullopt;
  }
  std::vector<bool> sparse(layers, false);
  for (const std::int64_t layer : listed)
    if (layer >= 0 && static_cast<std::size_t>(layer) < layers) sparse[static_cast<std::size_t>(layer)] = true;
  return sparse;
}

/// One entry for each layer: moe_layer_freq as a list (MiMo, MiniMax-M3), mlp_layer_types.
std::optional<std::vector<bool>> marked_layers(ModelBuilder& draft, std::size_t layers) {
  std::vector<bool> sparse(layers, false);
  if (const Json* list = draft.read.find("moe_layer_freq"); list != nullptr && list->is_array()) {
    const auto marks = layer_numbers(draft, {"moe_layer_freq"}, {0, 1}, layers);
    if (!marks) return std::nullopt;
    for (std::size_t i = 0; i < layers; ++i) sparse[i] = by_layer(*marks, i) != 0;
    return sparse;
  }
  const auto words = layer_words(draft, {"mlp_layer_types"}, layers);
  if (!words || !check_words(draft, *words, "mlp_layer_types", {"sparse", "dense"})) return std::nullopt;
  for (std::size_t i = 0; i < layers; ++i) sparse[i] = by_layer(*words, i) == "sparse";
  return sparse;
}

/// Every so many layers. DeepSeek counts layers from 0, Qwen, Llama 4, Arctic and ERNIE from 1.
struct Interval {
  std::int64_t every = 1;
  std::int64_t first = 0; ///< the remainder of the layers that have experts
};

Interval read_interval(ConfigReader& read) {
  const bool from_zero = read.find("moe_layer_freq") != nullptr && !read.find("moe_layer_freq")->is_array();
  if (from_zero) return {std::max<std::int64_t>(1, read.integer("expert_interval", {"moe_layer_freq"}, 1)), 0};
  const std::int64_t every =
      read.integer("expert_interval", {"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval", "moe_layer_frequency"}, 1);
  return {every, every - 1};
}

std::int64_t leading_dense(const std::vector<bool>& sparse) {
  return std::ranges::find(sparse, true) - sparse.begin();
}

} // namespace

Moe read_moe(ModelBuilder& draft, const ExpertRule& rule) {
  ConfigReader& read = draft.read;
  Moe moe;
  moe.experts = read.count("experts", names::kExperts, rule.experts < 0 ? std::optional<std::int64_t>{0} : known(rule.experts));
  moe.kind = static_cast<MlpKind>(read.choice("mlp_kind", draft.family.mlp));
  moe.bias = draft.family.mlp_bias.read(read, "mlp_bias");
  if (moe.experts == Count{0}) return {};
  moe.per_token = read.count("experts_per_token", names::kPicked, known(rule.per_token));
  if (rule.own_width) moe.expert_size = read.count("expert_size", names::kExpertWidth, known(rule.width));
  else moe.expert_size = read.count("expert_size", {"intermediate_size", "ffn_config.ffn_hidden_size", "moe_intermediate_size"}, known(rule.width));
  if (moe.per_token > moe.experts)
    read.report_at(read.where("experts_per_token"), std::to_string(moe.per_token.value) + " experts for each token are more than the " +
                   std::to_string(moe.experts.value) + " that there are.", "Write at most " + std::to_string(moe.experts.value) + ".");

  std::int64_t shared = 0;
  switch (rule.shared) {
    case SharedRule::none: break;
    case SharedRule::count_times_width:
      shared = (Count{read.number(names::kSharedCount, {0, 1024}, 0)} * moe.expert_size).value;
      break;
    case SharedRule::width: shared = read.integer("shared_expert_size", names::kSharedWidth, rule.shared_width); break;
    case SharedRule::one_like_routed: shared = moe.expert_size.value; break;
  }
  moe.shared_size = Count{read.fact("shared_expert_size", shared)};
  moe.shared_gate = read.fact("shared_expert_gate", rule.shared_gate && moe.shared_size > Count{0} ? 1 : 0) != 0 && moe.shared_size > Count{0};
  moe.router_bias = read.fact("router_bias", rule.router_bias ? 1 : 0) != 0;
  moe.correction_bias = rule.correction.read(read, "correction_bias");
  return moe;
}

std::vector<bool> read_expert_layers(ModelBuilder& draft, const ExpertRule& rule, std::size_t layers) {
  ConfigReader& read = draft.read;
  auto sparse = marked_layers(draft, layers);
  if (!sparse) sparse = listed_layers(draft, layers);
  if (sparse) {
    const std::int64_t leading = leading_dense(*sparse);
    const std::int64_t dense = read.fact("dense_layers", leading);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(layers); ++i)
      if (i < std::max(dense, leading)) (*sparse)[static_cast<std::size_t>(i)] = i >= dense;
    return *sparse;
  }
  const std::int64_t dense = rule.dense_first ? read.integer("dense_layers", names::kDenseFirst, rule.dense_default) : read.fact("dense_layers", 0);
  const Interval interval = read_interval(read);
  const std::int64_t end = read.number({"moe_layer_end_index"}, {-1, 10'000}, -1);
  sparse.emplace(layers, false);
  for (std::int64_t i = dense; i < static_cast<std::int64_t>(layers); ++i)
    (*sparse)[static_cast<std::size_t>(i)] = i % interval.every == interval.first && (end < 0 || i <= end);
  if (const auto ordinary = read.numbers({"mlp_only_layers"}, kLayerRange))
    for (const std::int64_t layer : *ordinary)
      if (static_cast<std::size_t>(layer) < layers) (*sparse)[static_cast<std::size_t>(layer)] = false;
  return *sparse;
}

void place_experts(ModelBuilder& draft, const Moe& moe, const std::vector<bool>& sparse) {
  for (std::size_t i = 0; i < draft.layers(); ++i) {
    if (!sparse[i] || moe.experts == Count{0}) continue;
    draft.out.layers[i].moe = moe;
    draft.out.layers[i].mlp = {};
  }
}

void read_feed_forward(ModelBuilder& draft) {
  const ExpertRule& rule = draft.family.experts;
  Moe moe;
  std::vector<bool> sparse(draft.layers(), false);
  if (rule.has) {
    moe = read_moe(draft, rule);
    if (moe.experts > Count{0}) sparse = read_expert_layers(draft, rule, draft.layers());
  }
  const bool any_dense = std::ranges::find(sparse, false) != sparse.end();
  if (any_dense) {
    const Count width = read_mlp_width(draft);
    for (Layer& layer : draft.out.layers) layer.mlp.intermediate_size = width;
  }
  place_experts(draft, moe, sparse);
}

} // namespace plimsoll::io
