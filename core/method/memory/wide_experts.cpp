// Wide expert parallelism: copies of experts, and the buffers of DeepEP. deepseek-ai/DeepEP, csrc/legacy/config.hpp: LowLatencyLayout has a
// pair of buffers to send and one to receive, each with room for all experts' rows of a pass; Config has channels with queues of so many
// tokens, from each GPU of the node and from each node. deep_ep/buffers/legacy.py, get_dispatch_config: 20 multiprocessors, two for a
// channel, and the lengths of the queues.
#include "method/memory/serving.hpp"
#include "method/term.hpp"

#include <algorithm>

namespace plimsoll::memory {

namespace {

constexpr Count kAlignment{128}, kHeader{16}, kScaled{128}; // bytes; bytes before a row; channels that share a scale
constexpr Bytes kSignal{4};
constexpr Count kNodeGpus{8}, kQueuePairs{10};
constexpr Count kTopK{128}, kScales{128}; // room for so many choices and scales of a token
constexpr Bytes kChoice{8}, kChosenWeight{4}, kScale{4}, kSource{8}, kCounter{4}, kTail{16};

constexpr Formula kRedundant{[] { return FormulaText{.id = "memory.weights.redundant_experts",
                             .label = "Copies of experts",
                             .unit = "bytes",
                             .text = "ceil_div(stored * copies, experts)",
                             .citation = "eplb",
                             .basis = Basis::published,
                             .symbols = {{{"stored", "bytes", "of the experts of these layers on this GPU", "expert_parallel"},
                                          {"copies", "experts", "of each layer, on all GPUs", "redundant_experts"},
                                          {"experts", "experts", "of each layer", "experts"}}}}; }};

constexpr Formula kDeepEp{[] { return FormulaText{.id = "memory.buffers.deepep",
                          .label = "Buffers of DeepEP",
                          .unit = "bytes",
                          .text = "node + max(network, low_latency)",
                          .citation = "deepep",
                          .basis = Basis::published,
                          .symbols = {{{"node", "bytes", "for GPUs of the node", "expert_exchange"},
                                       {"network", "bytes", "for GPUs of other nodes, by the kernels for many tokens", "expert_parallel"},
                                       {"low_latency", "bytes", "for the rows of a pass at all experts, twice to send and twice to receive", "profile"}}}}; }};

Bytes aligned(Bytes bytes) noexcept { return ceil_div(Count{bytes.value}, kAlignment) * Bytes{kAlignment.value}; }

/// Tokens of a queue between GPUs of one node, for a group of so many GPUs.
Count queue_of_node(Count group) noexcept {
  struct Row {
    std::int64_t group, tokens;
  };
  constexpr Row kQueues[] = {{8, 256}, {64, 288}, {96, 480}, {128, 560}};
  for (const Row& row : kQueues)
    if (group.value <= row.group) return Count{row.tokens};
  return Count{720};
}
constexpr Count kQueueOfNetwork{128};

/// Of one token in a queue: its channels, where it came from, what was chosen for it and how it is scaled.
Bytes queued(Bytes row) noexcept { return row + kSource + kTopK * (kChoice + kChosenWeight) + kScales * kScale; }

Bytes node_queues(Bytes row, Count group) noexcept {
  const Count nodes = max(Count{group.value / kNodeGpus.value}, Count{1}), gpus = min(group, kNodeGpus);
  return aligned(kQueuePairs * gpus * ((Count{2} * nodes + Count{3}) * kCounter + queue_of_node(group) * queued(row)));
}

Bytes network_queues(Bytes row, Count group) noexcept {
  if (group <= kNodeGpus) return Bytes{0};
  const Count nodes{group.value / kNodeGpus.value};
  return aligned(kQueuePairs * nodes * Count{2} * ((kNodeGpus * Count{2} + Count{2}) * kCounter + kQueueOfNetwork * (queued(row) + kTail)));
}

Bytes low_latency(Count hidden, Count tokens, Count experts) noexcept {
  const Count scales{hidden.value / kScaled.value};
  const Bytes half = hidden * Bytes{2}, sent = Bytes{kHeader.value} + max(half, hidden * Bytes{1} + scales * Bytes{4}), back = scales * Bytes{4} + half;
  const Bytes send = max(tokens * sent, experts * tokens * back), receive = experts * tokens * max(sent, back);
  const Bytes all = Count{2} * (send + receive + aligned(experts * kSignal));
  return Count{(all.value + kAlignment.value) / kAlignment.value} * Bytes{kAlignment.value};
}

} // namespace

Term redundant_experts(const Scenario& scenario, const LayerGroup& group, Bytes stored) noexcept {
  const Count copies{scenario.serving.redundant_experts}, experts = max(group.moe.experts, Count{1});
  return make_term(kRedundant, Bytes{ceil_div(copies * Count{stored.value}, experts).value}, {stored.value, copies.value, experts.value}, {.group = &group});
}

std::optional<Term> deepep_buffers(const Scenario& scenario) noexcept {
  const InferenceProfile& engine = scenario.profile.inference;
  const ExpertExchange by = scenario.serving.expert_exchange;
  const Count group{scenario.strategy.expert_parallel};
  if (by == ExpertExchange::collectives || group <= Count{1} || engine.deepep_tokens.value == 0) return std::nullopt;
  Count experts;
  for (const LayerGroup& layers : scenario.model.groups) experts = max(experts, layers.moe.experts);
  if (experts == Count{0}) return std::nullopt;
  const Bytes fixed{engine.deepep_buffer.value}, row = scenario.model.hidden_size * Bytes{2};
  const bool many = by != ExpertExchange::deepep_low_latency, few = by != ExpertExchange::deepep_normal;
  const bool leaves_node = group > Count{std::max<std::int64_t>(scenario.hardware.gpus_per_node, 1)};
  const Bytes node = fixed > Bytes{0} ? fixed : many ? node_queues(row, group) : Bytes{0};
  const Bytes network = !many ? Bytes{0} : fixed > Bytes{0} ? (leaves_node ? fixed : Bytes{0}) : network_queues(row, group);
  const Bytes rows = few ? low_latency(scenario.model.hidden_size, Count{engine.deepep_tokens.value}, experts + Count{scenario.serving.redundant_experts}) : Bytes{0};
  return make_term(kDeepEp, node + max(network, rows), {node.value, network.value, rows.value});
}

} // namespace plimsoll::memory
