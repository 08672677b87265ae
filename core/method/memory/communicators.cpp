#include "method/memory/communicators.hpp"

#include "method/term.hpp"

namespace plimsoll::memory {

namespace {

// The default buffers of the three protocols (NCCL src/include/device.h and DEFAULT_*_BUFFSIZE in src/init.cc): steps ×
// threads × what a thread has in a step. NCCL_BUFFSIZE and its like change them.
constexpr Count kSteps{8};
constexpr Bytes kLowLatency = kSteps * (Count{512 * 8} * Bytes{16});     // 8 lines of 16 bytes per thread
constexpr Bytes kLowLatency128 = kSteps * (Count{640 * 120} * Bytes{8}); // 120 numbers of 8 bytes per thread
constexpr Bytes kSimple{4'194'304};
// Each side is allocated apart, with a page of counters, in granules of the driver (src/transport/p2p.cc).
constexpr Bytes kCounters{4096};
constexpr Bytes kGranule{2'097'152};

constexpr Bytes in_granules(Bytes bytes) noexcept {
  return ceil_div(Count{bytes.value}, Count{kGranule.value}) * kGranule;
}

constexpr SymbolText kChannels{"channels", "", "that run in parallel: see low and high", ""};
constexpr SymbolText kReceive{"receive_bytes", "bytes", "three protocols' buffers and counters, in granules of the driver", ""};
constexpr SymbolText kSend{"send_bytes", "bytes", "counters, in one granule of the driver", ""};

constexpr Formula kRing{[] { return FormulaText{
    .id = "memory.communicators.ring",
    .label = "Ring buffers",
    .unit = "bytes",
    .text = "channels * (receive_bytes + send_bytes)",
    .citation = "nccl_buffers",
    .basis = Basis::assumed,
    .symbols = {{kChannels, kReceive, kSend}}}; }};

constexpr Formula kTree{[] { return FormulaText{
    .id = "memory.communicators.tree",
    .label = "Tree buffers beside the rings'",
    .unit = "bytes",
    .text = "channels * neighbours * (receive_bytes + send_bytes)",
    .citation = "nccl_buffers",
    .basis = Basis::assumed,
    .symbols = {{kChannels,
                 {"neighbours", "", "that a channel's tree has beside its ring's: none to 3", ""},
                 kReceive,
                 kSend}}}; }};

constexpr Formula kPeers{[] { return FormulaText{
    .id = "memory.communicators.peers",
    .label = "All-to-all buffers",
    .unit = "bytes",
    .text = "channels * peers * (receive_bytes + send_bytes)",
    .citation = "nccl_buffers",
    .basis = Basis::assumed,
    .symbols = {{{"channels", "", "per peer: see low and high", ""},
                 {"peers", "GPUs", "of the communicator that this one sends to and receives from", ""},
                 kReceive,
                 kSend}}}; }};

constexpr std::string_view kGroups[] = {"data", "tensor", "pipeline", "context", "expert"};

template <std::size_t N> Term ranged(const Formula& formula, Bytes amount, SymbolValues<N> values, Bytes low, Bytes high) noexcept {
  Term term = make_term(formula, amount, values);
  term.low = low.value;
  term.high = high.value;
  return term;
}

/// Three neighbours of each channel; two GPUs send to and receive from each other in the ring already.
Bytes most_of_trees(const ChannelRange& channels, Count gpus) noexcept {
  const ConnectionBuffers one = connection_buffers();
  return channels.high * (Count{gpus > Count{2} ? 3 : 0} * (one.receive + one.send));
}

} // namespace

ChannelRange collective_channels(bool nvlink) noexcept {
  return nvlink ? ChannelRange{Count{16}, Count{24}, Count{32}} : ChannelRange{Count{2}, Count{2}, Count{8}};
}

ChannelRange peer_channels(bool nvlink) noexcept {
  return nvlink ? ChannelRange{Count{8}, Count{32}, Count{32}} : ChannelRange{Count{2}, Count{2}, Count{2}};
}

ConnectionBuffers connection_buffers(bool reads) noexcept {
  const Bytes always = kCounters + kLowLatency + kLowLatency128;
  if (reads) return {in_granules(always), in_granules(kCounters + kSimple)};
  return {in_granules(always + kSimple), in_granules(kCounters)};
}

Term ring_buffers(const ChannelRange& channels, Count gpus) noexcept {
  const ConnectionBuffers one = connection_buffers();
  const Bytes both = one.receive + one.send;
  const ChannelRange n = gpus < Count{2} ? ChannelRange{} : channels;
  return ranged(kRing, n.expected * both, {n.expected.value, one.receive.value, one.send.value}, n.low * both, n.high * both);
}

Term tree_buffers(const ChannelRange& channels, Count gpus) noexcept {
  const ConnectionBuffers one = connection_buffers();
  const Bytes both = one.receive + one.send;
  const Count neighbours{gpus > Count{2} ? 1 : 0};
  return ranged(kTree, channels.expected * (neighbours * both), {channels.expected.value, neighbours.value, one.receive.value, one.send.value}, Bytes{0},
                most_of_trees(channels, gpus));
}

Term peer_buffers(const ChannelRange& channels, Count peers) noexcept {
  const ConnectionBuffers one = connection_buffers();
  const Bytes each = peers * (one.receive + one.send);
  return ranged(kPeers, channels.expected * each, {channels.expected.value, peers.value, one.receive.value, one.send.value}, channels.low * each,
                channels.high * each);
}

Term group_buffers(const ProcessGroup& group) noexcept {
  // Servers join up to 8 GPUs by NVLink; larger domains exist and are within the range.
  constexpr Count kMachine{8};
  const auto range_of = [](const ChannelRange& network, const ChannelRange& machine, bool inside) {
    return ChannelRange{min(network.low, machine.low), inside ? machine.expected : network.expected, max(network.high, machine.high)};
  };
  const bool inside = group.gpus <= kMachine;
  Term term = group.exchanges ? peer_buffers(range_of(peer_channels(false), peer_channels(true), inside), group.peers)
                              : ring_buffers(range_of(collective_channels(false), collective_channels(true), inside), group.gpus);
  if (!group.exchanges) { // beside the rings, trees may be connected, as far as three neighbours go
    const ChannelRange channels = collective_channels(true);
    term.high = (Bytes{term.high} + most_of_trees(channels, group.gpus)).value;
  }
  term.variant = kGroups[static_cast<std::size_t>(group.of)];
  return term;
}

} // namespace plimsoll::memory
