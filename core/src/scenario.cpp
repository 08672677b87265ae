#include "plimsoll/scenario.hpp"

#include "composition.hpp"
#include "plimsoll/tuning_parameters.hpp"

namespace plimsoll {

Scenario scenario_of(const Inputs& inputs, const Profile& profile, const Profile& engine) {
  Scenario scenario{.model = inputs.model,
                    .weights = inputs.weights,
                    .workload = inputs.workload,
                    .strategy = inputs.strategy,
                    .implementation = inputs.implementation,
                    .tuning = inputs.tuning,
                    .composition = inputs.composition,
                    .companions = {},
                    .hardware = inputs.hardware,
                    .profile = profile};
  if (is_frozen(scenario)) {
    scenario.workload.context_tokens = (Count{scenario.workload.context_tokens} + Count{added_tokens(scenario.tuning)}).value;
    if (scenario.workload.mean_tokens > 0)
      scenario.workload.mean_tokens = (Count{scenario.workload.mean_tokens} + Count{added_tokens(scenario.tuning)}).value;
    if (scenario.tuning.adapter_dtype == AdapterDtype::profile) scenario.tuning.adapter_dtype = profile.training.tuning.adapter_dtype;
    if (scenario.strategy.regime == Regime::fp32) scenario.tuning.adapter_dtype = AdapterDtype::fp32;
  }
  // LitGPT has its own layers, whatever matrices a family's checkpoints join: queries, keys and values in one map, the MLP's in two.
  if (is_frozen(scenario) && profile.training.tuning.joint_attention)
    for (LayerGroup& group : scenario.model.groups) group.fused_projections = false;
  if (!trains(scenario.workload.task)) { // what only training asks has no effect on serving
    const Strategy& asked = inputs.strategy;
    scenario.strategy = {};
    scenario.strategy.kv_dtype = asked.kv_dtype;
    scenario.strategy.tensor_parallel = asked.tensor_parallel;
    scenario.strategy.data_parallel = asked.data_parallel;
    scenario.workload.micro_batches = 1;
    scenario.workload.batching = Batching::padded;
    scenario.workload.mean_tokens = 0;
    scenario.implementation = {};
    scenario.tuning = {};
  }
  compose(scenario, inputs.role_models, engine);
  return scenario;
}

Scenario scenario_of(const Inputs& inputs, const Profile& profile) { return scenario_of(inputs, profile, profile); }

} // namespace plimsoll
