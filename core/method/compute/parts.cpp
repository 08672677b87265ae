// Multiplications of matrices: 2 operations for each parameter. Kaplan et al., 2020 (arXiv 2001.08361), table 1; the backward pass
// multiplies twice as often, with the inputs for the weights' gradients and with the weights for the inputs'.
#include "method/compute/visit.hpp"

#include "method/memory/layers.hpp"
#include "method/parameters/kinds.hpp"
#include "method/term.hpp"
#include "plimsoll/method/media.hpp"

namespace plimsoll::compute {

namespace {

constexpr SymbolText kPassesText{"passes", "", "forward, for the gradients of inputs, and for those of weights where these train", "task"};
constexpr SymbolText kLayersText{"layers", "layers", "of this kind", "layers"};
constexpr SymbolText kKeysText{"keys", "tokens", "that a token looks at, on average over the sequence", "context_tokens"};

constexpr Formula kMatrices{[] { return FormulaText{
    .id = "flops.matrices",
    .label = "GEMMs with weights",
    .unit = "FLOP",
    .text = "2 * passes * parameters",
    .citation = "kaplan_2020",
    .basis = Basis::published,
    .symbols = {{kPassesText, {"parameters", "parameters", "of matrices that one token is multiplied with", ""}}}}; }};

constexpr Formula kAttention{[] { return FormulaText{
    .id = "flops.attention",
    .label = "Attention scores and sums",
    .unit = "FLOP",
    .text = "2 * passes * layers * heads * (key_channels + value_channels) * keys",
    .citation = "megatron_flops",
    .basis = Basis::published,
    .symbols = {{kPassesText,
                 kLayersText,
                 {"heads", "heads", "of queries", "query_heads"},
                 {"key_channels", "channels", "of one query and key", "head_dim"},
                 {"value_channels", "channels", "of one value", "head_dim"},
                 kKeysText}}}; }};

constexpr Formula kCross{[] { return FormulaText{
    .id = "flops.cross_attention",
    .label = "Attention to the encoder",
    .unit = "FLOP",
    .text = kAttention.written().text,
    .citation = "megatron_flops",
    .basis = Basis::published,
    .symbols = kAttention.written().symbols}; }};

// Megatron-LM, megatron/training/training.py, num_floating_point_operations: 7 for the scan of Mamba-2. Other recurrences are counted
// like it, which nobody has published.
constexpr Formula kRecurrence{[] { return FormulaText{
    .id = "flops.recurrence",
    .label = "Scan and convolution",
    .unit = "FLOP",
    .text = "passes * layers * (7 * state + 2 * channels * taps)",
    .citation = "megatron_flops",
    .basis = Basis::assumed,
    .symbols = {{kPassesText,
                 kLayersText,
                 {"state", "numbers", "of recurrent state", ""},
                 {"channels", "channels", "of the convolution", ""},
                 {"taps", "", "of the convolution", ""}}}}; }};

constexpr Formula kAdapters{[] { return FormulaText{
    .id = "flops.adapters",
    .label = "Adapters",
    .unit = "FLOP",
    .text = "2 * passes * parameters",
    .citation = "kaplan_2020",
    .basis = Basis::published,
    .symbols = {{kPassesText, {"parameters", "parameters", "that train", "rank"}}}}; }};

constexpr Formula kReached{[] { return FormulaText{
    .id = "flops.reached",
    .label = "Forward in all layers, backward in the last ones",
    .unit = "FLOP",
    .text = "ceil_div(whole, passes * layers) * (layers + (passes - 1) * last)",
    .citation = "kaplan_2020",
    .basis = Basis::published,
    .symbols = {{{"whole", "FLOP", "forward and backward in all layers", ""}, kLayersText, kPassesText, {"last", "layers", "of them that gradients pass", "trained_layers"}}}}; }};

constexpr Formula kMatricesAgain{[] { return FormulaText{
    .id = "flops.recomputed.matrices",
    .label = "Recomputed GEMMs",
    .unit = "FLOP",
    .text = "ceil_div(forward * again, layers)",
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = {{{"forward", "FLOP", "one forward pass of what can run again in all layers", ""},
                 {"again", "layers", "that run again", "recompute"},
                 {"layers", "layers", "in all", "layers"}}}}; }};

constexpr Formula kScoresAgain{[] { return FormulaText{
    .id = "flops.recomputed.attention",
    .label = "Attention scores and sums that run again",
    .unit = "FLOP",
    .text = kMatricesAgain.written().text,
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = kMatricesAgain.written().symbols}; }};

constexpr Formula kRecurrencesAgain{[] { return FormulaText{
    .id = "flops.recomputed.recurrence",
    .label = "Scans and convolutions that run again",
    .unit = "FLOP",
    .text = kMatricesAgain.written().text,
    .citation = "checkpointing",
    .basis = Basis::published,
    .symbols = kMatricesAgain.written().symbols}; }};

Term attention_term(const Formula& formula, const LayerGroup& group, Count layers, Count heads, Count key, Count value, Count keys) noexcept {
  return make_term(formula, Count{2} * (kPasses * (layers * (heads * ((key + value) * keys)))),
                   {kPasses.value, layers.value, heads.value, key.value, value.value, keys.value}, {.group = &group});
}

/// Keys that a token looks at through `attention`, on average over a sequence of `context` tokens. In a decoder it looks back: half
/// of the others. A window of w tokens shortens that to w - w²/2s, a chunk of w to w/2.
Count mean_keys(const AttentionShape& attention, bool both_ways, Count context) noexcept {
  if (both_ways) return context;
  const Count window = min(attention.window, context);
  switch (attention.pattern) {
    case AttentionPattern::full: return Count{context.value / 2};
    case AttentionPattern::sliding: return window - Count{ceil_div(window * window, Count{2} * context).value};
    case AttentionPattern::chunked: return Count{window.value / 2};
  }
  return context;
}

} // namespace

Count multiplied(const ModelTensor& part) noexcept {
  const Tensor& tensor = part.tensor;
  const bool looked_up = tensor.kind == TensorKind::embedding || tensor.kind == TensorKind::positions || tensor.active_rows > Count{0};
  return tensor.matrix && !looked_up ? part.layers * active_elements(tensor) : Count{0};
}

Count passes_over_weights(const Scenario& scenario) noexcept { return is_frozen(scenario) ? Count{2} : kPasses; }

Term matrices(const Term& kind, Count multiplied, Count passes) noexcept {
  Term term = make_term(kMatrices, Count{2} * (passes * multiplied), {passes.value, multiplied.value});
  term.of = kind.formula;
  term.group = kind.group;
  return term;
}

Count per_token(const Model& model, const LayerGroup* group, Count amount, Count context) noexcept {
  const Count own = group != nullptr ? model.sequence_of(*group, context) : context;
  return own == context ? amount : ceil_div(amount * own, max(context, Count{1}));
}

Term attention(const Model& model, const LayerGroup& group, Count context, Count copies) noexcept {
  const AttentionShape& of = group.attention_shape;
  const bool both_ways = group.encoder || !group.attention.caches;
  const Count keys = per_token(model, &group, mean_keys(of, both_ways, model.sequence_of(group, context)), context);
  return attention_term(kAttention, group, copies * group.layers, of.copies * of.heads, of.query_dim, of.value_dim, keys);
}

Term cross_attention(const LayerGroup& group, Count context) noexcept {
  return attention_term(kCross, group, group.layers, group.cross.query_heads, group.cross.head_dim, group.cross.value_dim > Count{0} ? group.cross.value_dim : group.cross.head_dim, context);
}

// Attention within windows is taken for attention to the whole image.
TowerWork tower_work(const Tower& tower, const Media& media) noexcept {
  const MediaLoad load = media_load(tower, media);
  TowerWork work{.patches = load.patches(), .inside = {}, .tokens = {}, .outside = {}, .layers = {}, .channels = {}, .seen = load.patches_of_each};
  work.tokens = ceil_div(work.patches, max(tower.join, Count{1}));
  for (const ModelTensor& part : tower.model.tensors) (part.group != ModelTensor::kNoGroup ? work.inside : work.outside) += multiplied(part);
  for (const LayerGroup& group : tower.model.groups) {
    work.layers += group.layers;
    work.channels = max(work.channels, group.attention_shape.heads * group.attention_shape.value_dim);
  }
  return work;
}

Term recurrence(const LayerGroup& group) noexcept {
  const RecurrenceShape& shape = group.recurrence_shape;
  const Count taps = shape.conv_taps + Count{1};
  return make_term(kRecurrence, kPasses * (group.layers * (Count{7} * shape.state + Count{2} * (shape.conv_channels * taps))),
                   {kPasses.value, group.layers.value, shape.state.value, shape.conv_channels.value, taps.value}, {.group = &group});
}

Term adapters(Count trainable) noexcept {
  return make_term(kAdapters, Count{2} * (kPasses * trainable), {kPasses.value, trainable.value});
}

Term reached_by_gradients(const Term& whole, Count passes, Count layers, Count last) noexcept {
  const Count of = max(passes * layers, Count{1});
  // Whole passes over a layer at a time, so that the product stays within 64 bits.
  const Count amount = ceil_div(whole.count(), of) * (layers + (passes - Count{1}) * last);
  Term term = make_term(kReached, amount, {whole.amount, layers.value, passes.value, last.value});
  term.of = whole.formula;
  term.group = whole.group;
  return term;
}

Term run_again(Part part, Count forward, Count again, Count layers) noexcept {
  return make_term(part == Part::scores_again ? kScoresAgain : part == Part::recurrences_again ? kRecurrencesAgain : kMatricesAgain, ceil_div(forward * again, layers), {forward.value, again.value, layers.value});
}

} // namespace plimsoll::compute
