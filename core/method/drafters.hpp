#pragma once
// Draft models that are made for one model: their shapes follow from its own.

#include "plimsoll/method/model.hpp"
#include "plimsoll/method/serving.hpp"

namespace plimsoll {

/// EAGLE's layer, EAGLE-3's or Medusa's heads for a model; nothing of layers and tensors for other drafters. `tokens` are drafted.
Model drafter_for(const Model& model, Drafter drafter, Count tokens);

} // namespace plimsoll
