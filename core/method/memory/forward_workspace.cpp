// What one forward pass of an inference engine holds besides weights and cache: residual stream and normed copy, and the
// widest tensors of attention or MLP; then logits of the sampled positions, and what sampling makes of them.
#include "method/memory/serving.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kForward{[] { return FormulaText{
    .id = "memory.workspace.forward",
    .label = "Activations of one pass",
    .unit = "bytes",
    .text = "tokens * element * (2 * hidden + max(queries + keys_values + output + recurrent, mlp_tensors * channels + routed))",
    .citation = "inference_live_set",
    .basis = Basis::assumed,
    .symbols = {{{"tokens", "tokens", "that one forward pass takes", "prefill_tokens"},
                 {"element", "bytes", "size of one activation", "weight_dtype"},
                 {"hidden", "channels", "width of the model: residual stream and its normed copy", "hidden_size"},
                 {"queries", "channels", "query heads × head size, of this GPU", "query_heads"},
                 {"keys_values", "channels", "key/value heads × head size, of this GPU: keys and values", "kv_heads"},
                 {"output", "channels", "that the output map of attention reads", "query_heads"},
                 {"recurrent", "channels", "into and out of a recurrence", ""},
                 {"mlp_tensors", "", "tensors of MLP width alive at once: gate, up and activation when gated", "mlp_kind"},
                 {"channels", "channels", "intermediate channels that a token meets on this GPU: dense, chosen and shared experts",
                  "intermediate_size"},
                 {"routed", "channels", "copies of the hidden state sent to the chosen experts", "experts_per_token"}}}}; }};

// A vLLM decoder layer overwrites residual stream and normed copy in place, while the loop over layers still holds what it passed in:
// vllm/model_executor/models/llama.py. Two logs of vLLM 0.6 with Llama-3.1-8B at 20,000 and 29,000 tokens (2.07 and 2.99 GiB) grow by
// 110 KB per token, three hidden states and the MLP's three tensors.
constexpr Formula kEnginePass{[] {
  FormulaText formula = kForward.written();
  formula.text = "tokens * element * (3 * hidden + max(queries + keys_values + output + recurrent, mlp_tensors * channels + routed))";
  formula.symbols[2].meaning = "width of the model: residual stream, its normed copy and the layer's input";
  return formula;
}};

constexpr SymbolText kSequences{"sequences", "sequences", "one sampled position each", "batch"};
constexpr SymbolText kVocab{"vocab", "logits", "vocabulary of the model, gathered on every GPU", "vocab_size"};

constexpr Formula kLogits{[] { return FormulaText{
    .id = "memory.workspace.logits",
    .label = "Logits",
    .unit = "bytes",
    .text = "sequences * vocab * bytes_per_logit",
    .citation = "inference_live_set",
    .basis = Basis::assumed,
    .symbols = {{kSequences, kVocab, {"bytes_per_logit", "bytes", "the logit and its fp32 copy", "profile"}}}}; }};

constexpr Formula kSampler{[] { return FormulaText{
    .id = "memory.workspace.sampler",
    .label = "Sampling",
    .unit = "bytes",
    .text = "sequences * vocab * bytes_per_logit",
    .citation = "vllm_profile_run",
    .basis = Basis::assumed,
    .symbols = {{kSequences, kVocab, {"bytes_per_logit", "bytes", "sorted values, indices, probabilities and masks", "profile"}}}}; }};

/// sequences * vocab * constant, with the constant's range.
Term per_logit(const Formula& formula, const Scenario& scenario, Count sequences, const Constant& constant) noexcept {
  const Count vocab = scenario.model.vocab_size;
  const auto amount = [&](std::int64_t bytes) { return sequences * (vocab * Bytes{bytes}); };
  Term term = make_term(formula, amount(constant.value), {sequences.value, vocab.value, constant.value}, {.provenance = &constant});
  term.low = amount(constant.low).value;
  term.high = amount(constant.high).value;
  return term;
}

} // namespace

Count prefill_pass_tokens(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Workload& workload = scenario.workload;
  return min(Count{workload.prefill_tokens}, Count{workload.batch} * scenario.model.sequence_of(group, Count{workload.context_tokens}));
}

namespace {

Term live_set(const Formula& formula, std::int64_t hidden_states, const PassWidths& of, Count tokens) noexcept {
  const Count mixing = of.queries + of.keys_values + of.output + of.recurrent;
  const Count widest = max(mixing, of.mlp_tensors * of.channels + of.routed);
  return make_term(formula, tokens * ((Count{hidden_states} * of.hidden + widest) * of.element),
                   {tokens.value, of.element.value, of.hidden.value, of.queries.value, of.keys_values.value, of.output.value, of.recurrent.value,
                    of.mlp_tensors.value, of.channels.value, of.routed.value});
}

} // namespace

PassWidths pass_widths(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, per_token = group.moe.per_token;
  const bool gated = (group.moe.experts > Count{0} ? group.moe.kind : group.mlp.kind) == MlpKind::gated;
  return {.element = scenario.weights.compute_bytes,
          .hidden = h,
          .queries = share.query_width,
          .keys_values = share.key_width + share.value_width,
          .output = share.output_width,
          .recurrent = share.recurrent_projected + share.recurrent_inner,
          .mlp_tensors = Count{gated ? 3 : 2},
          .channels = share.intermediate + per_token * share.expert + share.shared,
          .routed = per_token * h};
}

Term forward_workspace(const Scenario& scenario, const LayerGroup& group, Count tokens) noexcept {
  return live_set(kForward, 2, pass_widths(scenario, group), tokens);
}

Term engine_pass(const PassWidths& widths, Count tokens) noexcept { return live_set(kEnginePass, 3, widths, tokens); }

namespace {

/// The pass that takes most, of the towers that read the images and sounds of prompts. A pass takes as many images as its budget holds, and one in any
/// case; those of a longer prompt follow.
std::optional<Term> tower_pass(const Scenario& scenario) noexcept {
  std::optional<Term> largest;
  for (const AuxiliaryModel& auxiliary : scenario.auxiliary_models) {
    if (auxiliary.role != Role::tower) continue;
    const Scenario& tower = auxiliary.scenario;
    const Count each{tower.workload.context_tokens}, all = Count{tower.workload.batch} * each, tokens = max(each, min(all, Count{tower.workload.prefill_tokens}));
    for (const LayerGroup& group : tower.model.groups) {
      Term pass = engine_pass(pass_widths(tower, group), tokens);
      pass.variant = text_of(Role::tower).id;
      if (!largest || pass.amount > largest->amount) largest = pass;
    }
  }
  return largest;
}

} // namespace

Term prompt_pass(const Scenario& scenario, const PassWidths& widths, Count tokens) noexcept {
  const Term read = engine_pass(widths, tokens);
  const std::optional<Term> seen = tower_pass(scenario);
  return seen && seen->amount > read.amount ? *seen : read;
}

Term logits(const Scenario& scenario, Count sequences) noexcept {
  return per_logit(kLogits, scenario, sequences, scenario.profile.inference.logit_bytes);
}

Term sampler(const Scenario& scenario, Count sequences) noexcept {
  return per_logit(kSampler, scenario, sequences, scenario.profile.inference.sampler_bytes);
}

} // namespace plimsoll::memory
