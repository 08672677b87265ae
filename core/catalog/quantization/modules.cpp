#include "catalog/quantization/modules.hpp"

#include "text/value.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace plimsoll::io {

namespace {

using enum TensorKind;

template <class... Kinds> constexpr std::uint32_t bits(Kinds... kinds) noexcept { return (bit_of(kinds) | ...); }

constexpr std::uint32_t kEverything = (std::uint32_t{1} << kTensorKinds) - 1;
constexpr std::uint32_t kMlps = bits(mlp, experts, shared_experts, router);
constexpr std::uint32_t kAnyMlp = bits(mlp, experts, shared_experts, vision, audio);
constexpr std::uint32_t kTowers = bits(vision, audio, prediction);
constexpr std::uint32_t kNorms = bits(norms, final_norm);

/// What one part between dots narrows the tensors to; names by spaces, "" = all of the kinds.
struct Part {
  std::string_view text;
  std::uint32_t kinds;
  std::string_view names = "";
};

constexpr auto kParts = std::to_array<Part>({
    {"lm_head", bits(head)}, {"output", bits(head)}, {"embed_out", bits(head)}, {"head", bits(head)}, {"proj_out", bits(head)},
    {"embed_tokens", bits(embedding)}, {"wte", bits(embedding)}, {"tok_embeddings", bits(embedding)}, {"word_embeddings", bits(embedding)},
    {"embeddings", bits(embedding)}, {"embedding", bits(embedding)}, {"embed", bits(embedding)},
    {"self_attn", bits(attention, indexer)}, {"self_attention", bits(attention, indexer)}, {"attention", bits(attention, indexer)},
    {"attn", bits(attention, indexer)}, {"cross_attn", bits(attention)}, {"indexer", bits(indexer)},
    {"linear_attn", bits(recurrence)}, {"mamba", bits(recurrence)}, {"mixer", bits(recurrence, attention) | kMlps}, {"conv", bits(recurrence)},
    {"conv1d", bits(recurrence)}, {"in_proj", bits(recurrence), "in_proj"}, {"out_proj", bits(recurrence, attention), "out_proj o_proj"},
    {"x_proj", bits(recurrence), "x_proj"}, {"dt_proj", bits(recurrence), "dt_proj"},
    {"in_proj_ba", bits(recurrence), "in_proj_ba"}, {"in_proj_qkvz", bits(recurrence), "in_proj_qkvz"},
    {"in_proj_a", bits(recurrence), "in_proj_ba"}, {"in_proj_b", bits(recurrence), "in_proj_ba"},
    {"q_proj", bits(attention, recurrence), "q_proj"}, {"k_proj", bits(attention, recurrence), "k_proj"},
    {"v_proj", bits(attention, recurrence), "v_proj"}, {"o_proj", bits(attention, recurrence), "o_proj"},
    {"qkv_proj", bits(attention, recurrence), "q_proj k_proj v_proj qkv_proj"}, {"query_key_value", bits(attention), "q_proj k_proj v_proj"},
    {"wqkv", bits(attention), "q_proj k_proj v_proj"}, {"c_attn", bits(attention), "q_proj k_proj v_proj"},
    {"q_a_proj", bits(attention), "q_a_proj"}, {"q_b_proj", bits(attention), "q_b_proj"},
    {"kv_a_proj_with_mqa", bits(attention), "kv_a_proj_with_mqa"}, {"kv_b_proj", bits(attention), "kv_b_proj"},
    {"fused_qkv_a_proj_with_mqa", bits(attention), "q_a_proj kv_a_proj_with_mqa"},
    {"mlp", kMlps}, {"ffn", kMlps}, {"feed_forward", kMlps}, {"block_sparse_moe", kMlps}, {"moe", kMlps},
    {"experts", bits(experts)}, {"shared_expert", bits(shared_experts)}, {"shared_experts", bits(shared_experts)},
    {"gate", bits(router), "gate gate.bias"}, {"router", bits(router)},
    {"shared_expert_gate", bits(shared_experts), "shared_expert_gate"},
    {"gate_proj", kAnyMlp, "gate_proj"}, {"up_proj", kAnyMlp, "up_proj"}, {"down_proj", kAnyMlp, "down_proj"},
    {"gate_up_proj", kAnyMlp, "gate_proj up_proj"}, {"w1", kAnyMlp, "gate_proj"}, {"w2", kAnyMlp, "down_proj"}, {"w3", kAnyMlp, "up_proj"},
    {"fc1", kAnyMlp, "up_proj"}, {"fc2", kAnyMlp, "down_proj"},
    {"norm", kNorms}, {"input_layernorm", kNorms}, {"post_attention_layernorm", kNorms}, {"layernorm", kNorms}, {"ln_f", kNorms},
    {"visual", bits(vision)}, {"vision", bits(vision)}, {"vision_tower", bits(vision)}, {"vision_model", bits(vision)},
    {"vision_encoder", bits(vision)}, {"multi_modal_projector", bits(vision)}, {"mm_projector", bits(vision)}, {"patch_merger", bits(vision)},
    {"vision_projection", bits(vision)}, {"vision_adapter", bits(vision)}, {"vit", bits(vision)},
    {"audio", bits(audio)}, {"audio_tower", bits(audio)}, {"speech_encoder", bits(audio)},
    {"mtp", bits(prediction)}, {"nextn", bits(prediction)}, {"eh_proj", bits(prediction)},
});

/// Parts that say nothing: prefixes of every name, and what is left of patterns.
constexpr auto kSilent = std::to_array<std::string_view>({"", "model", "language_model", "transformer", "text_model", "decoder", "backbone",
                                                          "base_model", "weight", "layers", "h", "blocks", "block"});
constexpr auto kBeforeLayer = std::to_array<std::string_view>({"layers", "h", "blocks", "block"});

constexpr auto kMlpModules = std::to_array<std::string_view>({"mlp", "ffn", "feed_forward"});

/// "re:^model\.layers\.0\.mlp.*$" -> "model.layers.0.mlp": the characters that patterns need and names do not.
std::string without_pattern(std::string_view text) {
  if (text.starts_with("re:")) text.remove_prefix(3);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' || c == '^' || c == '$' || c == '*') continue;
    if (c == '.' && i + 1 < text.size() && (text[i + 1] == '*' || text[i + 1] == '+')) {
      plain += ".."; // anything may stand between, so that its neighbours are not next to each other
      ++i;
      continue;
    }
    plain += c;
  }
  return lower_case(plain);
}

