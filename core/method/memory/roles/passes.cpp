// Log-probabilities: TRL gathers them from a log-softmax, one sequence after the other where logits have 16 bits, and from
// log-sum-exps, which are small, where they have 32. huggingface/trl, trl/trainer/utils.py, selective_log_softmax.
#include "method/memory/roles/passes.hpp"

#include "method/memory/activations.hpp"
#include "method/memory/states.hpp"
#include "method/term.hpp"
#include "plimsoll/method/sharding.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kTokens{"tokens", "tokens", "of one scoring pass on this GPU", "scoring_batch"};
constexpr SymbolText kVocab{"vocab", "logits", "vocabulary of the model", "vocab_size"};

constexpr Formula kScored{[] { return FormulaText{
    .id = "memory.workspace.scored_logits",
    .label = "Logits of the tokens that are scored",
    .unit = "bytes",
    .text = "vocab * (tokens * bytes_per_logit + sequence * softmax_bytes)",
    .citation = "trl_selective_log_softmax",
    .basis = Basis::published,
    .symbols = {{kVocab,
                 kTokens,
                 {"bytes_per_logit", "bytes", "size of one logit", "precision"},
                 {"sequence", "tokens", "of the one sequence whose log-softmax is computed", "context_tokens"},
                 {"softmax_bytes", "bytes", "size of one number of it", "precision"}}}}; }};

constexpr Formula kTeacher{[] { return FormulaText{
    .id = "memory.loss.teacher",
    .label = "Logits of the teacher",
    .unit = "bytes",
    .text = "tokens * kept * bytes_per_logit",
    .citation = "trl_gkd",
    .basis = Basis::assumed,
    .symbols = {{kTokens,
                 {"kept", "logits", "of each token: the vocabulary, or the largest of them", "teacher_top_k"},
                 {"bytes_per_logit", "bytes", "logit and log-softmax, or the logit and its index in 8 bytes", "precision"}}}}; }};

constexpr Formula kGathered{[] { return FormulaText{
    .id = "memory.weights.gathered",
    .label = "Weights gathered to generate",
    .unit = "bytes",
    .text = "parameters * bytes_per_parameter",
    .citation = "trl_unwrap_for_generation",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of this kind whose shards other GPUs keep", "sharding"},
                 {"bytes_per_parameter", "bytes", "size of one weight", "precision"}}}}; }};

constexpr Formula kReserved{[] { return FormulaText{
    .id = "memory.kv_cache.reserved",
    .label = "Cache that the engine reserves",
    .unit = "bytes",
    .text = "max(floor_div(share * device, 1000) - taken, 0)",
    .citation = "vllm_budget",
    .basis = Basis::published,
    .symbols = {{{"share", "thousandths", "of the device that the engine fills", "rollout_memory_fraction"},
                 {"device", "bytes", "that a process can allocate", "device"},
                 {"taken", "bytes", "of its weights and of the cache that the answers need", ""}}}}; }};

} // namespace

Term reserved_cache(const Scenario& policy, Bytes taken) noexcept {
  const Count share{policy.composition.rollout_memory_permille}, device{policy.hardware.usable_bytes};
  const Bytes whole{(share * device).value / 1000};
  return make_term(kReserved, max(whole - taken, Bytes{0}), {share.value, device.value, taken.value});
}

Term scored_logits(const Scenario& scenario) noexcept {
  const Bytes element = scenario.weights.compute_bytes, softmax = element < Bytes{4} ? element : Bytes{0};
  const Count tokens = tokens_inside(scenario), vocab = scenario.model.vocab_size;
  const Count sequence = min(tokens, Count{scenario.workload.context_tokens});
  return make_term(kScored, vocab * (tokens * element + sequence * softmax),
                   {vocab.value, tokens.value, element.value, sequence.value, softmax.value});
}

Term teacher_logits(const Scenario& scenario, Count top_k) noexcept {
  const Bytes element = scenario.weights.compute_bytes;
  const Count tokens = tokens_inside(scenario), vocab = scenario.model.vocab_size;
  const bool whole = top_k == Count{0} || vocab <= top_k;
  const Count kept = whole ? vocab : top_k;
  constexpr Bytes kIndex{8}; // torch.topk gives int64 indices
  const Bytes each = whole ? element + element : element + kIndex;
  return make_term(kTeacher, tokens * (kept * each), {tokens.value, kept.value, each.value});
}

Term gathered_weights(const Term& parameters, Count count, Bytes per_parameter) noexcept {
  Term term = make_term(kGathered, count * per_parameter, {count.value, per_parameter.value});
  term.of = parameters.formula;
  term.group = parameters.group;
  return term;
}

} // namespace plimsoll::memory
