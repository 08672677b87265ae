#pragma once
// Layouts: a variant on a fleet, divided by degrees. Strategies of one layout share most of what is computed.

#include "plimsoll/method/plan.hpp"

#include <vector>

namespace plimsoll::planning {

/// All layouts of a question, in the order of its lists. Of each choice, degrees and what names its place are set.
std::vector<PlanChoice> layouts_of(const PlanQuestion& question);

/// A variant's inputs without what a search does not vary and cannot keep: layers of single stages and chunks, groups of micro-batches.
Inputs searched_inputs(const PlanVariant& variant);

/// Writes a choice into what a scenario, or its inputs, have of it.
void apply(const PlanChoice& choice, Strategy& strategy, Workload& workload, Implementation& implementation) noexcept;

/// Layers of chunks, one by one: those that a question states, or that a choice has.
void write_chunks(const PlanPins& pins, const PlanChoice& choice, Strategy& strategy);

} // namespace plimsoll::planning
