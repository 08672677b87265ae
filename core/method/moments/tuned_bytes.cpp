#include "method/moments/tuned_bytes.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::moments {

namespace {

/// Of one number of the model's own that trains, as the precision has it.
memory::RegimeBytes own_bytes(const Scenario& scenario) noexcept {
  memory::RegimeBytes bytes = memory::state_bytes(scenario.strategy);
  bytes.gradient = memory::gradient_bytes(scenario);
  return bytes;
}

/// What trains beside the model in numbers of `weight` bytes has gradients and states of that size, or those of the regime with a master copy.
memory::RegimeBytes bytes_beside(memory::RegimeBytes regime, Bytes weight) noexcept {
  if (weight == Bytes{2} && regime.master > Bytes{0}) return regime;
  regime.weight = regime.gradient = regime.state = weight;
  regime.master = Bytes{0};
  return regime;
}

} // namespace

bool upcasts(const Scenario& scenario) noexcept {
  const TuningProfile& profile = scenario.profile.training.tuning;
  if (!profile.upcasts_unquantised || !is_quantised(scenario.weights)) return false;
  return std::ranges::none_of(profile.not_upcast, [&](const std::string& scheme) { return scenario.weights.scheme.starts_with(scheme); });
}

tuning::Numbers numbers_of(const Scenario& scenario) noexcept {
  const Precision precision = scenario.strategy.precision;
  tuning::Numbers numbers = tuning::numbers_of(scenario.tuning, memory::precision_bytes(precision).compute, autocasts(precision));
  numbers.input_kept = keeps_quantised_inputs(scenario);
  numbers.joint = scenario.profile.training.tuning.joint_attention;
  numbers.fused = scenario.profile.training.tuning.fused && scenario.tuning.method == TuningMethod::lora && !scenario.tuning.adapter_dropout;
  if (numbers.fused) numbers.element = memory::precision_bytes(precision).compute, numbers.own_input = false;
  return numbers;
}

memory::RegimeBytes trained_bytes(const Scenario& scenario) noexcept {
  return memory::trains_own_weights(scenario.tuning.method) ? own_bytes(scenario) : bytes_beside(own_bytes(scenario), numbers_of(scenario).weight);
}

memory::RegimeBytes copied_bytes(const Scenario& scenario) noexcept {
  return bytes_beside(own_bytes(scenario), upcasts(scenario) || is_stored_in_fp32(scenario.weights) ? Bytes{4} : Bytes{2});
}

memory::RegimeBytes bytes_of_what_trains(const Scenario& scenario) noexcept { return is_frozen(scenario) ? trained_bytes(scenario) : own_bytes(scenario); }

} // namespace plimsoll::moments
