#include "architectures/steps/steps.hpp"

#include <algorithm>

namespace plimsoll::io {

namespace {

std::optional<std::int64_t> known(std::int64_t standard) { return standard > 0 ? std::optional{standard} : std::nullopt; }

/// The sizes that whole files always state: their absence is a damaged file, except where nested files leave out the class's own.
std::optional<std::int64_t> essential(const ModelBuilder& draft, std::int64_t standard) {
  return draft.read.nested() || draft.whole_file.empty() ? known(standard) : std::nullopt;
}

/// Whole files rarely leave these out: whoever does should know what stands instead.
std::optional<std::int64_t> class_default(ModelBuilder& draft, std::string_view field, NameList names, std::int64_t standard) {
  ConfigReader& read = draft.read;
  const auto states = [&](NameList any) { return std::ranges::any_of(any, [&](const char* name) { return read.has(name); }); };
  if (read.nested() || draft.whole_file.empty() || read.overridden(field) || states(names)) return known(standard);
  if (!states(names::kHidden)) // only a part of a model: its sizes are stated beside it, and this one is not
    read.report_at(read.path_of(field), "The model has no " + std::string{field} + ".", "State it, or give the model's whole config.json.");
  else if (standard > 0)
    read.note(field, read.path_of(field) + " is not in the file; the class's own " + std::to_string(standard) + " stands for it.", "Add it to the file if it differs.");
  return known(standard);
}

std::int64_t read_head_dim(ModelBuilder& draft, std::int64_t heads) {
  ConfigReader& read = draft.read;
  const bool stated = read.overridden("head_dim") || std::ranges::any_of(names::kHeadDim, [&](const char* name) { return read.has(name); });
  const bool by_class = draft.family.defaults.head_dim > 0 && !read.says_null("head_dim");
  if (stated || by_class) return read.integer("head_dim", names::kHeadDim, draft.family.defaults.head_dim);
  if (heads > 0 && draft.hidden() % heads == 0) return read.integer("head_dim", names::kHeadDim, draft.hidden() / heads);
  read.report_at(read.path_of("head_dim"), "The width " + std::to_string(draft.hidden()) + " is not a multiple of " + std::to_string(heads) +
                 " heads, and the file gives no head_dim.", "Add head_dim to the file, or state head_dim yourself.");
  return read.fact("head_dim", 1);
}

QkNorm read_qk_norm(ConfigReader& read, QkRule rule) {
  const auto by_flag = [&](NameList names, bool standard, QkNorm kind) {
    return read.choice("qk_norm", read.says(names, standard) ? kind : QkNorm::none);
  };
  switch (rule) {
    case QkRule::none: return read.choice("qk_norm", QkNorm::none);
    case QkRule::per_head: return read.choice("qk_norm", QkNorm::per_head);
    case QkRule::full: return read.choice("qk_norm", QkNorm::full);
    case QkRule::per_head_by_flag: return by_flag({"use_qk_norm", "qk_norm"}, false, QkNorm::per_head);
    case QkRule::per_head_unless_off: return by_flag({"use_qk_norm", "qk_norm"}, true, QkNorm::per_head);
    case QkRule::full_by_flag: return by_flag({"use_qk_norm", "qk_layernorm"}, false, QkNorm::full);
    case QkRule::layernorm_by_flag: return by_flag({"qk_layernorm"}, false, QkNorm::per_head_layernorm);
    case QkRule::layernorm_unless_off: return by_flag({"qk_layernorm"}, true, QkNorm::per_head_layernorm);
  }
  return QkNorm::none;
}

/// Only gelu_new is written out in Python and so keeps more.
Activation read_activation(ModelBuilder& draft) {
  const std::string name = draft.read.text(names::kActivation, draft.family.activation);
  return draft.read.choice("activation", name == "gelu_new" || name == "gelu_fast" ? Activation::gelu_new : Activation::native);
}

/// A cap of scores or logits by tanh; null means none, also where the class has one.
bool read_cap(ConfigReader& read, NameList names, bool standard) {
  if (std::ranges::any_of(names, [&](const char* name) { return read.says_null(name); })) return false;
  return read.real(names, {0, 1'000'000}, standard ? 1 : 0) > 0;
}

} // namespace

void read_frame(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const Family& family = draft.family;
  Architecture& out = draft.out;
  out.hidden_size = read.count("hidden_size", names::kHidden, essential(draft, family.defaults.hidden));
  out.vocab_size = read.count("vocab_size", names::kVocab, class_default(draft, "vocab_size", names::kVocab, family.defaults.vocab));
  out.max_context = read.count("max_context", names::kContext, family.defaults.context);
  out.norm = read.choice("norm", family.norm);
  const bool has_table = family.learned_positions && !read.overridden("learned_positions");
  const Range rows{1, 100'000'000};
  out.learned_positions = Count{read.fact("learned_positions", has_table ? read.number(names::kContext, rows, known(family.defaults.context)) + family.position_offset : 0)};
  out.final_norm = family.final_norm;
  // Multimodal files may state the tie outside only.
  bool tied = family.tied;
  if (read.nested())
    if (const auto outer = draft.whole_file.find("tie_word_embeddings"); outer != draft.whole_file.end() && outer->is_boolean()) tied = outer->get<bool>();
  out.tied_embeddings = read.flag("tied_embeddings", names::kTied, tied);
  out.head_bias = family.head_bias.read(read, "head_bias");
  out.caps_logits = read.fact("caps_logits", read_cap(read, {"final_logit_softcapping", "logits_soft_cap"}, family.caps_logits) ? 1 : 0) != 0;
}

std::int64_t read_layer_count(ModelBuilder& draft) {
  return draft.read.integer("layers", names::kLayers, essential(draft, draft.family.defaults.layers));
}

void read_layers(ModelBuilder& draft, const Layer& layer) { draft.out.layers.assign(static_cast<std::size_t>(read_layer_count(draft)), layer); }

Attention read_attention(ModelBuilder& draft) {
  ConfigReader& read = draft.read;
  const Family& family = draft.family;
  const std::int64_t heads = read.integer("query_heads", names::kHeads, essential(draft, family.defaults.heads));
  const bool as_many = family.defaults.kv_heads == 0 || read.says_null("num_key_value_heads");
  const std::int64_t kv = family.kv_heads != nullptr ? read.fact("kv_heads", family.kv_heads(draft, heads))
                                                     : read.integer("kv_heads", names::kKvHeads, as_many ? heads : family.defaults.kv_heads);
  check_heads(draft, heads, kv, "kv_heads");
  Attention attention{.query_heads = Count{heads}, .kv_heads = Count{kv}, .head_dim = Count{read_head_dim(draft, heads)}};
  attention.qkv_bias = family.qkv_bias.read(read, "qkv_bias");
  attention.output_bias = family.output_bias.read(read, "output_bias");
  attention.qk_norm = read_qk_norm(read, family.qk_norm);
  attention.caps_scores = read.fact("caps_scores", read_cap(read, {"attn_logit_softcapping"}, family.caps_scores) ? 1 : 0) != 0;
  read_rotary(draft, attention);
  return attention;
}

void gate_attention(ModelBuilder& draft) {
  const bool gate = draft.read.flag("attention_gate", Names{}, true);
  for (Layer& layer : draft.out.layers) layer.attention.output_gate = gate;
}

/// Part of a head may be turned by position; some scalings stretch each frequency by a number of its own.
void read_rotary(ModelBuilder& draft, Attention& attention) {
  ConfigReader& read = draft.read;
  const std::int64_t head = attention.head_dim.value;
  const double part = read.real({"partial_rotary_factor", "rotary_pct", "rope_pct", "rope_parameters.partial_rotary_factor"}, {0, 1}, 1);
  const std::int64_t turned = read.number({"rotary_dim"}, {0, 65'536}, static_cast<std::int64_t>(static_cast<double>(head) * part));
  if (turned > 0 && turned < head) attention.rotary_dim = Count{turned};
  const std::string scaling = read.text({"rope_scaling.rope_type", "rope_scaling.type", "rope_parameters.rope_type"}, "");
  if (scaling == "llama3") draft.out.rotary_factors = Count{std::max<std::int64_t>(1, (turned > 0 ? turned : head) / 2)};
  if (scaling == "longrope" || scaling == "su") draft.out.rotary_factors = Count{turned > 0 ? turned : head}; // one set for long texts, one for short
}

void look_both_ways(ModelBuilder& draft) {
  for (Layer& layer : draft.out.layers) layer.attention.caches = false;
}

void check_heads(ModelBuilder& draft, std::int64_t heads, std::int64_t kv, std::string_view field) {
  if (kv > 0 && kv <= heads && heads % kv == 0) return;
  draft.read.report_at(draft.read.where(field), std::to_string(kv) + " KV heads cannot be shared evenly by " + std::to_string(heads) + " query heads.",
                       "Choose a number of KV heads that divides the query heads.");
}

Mlp read_mlp_style(ModelBuilder& draft) {
  return {.kind = draft.read.choice("mlp_kind", draft.family.mlp),
          .bias = draft.family.mlp_bias.read(draft.read, "mlp_bias"),
          .activation = read_activation(draft)};
}

Count read_mlp_width(ModelBuilder& draft) {
  const Family& family = draft.family;
  if (family.mlp_width != nullptr && !draft.read.overridden("intermediate_size")) return Count{draft.read.fact("intermediate_size", family.mlp_width(draft))};
  if (family.mlp_factor > 0) return draft.read.count("intermediate_size", names::kMlp, family.mlp_factor * draft.hidden());
  return draft.read.count("intermediate_size", names::kMlp, class_default(draft, "intermediate_size", names::kMlp, family.defaults.mlp));
}

Layer read_block(ModelBuilder& draft) {
  const Family& family = draft.family;
  Layer layer;
  layer.parallel = family.parallel.read(draft.read, "parallel_block");
  const std::int64_t norms = layer.parallel && family.norms_in_parallel > 0 ? family.norms_in_parallel : family.norms;
  layer.norms = Count{draft.read.fact("norms_per_layer", norms)};
  layer.fused_projections = draft.read.fact("fused_projections", family.fused ? 1 : 0) != 0;
  layer.mlp = read_mlp_style(draft);
  return layer;
}

void read_alike_layers(ModelBuilder& draft) {
  read_frame(draft);
  Layer layer = read_block(draft);
  layer.attention = read_attention(draft);
  read_layers(draft, layer);
}

void build_decoder(ModelBuilder& draft) {
  read_alike_layers(draft);
  read_feed_forward(draft);
  read_windows(draft);
  if (draft.family.prediction) add_prediction(draft, draft.out.layers.back(), read_prediction_layers(draft));
}

} // namespace plimsoll::io
