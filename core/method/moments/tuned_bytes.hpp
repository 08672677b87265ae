#pragma once
// How large a number is that trains beside frozen weights, with its gradient and its states.

#include "method/memory/states.hpp"
#include "method/memory/trained.hpp"
#include "method/tuning/memory.hpp"
#include "plimsoll/method/scenario.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::moments {

inline bool is_stored_in_fp32(const StoredWeights& weights) noexcept {
  return weights.formats.size() == 1 && is_plain(weights.formats.front()) && weights.formats.front().parts.front().bytes == Bytes{4};
}

/// Whether the framework casts what a quantised model leaves in 16 bits to fp32.
inline bool upcasts(const Scenario& scenario) noexcept {
  const TuningProfile& profile = scenario.profile.training.tuning;
  if (!profile.upcasts_unquantised || !is_quantised(scenario.weights)) return false;
  return std::ranges::none_of(profile.not_upcast, [&](const std::string& scheme) { return scenario.weights.scheme.starts_with(scheme); });
}

inline tuning::Numbers numbers_of(const Scenario& scenario) noexcept {
  const Precision precision = scenario.strategy.precision;
  tuning::Numbers numbers = tuning::numbers_of(scenario.tuning, memory::precision_bytes(precision).compute, autocasts(precision));
  numbers.input_kept = keeps_quantised_inputs(scenario);
  numbers.joint = scenario.profile.training.tuning.joint_attention;
  return numbers;
}

/// What trains beside the model in numbers of `weight` bytes has gradients and states of that size, or those of the regime with a master copy.
inline memory::RegimeBytes bytes_beside(memory::RegimeBytes regime, Bytes weight) noexcept {
  if (weight == Bytes{2} && regime.master > Bytes{0}) return regime;
  regime.weight = regime.gradient = regime.state = weight;
  regime.master = Bytes{0};
  return regime;
}

/// Bytes of one trained number, its gradient and its states. The model's own weights follow the precision, adapters their own format;
/// beside a master copy 16-bit adapters have one too.
inline memory::RegimeBytes trained_bytes(const Scenario& scenario) noexcept {
  memory::RegimeBytes bytes = memory::state_bytes(scenario.strategy);
  bytes.gradient = memory::gradient_bytes(scenario);
  return memory::trains_own_weights(scenario.tuning.method) ? bytes : bytes_beside(bytes, numbers_of(scenario).weight);
}

/// The same of modules that train whole beside adapters: copies in the format of what they were copied from.
inline memory::RegimeBytes copied_bytes(const Scenario& scenario) noexcept {
  memory::RegimeBytes bytes = memory::state_bytes(scenario.strategy);
  bytes.gradient = memory::gradient_bytes(scenario);
  return bytes_beside(bytes, upcasts(scenario) || is_stored_in_fp32(scenario.weights) ? Bytes{4} : Bytes{2});
}

inline memory::RegimeBytes bytes_of_what_trains(const Scenario& scenario) noexcept {
  if (is_frozen(scenario)) return trained_bytes(scenario);
  memory::RegimeBytes bytes = memory::state_bytes(scenario.strategy);
  bytes.gradient = memory::gradient_bytes(scenario);
  return bytes;
}

} // namespace plimsoll::moments
