#pragma once
// Everything one estimate depends on, presets resolved.

#include "plimsoll/hardware.hpp"
#include "plimsoll/model.hpp"
#include "plimsoll/profile.hpp"
#include "plimsoll/strategy.hpp"
#include "plimsoll/workload.hpp"

namespace plimsoll {

/// What a person can state: the structs that the field tables (fields.hpp) speak of.
struct Inputs {
  ModelSpec model;
  Workload workload;
  Strategy strategy;
  Hardware hardware;
};

/// What estimate() reads. Make one from valid Inputs with scenario_of().
struct Scenario {
  Model model;
  Workload workload;
  Strategy strategy;
  Hardware hardware;
  Profile profile;
};

Scenario scenario_of(const Inputs& inputs, const Profile& profile);

} // namespace plimsoll
