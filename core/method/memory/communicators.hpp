#pragma once
// What a communicator of NCCL holds on each of its GPUs: buffers per channel and neighbour, outside the framework's
// allocator. Every process group makes its own communicator; those that only ever run one kind of collective connect for
// that kind only, at its first use.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/strategy.hpp"

namespace plimsoll::memory {

/// Channels that a communicator runs in parallel. They follow from the links between the GPUs, which a scenario tells only
/// roughly: hence a range.
struct ChannelRange {
  Count low;
  Count expected;
  Count high;
};

/// Of collectives, by what joins the GPUs of one machine: read in logs of NCCL (its issues 892, 1259; nccl-tests issue 228).
/// `nvlink`: 16 to 24 and at most 32; otherwise 2 up to the 8 seen with several network adapters.
ChannelRange collective_channels(bool nvlink) noexcept;
/// Of send and receive, for each peer: 8 to 32 with NVLink, where 32 is what 8 GPUs of one machine use; 2 otherwise.
ChannelRange peer_channels(bool nvlink) noexcept;

/// What one connection allocates on the two sides of one GPU: it receives from one neighbour and sends to another.
struct ConnectionBuffers {
  Bytes receive;
  Bytes send;
};
/// `reads`: receivers read from their peer's memory, so that the largest buffer stands on the sending side (Ampere with
/// NVLink, NCCL_P2P_READ_ENABLE). Both ways hold the same sum.
ConnectionBuffers connection_buffers(bool reads = false) noexcept;

/// One neighbour on each side per channel. All zero for a communicator of fewer than 2 GPUs.
Term ring_buffers(const ChannelRange& channels, Count gpus) noexcept;
/// What trees connect beside the rings: a parent and up to two children per channel, of which a chain inside one machine
/// shares all but one with the ring.
Term tree_buffers(const ChannelRange& channels, Count gpus) noexcept;
/// All-to-all, and any send and receive with `peers` others: each pair on all channels that a peer gets. `peers` >= 0.
Term peer_buffers(const ChannelRange& channels, Count peers) noexcept;

enum class GroupOf : unsigned char { data, tensor, pipeline, context, expert };

/// One process group of a strategy, as one of its GPUs sees it.
struct ProcessGroup {
  GroupOf of;
  Count gpus;
  bool exchanges = false; ///< sends to and receives from single peers; otherwise it runs collectives over all of them
  Count peers;            ///< where it exchanges
};

/// What a group of a strategy holds. Which links join its GPUs a scenario does not say: expected are those of one machine with
/// NVLink up to the number of GPUs that such a machine has, else the few channels of a network; low and high span both.
Term group_buffers(const ProcessGroup& group) noexcept;

/// sink(const ProcessGroup&) for every group of more than one GPU: the degrees of the strategy, each a communicator of its own.
template <class Sink> void visit_groups(const Strategy& strategy, Sink&& sink) {
  const auto collective = [&](GroupOf of, std::int64_t gpus) {
    if (gpus > 1) sink(ProcessGroup{of, Count{gpus}, false, Count{0}});
  };
  collective(GroupOf::data, strategy.data_parallel);
  collective(GroupOf::tensor, strategy.tensor_parallel);
  if (strategy.pipeline_parallel > 1) // the stages before and after
    sink(ProcessGroup{GroupOf::pipeline, Count{strategy.pipeline_parallel}, true, Count{strategy.pipeline_parallel > 2 ? 2 : 1}});
  if (strategy.context_parallel > 1) { // a ring knows its two neighbours
    const bool ring = strategy.context_method == ContextMethod::ring;
    const Count all{strategy.context_parallel - 1};
    if (strategy.context_method == ContextMethod::all_gather) collective(GroupOf::context, strategy.context_parallel);
    else sink(ProcessGroup{GroupOf::context, Count{strategy.context_parallel}, true, ring ? min(all, Count{2}) : all});
  }
  if (strategy.expert_parallel > 1)
    sink(ProcessGroup{GroupOf::expert, Count{strategy.expert_parallel}, true, Count{strategy.expert_parallel - 1}});
}

} // namespace plimsoll::memory
