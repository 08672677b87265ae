// Stages of a pipeline wait while it fills and drains, and send each other activations and gradients.
#include "time/training/parts.hpp"

#include "memory/states.hpp"
#include "time/training/rates.hpp"

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
    const std::int64_t amount = end == End::expected ? busy.amount : end == End::fast ? busy.low : busy.high;
    return scaled(Nanoseconds{amount}, bubble.idle.value, bubble.slots.value);
  };
  return timed(kBubble, time, {busy.amount, bubble.idle.value, bubble.slots.value});
}

Term pipeline_messages(const Scenario& scenario) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, chunks{chunks_per_rank(scenario.strategy)};
  const Bytes bytes = token_share(scenario.workload, scenario.strategy).between * (scenario.model.hidden_size * memory::regime_bytes(scenario.strategy.regime).residual);
  const Speed speed = exchange_speed(scenario, ring_of(Ring::stages, scenario.strategy).span);
  return timed(kMessages, [&](End end) { return time_of(Count{2} * (micro_batches * (chunks * bytes)), speed.rate, share_at(*speed.share, end)); },
               {micro_batches.value, chunks.value, bytes.value, speed.rate, speed.share->value});
}

} // namespace plimsoll::timing
