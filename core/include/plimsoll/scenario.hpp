#pragma once
// Everything one estimate depends on, presets resolved.

#include "plimsoll/facts.hpp"
#include "plimsoll/hardware.hpp"
#include "plimsoll/implementation.hpp"
#include "plimsoll/model.hpp"
#include "plimsoll/profile.hpp"
#include "plimsoll/strategy.hpp"
#include "plimsoll/tuning.hpp"
#include "plimsoll/weight_scheme.hpp"
#include "plimsoll/workload.hpp"

namespace plimsoll {

/// What a person can state: the structs that the field tables (fields.hpp) speak of. The model follows from its facts: whoever
/// changes one asks the importer for the model again.
struct Inputs {
  Model model;
  ModelFacts facts; ///< of `model`, as the field table lists them
  StoredWeights weights; ///< of `model`, when serving or frozen
  Workload workload;
  Strategy strategy;
  Implementation implementation; ///< training
  Tuning tuning;                 ///< fine-tuning
  Hardware hardware;
};

/// What estimate() reads. Make one from valid Inputs with scenario_of().
struct Scenario {
  Model model;
  StoredWeights weights;
  Workload workload;
  Strategy strategy;
  Implementation implementation; ///< as asked; the profile says what its defaults stand for
  Tuning tuning;
  Hardware hardware;
  Profile profile;
};

/// Whether the weights are frozen and stored as Scenario::weights says.
inline bool is_frozen(const Scenario& scenario) noexcept { return freezes(scenario.workload.task, scenario.tuning); }

/// Learned tokens in front of every sequence count as context, and formats that the profile's framework chooses are chosen.
Scenario scenario_of(const Inputs& inputs, const Profile& profile);

} // namespace plimsoll
