// Stages of a pipeline wait while it fills and drains, and send each other activations and gradients.
#include "method/time/training/parts.hpp"

#include "method/memory/states.hpp"
#include "method/sharding/fleet.hpp"
#include "method/time/training/rates.hpp"

namespace plimsoll::timing {

namespace {

constexpr Formula kBubble{
    .id = "time.pipeline.bubble",
    .label = "Stages that wait",
    .unit = "ns",
    .text = "ceil_div(busy * idle, slots)",
    .citation = "pipeline_bubble",
    .basis = Basis::published,
    .symbols = {{{"busy", "ns", "of one stage in a step", ""},
                 {"idle", "", "passes that a stage waits for, by schedule", "pipeline_schedule"},
                 {"slots", "", "passes of a step, three for each micro-batch and chunk", "micro_batches"}}}};

// What the largest stage takes longer than the average one, all others wait for, in every micro-batch. That embedding and head are work of
// the ends, which is why people give these fewer layers, is left out.
constexpr Formula kUneven{
    .id = "time.pipeline.uneven",
    .label = "Waiting for the largest stage",
    .unit = "ns",
    .text = "ceil_div(busy * max(largest * stages - layers, 0), layers)",
    .citation = "pipeline_bubble",
    .basis = Basis::assumed,
    .symbols = {{{"busy", "ns", "of an average stage in a step", ""},
                 {"largest", "layers", "of the largest stage", "first_stage_layers"},
                 {"stages", "", "of the pipeline", "pipeline_parallel"},
                 {"layers", "", "of the model", "layers"}}}};

constexpr Formula kMessages{
    .id = "time.pipeline.messages",
    .label = "Messages between stages",
    .unit = "ns",
    .text = "ceil_div(2 * micro_batches * chunks * bytes * 1000000000000, rate * share)",
    .citation = "pipeline_bubble",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                 {"chunks", "", "of the model on each stage", "virtual_stages"},
                 {"bytes", "bytes", "of the activations of one micro-batch on one GPU; their gradients are as large", "batch"},
                 {"rate", "bytes/s", "of the links within a node, or of the network where the pipeline is larger", "gpus_per_node"},
                 {"share", "thousandths", "of that", ""}}}};

} // namespace

Term pipeline_bubble(const Scenario& scenario, const Term& busy) noexcept {
  const Bubble bubble = bubble_of(scenario.strategy, scenario.workload);
  const auto time = [&](End end) {
    return scaled(Nanoseconds{amount_at(busy, end)}, bubble.idle.value, bubble.slots.value);
  };
  return timed(kBubble, time, {busy.amount, bubble.idle.value, bubble.slots.value});
}

Term uneven_stages(const Scenario& scenario, const Term& busy) noexcept {
  const Count layers{static_cast<std::int64_t>(scenario.model.pattern.size())}, stages{scenario.strategy.pipeline_parallel};
  const Count largest = largest_stage(layers, scenario.strategy), more = max(largest * stages - layers, Count{0});
  const auto time = [&](End end) {
    return scaled(Nanoseconds{amount_at(busy, end)}, more.value, layers.value);
  };
  return timed(kUneven, time, {busy.amount, largest.value, stages.value, layers.value});
}

Term pipeline_messages(const Scenario& scenario) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, chunks{chunks_per_rank(scenario.strategy)};
  const Bytes bytes = token_share(scenario.workload, scenario.strategy).between * (scenario.model.hidden_size * memory::precision_bytes(scenario.strategy.precision).residual);
  const Speed speed = exchange_speed(scenario, ring_of(Ring::stages, scenario.strategy).span);
  return timed(kMessages, [&](End end) { return time_of(Count{2} * (micro_batches * (chunks * bytes)), speed.rate, share_at(*speed.share, end)); },
               {micro_batches.value, chunks.value, bytes.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
