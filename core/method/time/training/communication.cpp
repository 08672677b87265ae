// What GPUs exchange, as long as nothing hides it. Traffic of rings: sharding/traffic.cpp.
#include "method/time/training/parts.hpp"

#include "method/memory/buffers/buffers.hpp"
#include "method/memory/states.hpp"
#include "method/sharding/fleet.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr SymbolText kRate{"rate", "bytes/s", "of the links within a node; where the group is larger, of its network adapters in a node", "gpus_per_node"};
constexpr SymbolText kShare{"share", "thousandths", "of that rate that collectives reach", ""};
constexpr SymbolText kMicroBatches{"micro_batches", "", "of a step", "micro_batches"};

constexpr Formula kTensor{[] { return FormulaText{
    .id = "time.tensor_parallel",
    .label = "Tensor parallelism",
    .unit = "ns",
    .text = "ceil_div(exposed * micro_batches * ceil_div(traffic * 1000000000000, rate * share), 1000)",
    .citation = "tensor_parallel_traffic",
    .basis = Basis::published,
    .symbols = {{{"exposed", "thousandths", "that nothing hides", "communication_overlap"},
                 kMicroBatches,
                 {"traffic", "bytes", "of the all-reduces of a stage's layers in one micro-batch: two forward, two backward, two where the layer runs again, or one where it keeps what was reduced", "tensor_parallel"},
                 kRate,
                 kShare}}}; }};

// What the passes can hide: `hidden()` below.
constexpr std::string_view kHidden = "times * (max(ceil_div(traffic * 1000000000000, rate * share) - window, 0) + ceil_div(drag * min(ceil_div(traffic * 1000000000000, rate * share), window), 1000))";

constexpr SymbolText kWindow{"window", "ns", "of the passes that can hide it", ""};
constexpr SymbolText kDrag{"drag", "thousandths", "of what hides, that it costs all the same", ""};

constexpr Formula kExperts{[] { return FormulaText{
    .id = "time.experts",
    .label = "Expert-parallel all-to-all",
    .unit = "ns",
    .text = kHidden,
    .citation = "expert_all_to_all",
    .basis = Basis::published,
    .symbols = {{{"times", "", "that it happens in a step: with every micro-batch", "micro_batches"},
                 {"traffic", "bytes", "of two exchanges forward and two backward in each of a stage's layers, and two more where a layer runs again, or one where it stops before the second", "dispatch"},
                 kRate,
                 kShare,
                 {"window", "ns", "of another micro-batch's passes that can hide it", "expert_overlap"},
                 kDrag}}}; }};

constexpr Formula kData{[] { return FormulaText{
    .id = "time.data_parallel",
    .label = "Gradient reduction and weight all-gather",
    .unit = "ns",
    .text = kHidden,
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"times", "", "that it happens in a step: once, or with every micro-batch", "sharding"},
                 {"traffic", "bytes", "of one GPU: gradients to reduce, weights to gather", "data_parallel"},
                 kRate,
                 kShare,
                 kWindow,
                 kDrag}}}; }};

constexpr Formula kExpertData{[] { return FormulaText{
    .id = "time.data_parallel.experts",
    .label = "Gradient reduction and weight all-gather of experts",
    .unit = "ns",
    .text = kHidden,
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"times", "", "that it happens in a step: once, or with every micro-batch", "sharding"},
                 {"traffic", "bytes", "of one GPU: gradients and weights of its experts, among the GPUs that hold the same", "expert_parallel"},
                 kRate,
                 kShare,
                 {"window", "ns", "of the passes that can hide it and hide no other parameters", ""},
                 kDrag}}}; }};

constexpr Formula kSecond{[] { return FormulaText{
    .id = "time.data_parallel.second",
    .label = "Weights gathered from the second shards",
    .unit = "ns",
    .text = kHidden,
    .citation = "zeropp",
    .basis = Basis::published,
    .symbols = {{{"times", "", "that it happens in a step: with every micro-batch", "secondary_group"},
                 {"traffic", "bytes", "of one GPU: weights to gather for the backward pass", "secondary_group"},
                 kRate,
                 kShare,
                 kWindow,
                 kDrag}}}; }};

