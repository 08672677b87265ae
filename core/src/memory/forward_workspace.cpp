// What one forward pass of an inference engine holds besides weights and cache: residual stream and normed copy, and the
// widest tensors of attention or MLP; then logits of the sampled positions, and what sampling makes of them.
#include "memory/serving.hpp"
#include "plimsoll/sharding.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr Formula kForward{
    .id = "memory.workspace.forward",
    .label = "Activations of one pass",
    .unit = "bytes",
    .text = "tokens * element * (2 * hidden + max(2 * query + 2 * kv, mlp_tensors * channels))",
    .citation = "inference_live_set",
    .basis = Basis::assumed,
    .symbols = {{{"tokens", "tokens", "that one forward pass takes", "prefill_tokens"},
                 {"element", "bytes", "size of one activation: that of a weight", "weight_dtype"},
                 {"hidden", "channels", "width of the model: residual stream and its normed copy", "hidden_size"},
                 {"query", "channels", "query heads × head size, of this GPU: queries and output", "query_heads"},
                 {"kv", "channels", "key/value heads × head size, of this GPU", "kv_heads"},
                 {"mlp_tensors", "", "tensors of MLP width alive at once: gate, up and activation when gated", "mlp_kind"},
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"}}}};

constexpr SymbolText kSequences{"sequences", "sequences", "one sampled position each", "batch"};
constexpr SymbolText kVocab{"vocab", "logits", "vocabulary of the model, gathered on every GPU", "vocab_size"};

constexpr Formula kLogits{
    .id = "memory.workspace.logits",
    .label = "Logits",
    .unit = "bytes",
    .text = "sequences * vocab * bytes_per_logit",
    .citation = "inference_live_set",
    .basis = Basis::assumed,
    .symbols = {{kSequences, kVocab, {"bytes_per_logit", "bytes", "the logit and its fp32 copy", "profile"}}}};

constexpr Formula kSampler{
    .id = "memory.workspace.sampler",
    .label = "Sampling",
    .unit = "bytes",
    .text = "sequences * vocab * bytes_per_logit",
    .citation = "vllm_profile_run",
    .basis = Basis::assumed,
    .symbols = {{kSequences, kVocab, {"bytes_per_logit", "bytes", "sorted values, indices, probabilities and masks", "profile"}}}};

/// sequences * vocab * constant, with the constant's range.
Term per_logit(const Formula& formula, const Scenario& scenario, const Constant& constant) noexcept {
  const Count sequences{scenario.workload.batch}, vocab = scenario.model.vocab_size;
  const auto amount = [&](std::int64_t bytes) { return sequences * (vocab * Bytes{bytes}); };
  Term term = make_term(formula, amount(constant.value), {sequences.value, vocab.value, constant.value});
  term.low = amount(constant.low).value;
  term.high = amount(constant.high).value;
  return sourced(term, constant);
}

} // namespace

Count prefill_pass_tokens(const Workload& workload) noexcept {
  return min(Count{workload.prefill_tokens}, Count{workload.batch} * Count{workload.context_tokens});
}

Term forward_workspace(const Scenario& scenario, const LayerGroup& group, Count tokens) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count h = scenario.model.hidden_size, q = share.query_width, kv = share.kv_width, f = share.intermediate;
  const Count mlp_tensors{group.mlp.kind == MlpKind::gated ? 3 : 2};
  const Bytes element = bytes_per_element(scenario.strategy.weight_dtype);
  const Count widest = max(Count{2} * q + Count{2} * kv, mlp_tensors * f);
  return make_term(kForward, tokens * ((Count{2} * h + widest) * element),
                   {tokens.value, element.value, h.value, q.value, kv.value, mlp_tensors.value, f.value});
}

Term logits(const Scenario& scenario) noexcept { return per_logit(kLogits, scenario, scenario.profile.inference.logit_bytes); }

Term sampler(const Scenario& scenario) noexcept { return per_logit(kSampler, scenario, scenario.profile.inference.sampler_bytes); }

} // namespace plimsoll::memory
