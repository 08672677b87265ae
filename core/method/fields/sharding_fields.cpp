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

constexpr Choice kSwitches[] = {
    {"profile", value(Switch::profile), "as the framework does", "What the framework does unless told otherwise."},
    {"on", value(Switch::on), "on", "Gradients are reduced from one bucket while another one fills."},
    {"off", value(Switch::off), "off", "There is one bucket."},
};

/// DeepSpeed's second bucket; with divided weights it has one all the same.
bool may_overlap(const Inputs& inputs) { return inputs.strategy.sharding == Sharding::optimizer || inputs.strategy.sharding == Sharding::gradients; }

constexpr std::int64_t kMostNumbers = 1'000'000'000'000; // of a bucket
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
    needing({has_shards, "Choose what is divided in sharding"},
            advanced(Row::number<&Strategy::reduce_bucket_size>("reduce_bucket_size", "reduction bucket", "gradients", 0, kMostNumbers,
                                                                "Gradients that DeepSpeed copies into one bucket before it reduces them; 0 for the framework's own."))),
    needing({may_overlap, "Choose optimizer or gradients as sharding"},
            advanced(Row::choice<&Strategy::overlap_comm>("overlap_comm", "overlapped reduction", kSwitches, "Whether DeepSpeed fills a second bucket while the first one is reduced."))),
    needing({shards_parameters, "Choose parameters as sharding"},
            advanced(Row::number<&Strategy::prefetch_bucket_size>("prefetch_bucket_size", "prefetch bucket", "weights", 0, kMostNumbers,
                                                                  "Weights that DeepSpeed gathers ahead (stage3_prefetch_bucket_size); 0 for the framework's own."))),
    needing({shards_parameters, "Choose parameters as sharding"},
            advanced(Row::number<&Strategy::param_persistence_threshold>("param_persistence_threshold", "undivided tensors", "numbers", 0, kMostNumbers,
                                                                         "Tensors of at most so many numbers stay whole on every GPU (stage3_param_persistence_threshold); 0 for the framework's own."))),
    needing({shards_parameters, "Choose parameters as sharding"},
            advanced(Row::number<&Strategy::sub_group_size>("sub_group_size", "stepped at once", "parameters", 0, kMostNumbers,
                                                            "Parameters that DeepSpeed's step takes at once where weights are divided; 0 for the framework's own."))),
};

} // namespace

std::span<const Field> sharding() noexcept { return rows_of<kFields>(); }
std::span<const Texts> sharding_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
