#pragma once
// Everything one estimate depends on, presets resolved.

#include "plimsoll/method/billing.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/facts.hpp"
#include "plimsoll/method/hardware.hpp"
#include "plimsoll/method/implementation.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/profile.hpp"
#include "plimsoll/method/serving.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/tuning.hpp"
#include "plimsoll/method/weight_scheme.hpp"
#include "plimsoll/method/workload.hpp"

#include <vector>

namespace plimsoll {

/// What a person can state: the structs that the field tables (fields.hpp) speak of. The model follows from its facts: whoever
/// changes one asks the importer for the model again.
struct Inputs {
  Model model;
  ModelFacts facts; ///< of `model`, as the field table lists them
  StoredWeights weights; ///< of `model`, when serving or frozen
  Workload workload;
  Job job;                       ///< training
  Strategy strategy;
  Serving serving;               ///< inference
  Implementation implementation; ///< training
  Tuning tuning;                 ///< fine-tuning
  Composition composition;       ///< fine-tuning
  std::vector<RoleModel> role_models; ///< of `composition`, where they are not the model itself
  Hardware hardware;
  Billing billing;               ///< says nothing of memory: estimate() does not read it
};

struct AuxiliaryModel;

/// What estimate() reads. Make one from valid Inputs with scenario_of().
struct Scenario {
  Model model;
  StoredWeights weights;
  Workload workload;
  Job job;
  Strategy strategy;
  Serving serving;               ///< with the profile's defaults in place of what was not asked
  Implementation implementation; ///< as asked; the profile says what its defaults stand for
  Tuning tuning;
  Composition composition;
  std::vector<AuxiliaryModel> auxiliary_models; ///< the models in the composition's roles
  Hardware hardware;
  Profile profile;
};

/// Whether the weights are frozen and stored as Scenario::weights says.
inline bool is_frozen(const Scenario& scenario) noexcept { return freezes(scenario.workload.task, scenario.tuning); }

/// Frozen weights whose multiplications keep their inputs all the same.
inline bool keeps_quantised_inputs(const Scenario& scenario) noexcept {
  return scenario.implementation.keeps_quantised_inputs && is_frozen(scenario) && is_quantised(scenario.weights);
}

/// Whether the matrix of the output head is stored quantised.
inline bool has_quantised_head(const Scenario& scenario) noexcept {
  const TensorKind head = scenario.model.tied_embeddings ? TensorKind::embedding : TensorKind::head;
  for (const StoredTensor& stored : scenario.weights.tensors)
    if (scenario.model.tensors[stored.tensor].tensor.kind == head && !is_plain(scenario.weights.formats[stored.format])) return true;
  return false;
}

/// A model in a role, as a scenario of its own: the same formulas tell what it needs.
struct AuxiliaryModel {
  Role role = Role::reference;
  bool holds_weights = true; ///< false: it computes with the weights of the model that trains
  bool scores = false;       ///< makes a pass without gradients over given tokens
  bool trains = false;
  bool elsewhere = false;    ///< on GPUs of its own: it takes time and no memory of these
  Scenario scenario;
};

/// Learned tokens in front of every sequence count as context, and formats that the profile's framework chooses are chosen.
/// `engine` is the profile of the inference engine that generates answers. A pair of a preference method becomes two sequences of
/// the workload here, and a composition's roles become auxiliary_models.
Scenario scenario_of(const Inputs& inputs, const Profile& profile, const Profile& engine);
Scenario scenario_of(const Inputs& inputs, const Profile& profile);

} // namespace plimsoll
