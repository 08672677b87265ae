// The rule that decides most of it: an optimizer keeps its states in the dtype of the parameters it is given
// (torch/optim/adam.py, zeros_like of the parameter). Pure bf16 AdamW is 2 + 2 + 4 = 8 bytes per parameter, fp32 16.
#include "memory/states.hpp"

#include "plimsoll/sharding.hpp"
#include "term.hpp"

namespace plimsoll::memory {

namespace {

constexpr SymbolText kParameters{"parameters", "parameters", "of this kind on this GPU, counted as the Parameters tree shows", ""};
constexpr SymbolText kAllParameters{"parameters", "parameters", "all of them on this GPU", ""};

constexpr Formula kWeights{.id = "memory.weights",
                           .label = "Weights",
                           .unit = "bytes",
                           .text = "parameters * bytes_per_parameter",
                           .citation = "dtype_sizes",
                           .basis = Basis::counted,
                           .symbols = {{kParameters, {"bytes_per_parameter", "bytes", "size of one weight", "weight_dtype"}}}};

constexpr Formula kAutocast{
    .id = "memory.weights.autocast_copies",
    .label = "bf16 copies held by autocast",
    .unit = "bytes",
    .text = "parameters * bytes_per_copy",
    .citation = "pytorch_autocast",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of matrices on this GPU whose copy is alive", ""},
                 {"bytes_per_copy", "bytes", "size of one bf16 number", "regime"}}}};

constexpr Formula kGradients{
    .id = "memory.gradients",
    .label = "Gradients",
    .unit = "bytes",
    .text = "parameters * bytes_per_parameter",
    .citation = "pytorch_autograd",
    .basis = Basis::published,
    .symbols = {{{"parameters", "parameters", "of this kind whose gradient exists at this moment", ""},
                 {"bytes_per_parameter", "bytes", "size of one gradient: that of the weight", "regime"}}}};

constexpr Formula kWorkingGradient{
    .id = "memory.gradients.working",
    .label = "Gradient being computed",
    .unit = "bytes",
    .text = "hidden * channels * bytes_per_parameter",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{{"hidden", "channels", "width of the model", "hidden_size"},
                 {"channels", "channels", "intermediate channels of this GPU", "intermediate_size"},
                 {"bytes_per_parameter", "bytes", "size of one gradient", "regime"}}}};

constexpr Formula kTiedCopies{
    .id = "memory.gradients.tied_copies",
    .label = "Further gradients of the shared table",
    .unit = "bytes",
    .text = "copies * parameters * bytes_per_parameter",
    .citation = "measured_h200",
    .basis = Basis::measured,
    .symbols = {{{"copies", "", "the embedding's gradient and, without autocast, the sum of both, beside the head's", "regime"},
                 {"parameters", "parameters", "of the table that is both embedding and head", "tied_embeddings"},
                 {"bytes_per_parameter", "bytes", "size of one gradient", "regime"}}}};

constexpr Formula kOptimizer{
    .id = "memory.optimizer.states",
    .label = "States kept between steps",
    .unit = "bytes",
    .text = "parameters * states * bytes_per_state",
    .citation = "pytorch_adam",
    .basis = Basis::published,
    .symbols = {{kAllParameters,
                 {"states", "", "states per parameter: AdamW keeps two, momentum one", "optimizer"},
                 {"bytes_per_state", "bytes", "size of one state: that of the weight", "regime"}}}};

constexpr Formula kStepCopies{
    .id = "memory.optimizer.step_copies",
    .label = "Copies made during the step",
    .unit = "bytes",
    .text = "parameters * copies * bytes_per_state",
    .citation = "pytorch_adam",
    .basis = Basis::published,
    .symbols = {{kAllParameters,
                 {"copies", "", "lists the size of all parameters that the foreach step makes", "optimizer"},
                 {"bytes_per_state", "bytes", "size of one state", "regime"}}}};