constexpr Formula kCopies{[] { return FormulaText{
    .id = "time.data_parallel.copies",
    .label = "Gradients of copies of the shards",
    .unit = "ns",
    .text = "ceil_div(traffic * 1000000000000, rate * share)",
    .citation = "deepspeed_zero_paper",
    .basis = Basis::published,
    .symbols = {{{"traffic", "bytes", "of one GPU: its shard of the gradients, reduced among the groups that each have all shards", "shard_group"}, kRate, kShare}}}; }};

/// Of the passes of a micro-batch, what can hide communication.
Nanoseconds window_of(const Scenario& scenario, Nanoseconds passes) noexcept { return scaled(passes, scenario.profile.efficiency.overlap.value, 1000); }

/// `times` that `traffic` is on its way while `window` hides it, of which `drag` remains.
Term hidden(const Formula& formula, const Constant& drag, const Speed& speed, Count times, Bytes traffic, Nanoseconds window) noexcept {
  const auto time = [&](End end) {
    const Nanoseconds sent = time_of(traffic, speed.rate, share_at(*speed.share, end));
    return times * (max(sent - window, Nanoseconds{0}) + scaled(min(sent, window), amount_at(drag, end), 1000));
  };
  return timed(formula, time, {times.value, traffic.value, speed.rate, speed.share->value, window.value, drag.value});
}

} // namespace

Term tensor_parallel(const Scenario& scenario, Count layers, Count layers_again, bool by_operation) noexcept {
  const RingShape ring = ring_of(Ring::tensor, scenario.strategy);
  const Count tokens = token_share(scenario.workload, scenario.strategy).inside;
  const Count again{by_operation ? 1 : 2}; // two gathers are as much as one all-reduce
  const Count reduced = Count{4} * stage_layers(layers, scenario.strategy) + again * stage_layers(layers_again, scenario.strategy);
  const Bytes one = tokens * (scenario.model.hidden_size * residual_bytes(scenario));
  const Bytes traffic = reduced * (Count{2} * ring_traffic(one, ring.members));
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  const Constant& exposed = scenario.implementation.communication_overlap ? efficiency.tensor_overlapped : efficiency.tensor_exposed;
  const Speed speed = ring_speed(scenario, ring);
  const Count micro_batches{scenario.workload.micro_batches};
  const auto time = [&](End end) {
    return scaled(micro_batches * time_of(traffic, speed.rate, share_at(*speed.share, end)), amount_at(exposed, end), 1000);
  };
  Term term = timed(kTensor, time, {exposed.value, micro_batches.value, traffic.value, speed.rate, speed.share->value});
  term.provenance = &exposed;
  return term;
}

namespace {

/// Who receives a token once: nodes where the experts' GPUs are in several, else these GPUs.
Count receivers(const Scenario& scenario, const RingShape& ring) noexcept {
  const std::int64_t per_node = scenario.hardware.gpus_per_node;
  return ring.span > Count{per_node} ? ceil_div(ring.members, members_in_node(ring, per_node)) : ring.members;
}

} // namespace

Count copies_sent(const Scenario& scenario, Count per_token) noexcept {
  constexpr std::int64_t kOne = 1000, kWhole = 1'000'000;
  const RingShape ring = ring_of(Ring::experts, scenario.strategy);
  switch (scenario.implementation.dispatch) {
    case ExpertDispatch::profile:
    case ExpertDispatch::all_to_all: break;
    case ExpertDispatch::all_gather: return Count{kOne} * ring.members;
    case ExpertDispatch::once: {
      const std::int64_t to = std::max<std::int64_t>(receivers(scenario, ring).value, 1);
      std::int64_t missed = kWhole; // the probability that a receiver has none of the token's experts, each of which is anywhere
      for (std::int64_t i = 0; i < per_token.value && missed > 0; ++i) missed = missed / to * (to - 1);
      return Count{(Count{to} * Count{kWhole - missed}).value / kOne};
    }
  }
  return Count{kOne} * per_token;
}

