#include "files/tensors/gguf_facts.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::tensor_files {

namespace {

constexpr std::int64_t kMostCount = 1'000'000'000'000;

/// How an architecture mixes window and full attention where its files do not say. llama.cpp, src/models/*.cpp
/// (load_arch_hparams): of every `period` layers the last is full, or the first when `full_first`; period 0: all layers have the
/// window, 1: none.
struct WindowRule {
  std::string_view architecture;
  std::int64_t period;
  bool full_first = false;
  std::int64_t window = 0; ///< where the file does not state it either
  bool chunked = false;
};
constexpr auto kWindowRules = std::to_array<WindowRule>({
    {"afmoe", 4},
    {"cohere2", 4},
    {"exaone-moe", 4},
    {"exaone4", 4},
    {"gemma-embedding", 6},
    {"gemma2", 2, false, 4096},
    {"gemma3", 6},
    {"gemma3n", 5},
    {"gpt-oss", 2},
    {"lfm2", 0},
    {"lfm2moe", 0},
    {"llama", 1},
    {"llama4", 4, false, 8192, true},
    {"mistral3", 1},
    {"modern-bert", 3, true},
    {"olmo2", 4},
    {"phi3", 1},
    {"phimoe", 1},
    {"plamo3", 8},
    {"qwen2", 1},
    {"qwen2moe", 1},
    {"qwen3", 1},
    {"qwen3moe", 1},
    {"smallthinker", 4, true},
    {"starcoder2", 1},
});

const WindowRule* window_rule(std::string_view architecture) noexcept {
  const auto at = std::ranges::find(kWindowRules, architecture, &WindowRule::architecture);
  return at == kWindowRules.end() ? nullptr : &*at;
}

/// Gemma 3n: layers from the 21st on read caches of earlier ones, and no key says so (llama.cpp, src/models/gemma3n.cpp).
constexpr std::string_view kSharesWithoutKey = "gemma3n";
constexpr std::size_t kFirstSharing = 20;

Count sensible(std::int64_t value) noexcept { return value > 0 && value <= kMostCount ? Count{value} : Count{0}; }

} // namespace

GgufFacts::GgufFacts(const GgufMetadata& metadata) : metadata_(metadata), architecture_(metadata.text("general.architecture")) {}

Count GgufFacts::count(std::string_view key) const noexcept {
  const GgufValue* value = metadata_.find(architecture_, key);
  const std::int64_t* number = value ? std::get_if<std::int64_t>(value) : nullptr;
  return number ? sensible(*number) : Count{0};
}

Count GgufFacts::count(std::string_view key, std::size_t layer) const noexcept {
  const GgufValue* value = metadata_.find(architecture_, key);
  if (!value) return Count{0};
  if (const GgufArray* array = std::get_if<GgufArray>(value))
    return layer < array->numbers.size() ? sensible(array->numbers[layer]) : Count{0};
  const std::int64_t* number = std::get_if<std::int64_t>(value);
  return number ? sensible(*number) : Count{0};
}

bool GgufFacts::slides(std::size_t number) const noexcept {
  const WindowRule* rule = window_rule(architecture_);
  std::int64_t period = rule ? rule->period : 1;
  if (const GgufValue* value = metadata_.find(architecture_, "attention.sliding_window_pattern")) {
    if (const GgufArray* array = std::get_if<GgufArray>(value); array && !array->numbers.empty())
      return array->numbers[number % array->numbers.size()] != 0;
    if (const std::int64_t* stated = std::get_if<std::int64_t>(value); stated && *stated >= 0) period = *stated;
  }
  if (period == 0) return true;
  const auto place = static_cast<std::int64_t>(number) % period;
  return rule && rule->full_first ? place != 0 : place < period - 1;
}

void GgufFacts::complete_attention(Attention& attention, std::size_t number, std::size_t layers, Count hidden_size,
                                   Unknowns& unknowns, Report& report) const {
  const WindowRule* rule = window_rule(architecture_);
  const Count stated = count("attention.sliding_window", number);
  const Count window = stated == Count{0} && rule ? Count{rule->window} : stated;
  if (window > Count{0} && slides(number)) {
    attention.window = window;
    attention.pattern = rule && rule->chunked ? AttentionPattern::chunked : AttentionPattern::sliding;
  }
  const std::size_t shared = static_cast<std::size_t>(count("attention.shared_kv_layers").value);
  const std::size_t first_sharing = architecture_ == kSharesWithoutKey ? kFirstSharing : layers - std::min(shared, layers);
  attention.reuses_cache = attention.reuses_cache || number >= first_sharing;

  const Count heads = count("attention.head_count", number);
  if (heads == Count{0}) return;
  const Count stated_kv = count("attention.head_count_kv", number), kv_heads = stated_kv == Count{0} ? heads : stated_kv;
  const bool sliding = attention.pattern == AttentionPattern::sliding;
  const auto head_size = [&](std::string_view key, std::string_view key_of_window) {
    if (const Count size = sliding ? count(key_of_window) : Count{0}; size > Count{0}) return size;
    if (const Count size = count(key); size > Count{0}) return size;
    return Count{hidden_size.value / heads.value};
  };
  const Count head_dim = head_size("attention.key_length", "attention.key_length_swa");
  const Count value_dim = head_size("attention.value_length", "attention.value_length_swa");
  const Count old_value = attention.value_dim == Count{0} ? attention.head_dim : attention.value_dim;
  const bool agrees = !attention.has_kv_map || (kv_heads * head_dim == attention.kv_heads * attention.head_dim &&
                                                kv_heads * value_dim == attention.kv_heads * old_value);
  if (!agrees) {
    report.warning(std::string{architecture_} + ".attention.head_count_kv",
                   "The metadata make keys " + std::to_string((kv_heads * head_dim).value) +
                       " channels wide; the tensors of layer " + std::to_string(number) + " make them " +
                       std::to_string((attention.kv_heads * attention.head_dim).value) + ".",
                   "The tensors were believed; convert the model again with a current llama.cpp.");
    return;
  }
  unknowns.heads = false;
  attention.query_heads = heads;
  attention.kv_heads = kv_heads;
  attention.head_dim = head_dim;
  attention.value_dim = value_dim == head_dim ? Count{0} : value_dim;
}

