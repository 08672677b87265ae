#pragma once

#include "plimsoll/answer/costs.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::io {

/// The time of the scenario's training job; false where none is asked about or its time is not known.
bool set_training_job(DeploymentOption& way, const Scenario& scenario);

} // namespace plimsoll::io
