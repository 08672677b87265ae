// What replicas divide among them instead of each keeping all of it.
#include "method/fields/conditions.hpp"
#include "method/fields/rows.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kShardings[] = {
    {"none", value(Sharding::none), "nothing", "Every replica keeps everything."},
    {"optimizer", value(Sharding::optimizer), "optimizer states", "Optimizer states and master weights (ZeRO-1, Megatron's distributed optimizer)."},
    {"gradients", value(Sharding::gradients), "gradients too", "Optimizer states and gradients (ZeRO-2)."},
    {"parameters", value(Sharding::parameters), "weights too", "Everything; weights are gathered unit by unit (ZeRO-3, FSDP)."},
};

constexpr std::int64_t kMostGpus = 67'108'864; // data- and context-parallel ones together

using Row = Rows<Topic::parallel, kTraining, &Inputs::strategy>;

constexpr std::array kFields = {
    needing({has_copies, "Set data_parallel above 1"},
            Row::choice<&Strategy::sharding>("sharding", "sharded", kShardings, "What data-parallel replicas divide among them instead of each keeping all of it.")),
    needing({has_shards, "Choose what is divided in sharding"},
            advanced(Row::number<&Strategy::shard_group>("shard_group", "shard group", "GPUs", 0, kMostGpus,
                                                         "GPUs that hold one whole set of shards; 0 for all data- and context-parallel ones."))),
    needing({shards_parameters, "Choose parameters as sharding"},
            advanced(Row::number<&Strategy::secondary_group>("secondary_group", "second shards", "GPUs", 0, kMostGpus,
                                                             "GPUs that hold a second set of 16-bit weight shards between passes (ZeRO++ hpZ); 0 for none."))),
    needing({shards_parameters, "Choose parameters as sharding"},
            advanced(Row::flag<&Strategy::reshard_after_forward>("reshard_after_forward", "reshard",
                                                                 "Gathered weights are dropped between the forward and the backward pass."))),
};

} // namespace

std::span<const Field> sharding() noexcept { return kFields; }

} // namespace plimsoll::tables
