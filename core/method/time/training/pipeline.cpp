// Stages of a pipeline wait while it fills and drains, and send each other activations and gradients.
#include "method/time/training/parts.hpp"

#include "method/sharding/fleet.hpp"
#include "method/time/training/rates.hpp"

#include <algorithm>

namespace plimsoll::timing {

namespace {

constexpr Formula kBubble{[] { return FormulaText{
    .id = "time.pipeline.bubble",
    .label = "Stages that wait",
    .unit = "ns",
    .text = "ceil_div(busy * idle, slots)",
    .citation = "pipeline_bubble",
    .basis = Basis::published,
    .symbols = {{{"busy", "ns", "of one stage in a step", ""},
                 {"idle", "", "passes that a stage waits for, by schedule", "pipeline_schedule"},
                 {"slots", "", "passes of a step, three for each micro-batch and chunk", "micro_batches"}}}}; }};

// Every micro-batch waits for the slowest stage: the one with the most layers, or the last, which has output head and loss besides its layers
// and is why people give it fewer. The host, where it is late, launches layers meanwhile. An embedding is looked up in no time.
constexpr Formula kUneven{[] { return FormulaText{
    .id = "time.pipeline.uneven",
    .label = "Waiting for the slowest stage",
    .unit = "ns",
    .text = "max(max(ceil_div((busy - ends) * largest * stages, layers), ceil_div((work - ends) * last * stages, layers) + ends * stages) - busy, 0)",
    .citation = "pipeline_bubble",
    .basis = Basis::published,
    .symbols = {{{"busy", "ns", "of an average stage in a step", ""},
                 {"ends", "ns", "of that, an average stage's part of output head and loss", "loss_in_split"},
                 {"largest", "layers", "of the stage that has the most", "first_stage_layers"},
                 {"stages", "", "of the pipeline", "pipeline_parallel"},
                 {"layers", "", "of the model", "layers"},
                 {"work", "ns", "of an average stage without waiting for its host", ""},
                 {"last", "layers", "of the stage with the output head", "last_stage_layers"}}}}; }};

// Interleaved stages of Megatron-LM send one micro-batch's while they compute another's: megatron/training/arguments.py,
// --no-overlap-p2p-communication, which is off. Without virtual stages nothing hides them.
constexpr Formula kMessages{[] { return FormulaText{
    .id = "time.pipeline.messages",
    .label = "Messages between stages",
    .unit = "ns",
    .text = "max(ceil_div(2 * micro_batches * chunks * bytes * 1000000000000, rate * share) - window, 0)",
    .citation = "pipeline_bubble",
    .basis = Basis::published,
    .symbols = {{{"micro_batches", "", "of a step", "micro_batches"},
                 {"chunks", "", "of the model on each stage", "virtual_stages"},
                 {"bytes", "bytes", "of the activations of one micro-batch on one GPU; their gradients are as large", "batch"},
                 {"rate", "bytes/s", "of the links within a node, or of the network where the pipeline is larger", "gpus_per_node"},
                 {"share", "thousandths", "of that", ""},
                 {"window", "ns", "of a stage's passes that hides them", "virtual_stages"}}}}; }};

} // namespace

Term pipeline_bubble(const Scenario& scenario, const Term& busy) noexcept {
  const Bubble bubble = bubble_of(scenario.strategy, scenario.workload);
  const auto time = [&](End end) {
    return scaled(Nanoseconds{amount_at(busy, end)}, bubble.idle.value, bubble.slots.value);
  };
  return timed(kBubble, time, {busy.amount, bubble.idle.value, bubble.slots.value});
}

Term slowest_stage(const Scenario& scenario, const Term& busy, const Term& waiting, const Term& ends) noexcept {
  const Count layers{static_cast<std::int64_t>(scenario.model.pattern.size())}, stages{scenario.strategy.pipeline_parallel};
  const StageLoads loads = stage_loads(scenario.model, scenario.strategy);
  const Count shared = loads.with_head > Count{0} ? Count{1} : Count{0}; // else head and loss are everybody's
  const auto time = [&](End end) {
    const Nanoseconds all{amount_at(busy, end)}, head{amount_at(ends, end)}, work = all - Nanoseconds{amount_at(waiting, end)};
    const auto of = [&](Nanoseconds average, Count own) { return scaled(average, (own * stages).value, layers.value); };
    const Nanoseconds most = max(of(all - shared * head, loads.largest), of(max(work - head, Nanoseconds{0}), loads.with_head) + shared * (stages * head));
    return max(most - all, Nanoseconds{0});
  };
  const Count head = shared * Count{ends.amount};
  Term term = timed(kUneven, time, {busy.amount, head.value, loads.largest.value, stages.value, layers.value, busy.amount - waiting.amount, loads.with_head.value});
  term.low = std::min(term.low, term.amount);   // a fast GPU may wait for its host, and a slow one not at all
  term.high = std::max(term.high, term.amount);
  return term;
}

Term pipeline_messages(const Scenario& scenario, const Term& busy) noexcept {
  const Count micro_batches{scenario.workload.micro_batches}, chunks{chunks_per_rank(scenario.strategy)};
  const Bytes bytes = token_share(scenario.workload, scenario.strategy).between * (scenario.model.hidden_size * residual_bytes(scenario));
  const Speed speed = exchange_speed(scenario, ring_of(Ring::stages, scenario.strategy).span);
  const Nanoseconds window{scenario.profile.efficiency.hides_messages && chunks > Count{1} ? busy.amount : 0};
  return timed(kMessages, [&](End end) { return max(time_of(Count{2} * (micro_batches * (chunks * bytes)), speed.rate, share_at(*speed.share, end)) - window, Nanoseconds{0}); },
               {micro_batches.value, chunks.value, bytes.value, speed.rate, speed.share->value, window.value});
}

} // namespace plimsoll::timing
