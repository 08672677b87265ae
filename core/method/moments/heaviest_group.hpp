#pragma once
// The layer that decides what a pass needs at once.

#include "plimsoll/method/pipeline.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

/// The group, of those on the stage, whose layer needs the most at once: backward moments and forward passes are judged by it.
/// Null on a stage without layers. Where a model has several groups it takes as long to find as all terms together.
const LayerGroup* heaviest_group(const Scenario& scenario, const Stage& stage) noexcept;

} // namespace plimsoll::moments
