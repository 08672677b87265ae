#include "method/memory/buffers/exchange.hpp"

#include "method/memory/activations.hpp"
#include "method/memory/states.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kElement{"element", "bytes", "size of one activation", "precision"};

// Korthikanti et al. 2022 (arXiv 2205.05198), section 4.2.2: what is kept is divided, and gathered again for the backward pass.
constexpr Formula kSequence{[] { return FormulaText{
    .id = "memory.buffers.sequence",
    .label = "Gathered sequence",
    .unit = "bytes",
    .text = "tokens * hidden * element",
    .citation = "sequence_parallel",
    .basis = Basis::published,
    .symbols = {{{"tokens", "tokens", "of all GPUs of the tensor-parallel group", "batch"},
                 {"hidden", "channels", "width of the model", "hidden_size"},
                 kElement}}}; }};

// Ring: one block of keys and values at work and one on its way. Liu et al. 2023 (arXiv 2310.01889). All-gather: the keys and values
// of the whole sequence. Ulysses: queries, keys and values of the whole sequence for some heads. Jacobs et al. 2023 (arXiv 2309.14509).
constexpr Formula kContext{[] { return FormulaText{
    .id = "memory.buffers.context",
    .label = "Keys and values of other parts of the sequence",
    .unit = "bytes",
    .text = "blocks * tokens * channels * element",
    .citation = "ring_attention",
    .basis = Basis::published,
    .symbols = {{{"blocks", "", "on this GPU at once: a ring has one at work and one on its way", "context_method"},
                 {"tokens", "tokens", "of one block", "context_tokens"},
                 {"channels", "channels", "of keys and values, with Ulysses of queries too, of this GPU", "kv_heads"},
                 kElement}}}; }};

// Sent and received rows exist at once. DeepSpeed-MoE, Rajbhandari et al. 2022 (arXiv 2201.05596), section 5.
constexpr Formula kDispatch{[] { return FormulaText{
    .id = "memory.buffers.dispatch",
    .label = "Tokens on their way to the experts",
    .unit = "bytes",
    .text = "(sent + received) * hidden * element",
    .citation = "deepspeed_moe",
    .basis = Basis::published,
    .symbols = {{{"sent", "rows", "tokens of this GPU, once for each expert they are sent to", "experts_per_token"},
                 {"received", "rows", "for this GPU's experts, with an even router", "expert_parallel"},
                 {"hidden", "channels", "that experts work on", "hidden_size"},
                 kElement}}}; }};

Bytes element_of(const Scenario& scenario) noexcept { return precision_bytes(scenario.strategy.precision).compute; }

} // namespace

Term gathered_sequence(const Scenario& scenario) noexcept {
  const Count tokens = tokens_inside(scenario), h = scenario.model.hidden_size;
  const Bytes element = element_of(scenario);
  return make_term(kSequence, tokens * (h * element), {tokens.value, h.value, element.value});
}

Term exchanged_context(const Scenario& scenario, const LayerGroup& group) noexcept {
  const LayerShare share = layer_share(group, scenario.strategy);
  const Count keys_values = share.key_width + share.value_width, own = tokens_inside(scenario);
  const Count whole = sequence_tokens(scenario.workload);
  const Bytes element = element_of(scenario);
  const auto term = [&](Count blocks, Count tokens, Count channels) {
    Term made = make_term(kContext, blocks * (tokens * (channels * element)), {blocks.value, tokens.value, channels.value, element.value});
    made.group = &group;
    return made;
  };
  switch (scenario.strategy.context_method) {
    case ContextMethod::all_gather: return term(Count{1}, whole, keys_values);
    case ContextMethod::ulysses: return term(Count{1}, own, share.query_width + keys_values);
    case ContextMethod::ring: break;
  }
  return term(Count{2}, own, keys_values);
}

Term dispatched_tokens(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Count k = group.moe.per_token, sent = tokens_between(scenario) * k;
  const Count received = routed_rows(scenario.workload, scenario.strategy, k);
  const Count h = group.moe.latent_size > Count{0} ? group.moe.latent_size : scenario.model.hidden_size;
  const Bytes element = element_of(scenario);
  return make_term(kDispatch, (sent + received) * (h * element), {sent.value, received.value, h.value, element.value}, {.group = &group});
}

} // namespace plimsoll::memory
