#pragma once
// Times of training as numbers that open.

#include "plimsoll/method/explain.hpp"

#include <vector>

namespace plimsoll {

/// A step, part by part, what follows from it, and the job; nothing where the device's rates are not known.
void add_training_time(const Scenario& scenario, std::vector<Component>& facts);

/// A step in which a model learns from answers or preferences, phase by phase; nothing where it has no passes besides training.
void add_learning(const Scenario& scenario, std::vector<Component>& facts);

} // namespace plimsoll