constexpr Formula kBuckets{
    .id = "memory.buffers",
    .label = "All-reduce buckets",
    .unit = "bytes",
    .text = "parameters * copies * bytes_per_gradient",
    .citation = "pytorch_ddp",
    .basis = Basis::published,
    .symbols = {{kAllParameters,
                 {"copies", "", "copies of all gradients that the profile's data parallelism keeps", "profile"},
                 {"bytes_per_gradient", "bytes", "size of one gradient", "regime"}}}};

Term of_parameters(const Formula& formula, const Term& parameters, Bytes each) noexcept {
  Term term = make_term(formula, parameters.count() * each, {parameters.amount, each.value});
  term.of = parameters.formula;
  term.group = parameters.group;
  return term;
}

} // namespace

RegimeBytes regime_bytes(Regime regime) noexcept {
  switch (regime) {
    case Regime::bf16: return {Bytes{2}, Bytes{2}, Bytes{2}, Bytes{2}, Bytes{2}};
    case Regime::mixed_bf16: return {Bytes{4}, Bytes{4}, Bytes{4}, Bytes{2}, Bytes{4}};
    case Regime::fp32: break;
  }
  return {Bytes{4}, Bytes{4}, Bytes{4}, Bytes{4}, Bytes{4}};
}

OptimizerStates optimizer_states(Optimizer optimizer) noexcept {
  switch (optimizer) {
    case Optimizer::adamw_fused: return {Count{2}, Count{0}};
    case Optimizer::adamw_foreach: return {Count{2}, Count{1}}; // the list of exp_avg_sq square roots
    case Optimizer::sgd_momentum: return {Count{1}, Count{0}};
    case Optimizer::sgd: break;
  }
  return {Count{0}, Count{0}};
}

Term weights(const Term& parameters, Bytes per_parameter) noexcept { return of_parameters(kWeights, parameters, per_parameter); }

Term autocast_copies(const Term& parameters) noexcept { return of_parameters(kAutocast, parameters, Bytes{2}); }

Term gradients(const Term& parameters, Bytes per_parameter) noexcept {
  return of_parameters(kGradients, parameters, per_parameter);
}

Term working_gradient(const Scenario& scenario, const LayerGroup& group) noexcept {
  const Count h = scenario.model.hidden_size, f = layer_share(group, scenario.strategy).intermediate;
  const Bytes each = regime_bytes(scenario.strategy.regime).gradient;
  return make_term(kWorkingGradient, h * (f * each), {h.value, f.value, each.value});
}

Term tied_gradient_copies(const Term& embedding, Regime regime) noexcept {
  const Count copies{regime == Regime::mixed_bf16 ? 1 : 2};
  const Bytes each = regime_bytes(regime).gradient;
  return make_term(kTiedCopies, copies * (embedding.count() * each), {copies.value, embedding.amount, each.value});
}

Term optimizer(Count parameters, const Strategy& strategy) noexcept {
  const Count states = optimizer_states(strategy.optimizer).kept;
  const Bytes each = regime_bytes(strategy.regime).state;
  return make_term(kOptimizer, parameters * (states * each), {parameters.value, states.value, each.value});
}

Term optimizer_step_copies(Count parameters, const Strategy& strategy) noexcept {
  const Count copies = optimizer_states(strategy.optimizer).during_step;
  const Bytes each = regime_bytes(strategy.regime).state;
  return make_term(kStepCopies, parameters * (copies * each), {parameters.value, copies.value, each.value});
}

Term gradient_buckets(Count parameters, const Scenario& scenario) noexcept {
  const Constant& copies = scenario.profile.training.gradient_copies;
  const Bytes each = regime_bytes(scenario.strategy.regime).gradient;
  return sourced(make_term(kBuckets, parameters * (Count{copies.value} * each), {parameters.value, copies.value, each.value}),
                 copies);
}

} // namespace plimsoll::memory