bool narrow(Modules& modules, const Part& part) {
  modules.kinds &= part.kinds;
  if (modules.kinds != 0 && (modules.kinds & ~kTowers) == 0) {
    modules = {modules.kinds, {}, {}};
    return true;
  }
  if (!part.names.empty()) {
    const std::vector<std::string_view> all = parts_of(part.names, ' ');
    std::vector<std::string> names{all.begin(), all.end()};
    if (!modules.names.empty()) std::erase_if(names, [&](const std::string& name) { return std::ranges::find(modules.names, name) == modules.names.end(); });
    if (names.empty()) return false;
    modules.names = std::move(names);
  }
  return modules.kinds != 0;
}

/// Maps directly in an MLP are those of dense layers: experts have theirs in modules of their own.
bool is_in_dense_mlp(std::string_view before, const Part& part) {
  return part.kinds == kAnyMlp && std::ranges::find(kMlpModules, before) != kMlpModules.end();
}

std::optional<std::uint16_t> layer_number(std::string_view text) {
  if (text.empty() || text.size() > 5 || !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
  std::uint32_t number = 0;
  for (char c : text) number = number * 10 + static_cast<std::uint32_t>(c - '0');
  if (number > 0xffff) return std::nullopt;
  return static_cast<std::uint16_t>(number);
}

/// "mlp.(gate|up)_proj" is "mlp.gate_proj" and "mlp.up_proj"; of several groups the first is written out, then the next of each.
std::vector<std::string> written_out(const std::string& text) {
  constexpr std::size_t kMost = 64;
  std::vector<std::string> texts{text};
  for (std::size_t i = 0; i < texts.size() && texts.size() < kMost;) {
    const std::size_t open = texts[i].find('('), close = texts[i].find(')', std::min(open, texts[i].size()));
    if (close == std::string::npos) {
      ++i;
      continue;
    }
    const std::string before = texts[i].substr(0, open), inside = texts[i].substr(open + 1, close - open - 1), behind = texts[i].substr(close + 1);
    texts.erase(texts.begin() + static_cast<std::ptrdiff_t>(i));
    for (std::size_t at = 0; at <= inside.size();) {
      const std::size_t bar = std::min(inside.find('|', at), inside.size());
      texts.push_back(before + inside.substr(at, bar - at) + behind);
      at = bar + 1;
    }
  }
  return texts;
}

} // namespace

std::optional<Modules> modules_of(std::string_view text) {
  constexpr std::size_t kLongest = 256;
  if (text.size() > kLongest) return std::nullopt;
  const std::string plain = without_pattern(text);
  const std::vector<std::string_view> parts = parts_of(plain, '.');
  Modules modules;
  modules.kinds = kEverything;
  bool said_something = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && std::ranges::find(kBeforeLayer, parts[i - 1]) != kBeforeLayer.end()) {
      if (const auto layer = layer_number(parts[i])) {
        modules.layer = layer;
        said_something = true;
        continue;
      }
    }
    if (const auto part = std::ranges::find(kParts, parts[i], &Part::text); part != kParts.end()) {
      if (!narrow(modules, *part)) return std::nullopt;
      if (i > 0 && is_in_dense_mlp(parts[i - 1], *part)) modules.kinds &= bits(mlp);
      if ((modules.kinds & ~kTowers) == 0) return modules; // their inner modules have names of their own
      said_something = true;
    } else if (std::ranges::find(kSilent, parts[i]) == kSilent.end()) {
      return std::nullopt;
    }
  }
  return said_something ? std::optional{modules} : std::nullopt;
}

std::vector<WeightRule> rules_for(const std::vector<std::string>& texts, std::size_t format, std::vector<std::string>& unknown) {
  struct Places {
    bool everywhere = false;
    std::set<std::uint16_t> layers;
  };
  std::map<std::pair<std::uint32_t, std::vector<std::string>>, Places> found;
  for (const std::string& text : texts) {
    for (const std::string& one : written_out(text)) {
      const auto modules = modules_of(one);
      if (!modules) {
        if (unknown.empty() || unknown.back() != text) unknown.push_back(text);
        continue;
      }
      Places& places = found[{modules->kinds, modules->names}];
      if (modules->layer) places.layers.insert(*modules->layer);
      else places.everywhere = true;
    }
  }
  std::vector<WeightRule> rules;
  for (const auto& [what, places] : found) {
    WeightRule rule;
    rule.kinds = what.first;
    rule.names = what.second;
    rule.format = format;
    if (!places.everywhere) {
      rule.layers = LayerSet::listed;
      rule.layer_list.assign(places.layers.begin(), places.layers.end());
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

} // namespace plimsoll::io