Term expert_exchange(const Scenario& scenario, Count channels, Count channels_again, Nanoseconds passes) noexcept {
  const RingShape ring = ring_of(Ring::experts, scenario.strategy);
  const Count per_layer{4}, again{scenario.profile.efficiency.stops_early ? 1 : 2};
  const Count sent = per_layer * channels + again * channels_again;
  const Count busiest = ceil_div(sent * Count{scenario.strategy.expert_load_permille}, Count{1000}); // the GPU that all wait for
  const Bytes whole = micro_batch_share(busiest, scenario.workload, scenario.strategy) * residual_bytes(scenario);
  const bool once = scenario.implementation.dispatch == ExpertDispatch::once, gathers = scenario.implementation.dispatch == ExpertDispatch::all_gather;
  const Bytes traffic = ring_traffic(whole, once ? receivers(scenario, ring) : ring.members);
  const Count micro_batches{scenario.workload.micro_batches};
  const bool overlaps = scenario.implementation.expert_overlap && micro_batches > Count{1};
  const Speed speed = gathers ? ring_speed(scenario, ring) : exchange_speed(scenario, ring.span);
  return hidden(kExperts, scenario.profile.efficiency.exchange_drag, speed, micro_batches, traffic, overlaps ? window_of(scenario, passes) : Nanoseconds{0});
}

namespace {

Term reduced_and_gathered(const Formula& formula, const Scenario& scenario, const RingShape& ring, Count parameters, Count trained, Nanoseconds window) noexcept {
  const Strategy& strategy = scenario.strategy;
  const Bytes gradient = memory::gradient_bytes(scenario), weight = memory::gathered_bytes(strategy.precision);
  const bool gathers = strategy.sharding == Sharding::parameters, whole = strategy.sharding == Sharding::none;
  const bool again = gathers && strategy.reshard_after_forward && strategy.secondary_group == 0;
  const Count gathered{again ? 2 : whole ? 0 : 1};
  const Bytes reduced = Count{whole ? 2 : 1} * (trained * gradient);
  const Bytes traffic = ring_traffic(reduced + gathered * ((gathers ? parameters : trained) * weight), ring.members);
  const bool once = !gathers || memory::keeps_stage_whole(scenario);
  const Count times{once ? 1 : scenario.workload.micro_batches};
  const TrainingEfficiency& efficiency = scenario.profile.efficiency;
  return hidden(formula, gathers ? efficiency.gather_drag : efficiency.drag, ring_speed(scenario, ring), times, traffic, window);
}

} // namespace

Term data_parallel(const Scenario& scenario, Count parameters, Count trained, Nanoseconds passes) noexcept {
  return reduced_and_gathered(kData, scenario, ring_of(Ring::shards, scenario.strategy), parameters, trained, window_of(scenario, passes));
}

Term expert_data_parallel(const Scenario& scenario, Count experts, Nanoseconds passes, const Term& others) noexcept {
  const Nanoseconds taken = time_of(Bytes{others.values[1]}, others.values[2], others.values[3]); // traffic, rate and share of `hidden`
  return reduced_and_gathered(kExpertData, scenario, expert_shards_ring(scenario.strategy), experts, experts, max(window_of(scenario, passes) - taken, Nanoseconds{0}));
}

Term second_gather(const Scenario& scenario, Count parameters, Nanoseconds passes) noexcept {
  const RingShape ring = secondary_ring(scenario.strategy);
  const Bytes traffic = ring_traffic(parameters * memory::gathered_bytes(scenario.strategy.precision), ring.members);
  const Count times{scenario.workload.micro_batches};
  return hidden(kSecond, scenario.profile.efficiency.gather_drag, ring_speed(scenario, ring), times, traffic, window_of(scenario, passes));
}

Term replica_copies(const Scenario& scenario, Count trained) noexcept {
  const RingShape ring = ring_of(Ring::copies, scenario.strategy);
  const Count shard = shard_of(trained, TensorKind::embedding, scenario.strategy);
  const Bytes traffic = ring_traffic(Count{2} * (shard * memory::gradient_bytes(scenario)), ring.members);
  const Speed speed = ring_speed(scenario, ring);
  return timed(kCopies, [&](End end) { return time_of(traffic, speed.rate, share_at(*speed.share, end)); }, {traffic.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
