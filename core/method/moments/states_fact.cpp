#include "method/moments/states_fact.hpp"

#include "method/moments/visit.hpp"

namespace plimsoll::moments {

namespace {

constexpr Formula kStates{[] { return FormulaText{
    .id = "fact.states_per_parameter",
    .label = "Weight, gradient and optimizer states per parameter",
    .unit = "bytes",
    .text = "weight + master + gradient + ceil_div(states, max(parameters, 1))",
    .citation = "pytorch_adam",
    .basis = Basis::published,
    .symbols = {{{"weight", "bytes", "size of one weight", "precision"},
                 {"master", "bytes", "size of one master weight, or 0", "precision"},
                 {"gradient", "bytes", "size of one gradient", "precision"},
                 {"states", "bytes", "of the optimizer, of what this GPU steps", "optimizer"},
                 {"parameters", "parameters", "that this GPU steps", ""}}}}; }};

bool is_state(const Term& term) noexcept {
  return term.formula->written().id == "memory.optimizer.states" || term.formula->written().id == "memory.optimizer.paged_states";
}

} // namespace

Term states_per_parameter(const Scenario& scenario, const Stage& stage) noexcept {
  Stepped all;
  parameters::each_in_stage(scenario.model, scenario.strategy, stage, [&](const KindCount& of, Count layers) {
    if (!is_trained(scenario.model, of.kind)) return;
    all.numbers += memory::state_share(scenario, of.kind, layers * Count{of.numbers}).states;
    all.tensors += layers * Count{of.tensors};
  });
  Bytes states;
  visit_optimizer(scenario, stage, memory::state_plan(scenario), all, [&](Lifetime, Part, const Term& term) {
    if (is_state(term)) states += term.bytes();
  });
  const Count stepped = all.numbers;
  const memory::RegimeBytes bytes = memory::state_bytes(scenario.strategy);
  const Bytes gradient = memory::gradient_bytes(scenario);
  const Bytes each{ceil_div(Count{states.value}, max(stepped, Count{1})).value};
  return make_term(kStates, bytes.weight + bytes.master + gradient + each,
                   {bytes.weight.value, bytes.master.value, gradient.value, states.value, stepped.value});
}

} // namespace plimsoll::moments