void GgufFacts::complete_latent(LatentAttention& latent, std::size_t number, Unknowns& unknowns) const {
  const Count heads = count("attention.head_count", number), rank = count("attention.kv_lora_rank"),
              rope = count("rope.dimension_count");
  if (heads == Count{0} || rank == Count{0} || rope == Count{0}) return;
  const Count key = max(count("attention.key_length_mla"), Count{0}), value = count("attention.value_length_mla");
  const Count key_size = key > Count{0} ? key : count("attention.key_length"),
              value_size = value > Count{0} ? value : count("attention.value_length");
  if (key_size < rope || value_size == Count{0}) return;
  unknowns.heads = false;
  latent.heads = heads;
  latent.kv_rank = rank;
  latent.rope_dim = rope;
  latent.nope_dim = key_size - rope;
  latent.value_dim = value_size;
}

void GgufFacts::complete_recurrence(Layer& layer, std::span<const Module> modules, Unknowns& unknowns) const {
  if (!std::holds_alternative<std::monostate>(layer.recurrence)) return;
  const Count heads = count("ssm.time_step_rank"), inner = count("ssm.inner_size"), state = count("ssm.state_size");
  const Count groups = count("ssm.group_count"), kernel = count("ssm.conv_kernel");
  if (heads == Count{0} || inner.value % std::max<std::int64_t>(heads.value, 1) != 0 || inner == Count{0} || state == Count{0} ||
      kernel == Count{0})
    return;
  const Count per_head{inner.value / heads.value};
  const auto named = [&](std::string_view name) { return find_module(modules, TensorKind::recurrence, name) != nullptr; };
  if (named("in_proj_ba") || named("in_proj_a") || named("in_proj_b") || named("in_proj_z"))
    layer.recurrence = GatedDeltaNet{
        .key_heads = max(groups, Count{1}), .value_heads = heads, .key_dim = state, .value_dim = per_head, .kernel = kernel};
  else if (named("in_proj") && named("A_log"))
    layer.recurrence = Mamba2{.heads = heads,
                              .head_dim = per_head,
                              .state = state,
                              .groups = max(groups, Count{1}),
                              .kernel = kernel,
                              .gated_norm = named("norm")};
  else return;
  unknowns.recurrence = false;
}

void GgufFacts::complete(Layer& layer, std::span<const Module> modules, std::size_t number, std::size_t layers, Count hidden_size,
                         Unknowns& unknowns, Report& report) const {
  Unknowns own = unknowns;
  const GgufValue* causal = metadata_.find(architecture_, "attention.causal");
  if (const bool* flag = causal ? std::get_if<bool>(causal) : nullptr; flag && !*flag) layer.attention.caches = false;
  if (layer.attention.query_heads > Count{0}) complete_attention(layer.attention, number, layers, hidden_size, own, report);
  if (layer.latent.heads > Count{0}) complete_latent(layer.latent, number, own);
  complete_recurrence(layer, modules, own);
  if (layer.moe.experts > Count{0}) {
    const Count used = count("expert_used_count", number);
    if (used > Count{0} && used <= layer.moe.experts) layer.moe.per_token = used, own.experts_used = false;
  }
  unknowns = own;
}

void GgufFacts::report_windows(Report& report) const {
  const GgufValue* window = metadata_.find(architecture_, "attention.sliding_window");
  if (!window || window_rule(architecture_) || metadata_.find(architecture_, "attention.sliding_window_pattern")) return;
  report.note(std::string{architecture_} + ".attention.sliding_window", "Which layers look only " + text_of(*window) +
              " tokens back is not stated, and not known of this architecture; all are taken to look back without limit.",
              "Import the model's config.json to have the window where it applies.");
}

} // namespace plimsoll::io::tensor_files
