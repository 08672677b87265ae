#pragma once
// What frameworks can divide, keep on the host and run again, of which a search for a plan tries all: "plans" in the profiles of training.
//
//   "degrees"    that can be above 1          "interleaves"  several stages on a GPU       "schedules", "offloads", "recomputes"  values of these inputs
//   "counts_ends", "sizes_ends"  embedding and loss count as layers; layers of the first and the last stage can be stated
//   "segments"   several layers run again as one (Megatron-LM's uniform method)
//   "shardings"  values of the input; with _kept gathered weights stay until the backward pass, with _in_node each node has a whole set of
//                shards, with _second_in_node a second one, of 16-bit weights (ZeRO++ hpZ)
//   "sends_once" architectures of GPUs on which tokens go to experts once a node    "overlaps_experts"  their exchange runs beside other passes

#include "plimsoll/method/plan.hpp"

#include <optional>
#include <string_view>

namespace plimsoll::io {

/// Of a profile of training; nothing where it says none.
std::optional<PlanAbilities> abilities_of(std::string_view profile);

} // namespace plimsoll::io
