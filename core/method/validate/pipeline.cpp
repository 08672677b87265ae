// How Megatron-LM divides layers and micro-batches (megatron/core/transformer/transformer_block.py,
// megatron/core/pipeline_parallel/schedules.py); what it refuses is refused.
#include "method/validate/checks.hpp"

namespace plimsoll::checks {

namespace {

/// ZB-V and DualPipe lay two stages on a GPU, in orders of their own.
bool folds(PipelineSchedule schedule) noexcept {
  return schedule == PipelineSchedule::zb_v || schedule == PipelineSchedule::dualpipe || schedule == PipelineSchedule::dualpipe_v;
}

/// Whether the layers of every chunk are written out: then nothing has to be divided.
bool is_written_out(const Inputs& inputs) {
  const std::vector<std::int64_t>& chunks = inputs.strategy.chunk_layers;
  std::int64_t layers = 0;
  for (const std::int64_t chunk : chunks) {
    if (chunk < 0 || chunk > static_cast<std::int64_t>(inputs.model.pattern.size())) return false;
    layers += chunk;
  }
  if (folds(inputs.strategy.pipeline_schedule)) return false;
  return static_cast<std::int64_t>(chunks.size()) == inputs.strategy.pipeline_parallel * inputs.strategy.virtual_stages &&
         layers == static_cast<std::int64_t>(inputs.model.pattern.size());
}

/// What is written out must be the whole of what there is.
void check_written_out(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const auto layers = static_cast<std::int64_t>(inputs.model.pattern.size());
  const std::int64_t chunks = strategy.pipeline_parallel * strategy.virtual_stages;
  if (folds(strategy.pipeline_schedule))
    return refuse(findings, "chunk_layers", [] {
      return Words{"Layers of each chunk cannot be written out for schedules that fold the pipeline.", "Choose 1f1b, gpipe, zb_h1 or zb_h2, or leave them out."};
    });
  refuse(findings, "chunk_layers", [&] {
    std::int64_t sum = 0;
    for (const std::int64_t chunk : strategy.chunk_layers) sum += chunk;
    return Words{counted(static_cast<std::int64_t>(strategy.chunk_layers.size()), "chunk", "chunks") + " with " + counted(sum, "layer", "layers") +
                     " in all are written out, and there are " + counted(chunks, "chunk", "chunks") + " (pipeline_parallel × virtual_stages) and " +
                     counted(layers, "layer", "layers") + ".",
                 "Write " + number(chunks) + " numbers whose sum is " + number(layers) + ", or leave them out."};
  });
}

/// Layers that stages without a number of their own have to divide evenly.
void check_layers(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const auto layers = static_cast<std::int64_t>(inputs.model.pattern.size());
  const std::int64_t stages = strategy.pipeline_parallel;
  const std::int64_t first = strategy.first_stage_layers, last = strategy.last_stage_layers;
  const std::int64_t counted_layers = layers + (strategy.embedding_in_split ? 1 : 0) + (strategy.loss_in_split ? 1 : 0);
  const std::int64_t others = stages - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0);
  const std::int64_t rest = counted_layers - first - last;
  if (stages > layers)
    return refuse(findings, "pipeline_parallel", [&] {
      return Words{counted(stages, "stage", "stages") + " are more than the model's " + counted(layers, "layer", "layers") + ".",
                   "Write at most " + number(layers) + "."};
    });
  const std::string_view owner = first > 0 ? "first_stage_layers" : last > 0 ? "last_stage_layers" : "pipeline_parallel";
  if (rest < others || (others == 0 && rest > 0))
    return refuse(findings, owner, [&] {
      return Words{"First and last stage with " + number(first) + " and " + number(last) + " layers leave " + number(rest < 0 ? 0 : rest) +
                   " for " + counted(others, "other stage", "other stages") + ".",
                   "Choose numbers whose rest of the model's " + number(layers) + " layers the other stages can divide."};
    });
  if (others > 0 && rest % others != 0)
    return refuse(findings, owner, [&] {
      return Words{number(others) + " stages cannot divide " + number(rest) + " layers evenly.",
                   "Choose a number of stages that divides the layers, or set first_stage_layers or last_stage_layers."};
    });
  const std::int64_t chunks = strategy.virtual_stages;
  for (const std::int64_t of_stage : {others > 0 ? rest / others : 0, first, last})
    if (of_stage % chunks != 0)
      return refuse(findings, "virtual_stages", [&] {
        return Words{number(chunks) + " chunks cannot divide the " + number(of_stage) + " layers of a stage evenly.",
                     "Choose a number of chunks that divides the layers of every stage."};
      });
}

/// An interleaved schedule takes micro-batches in groups of at least as many as there are stages.
void check_interleaving(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const std::int64_t stages = strategy.pipeline_parallel, micro_batches = inputs.workload.micro_batches;
  const std::int64_t group = strategy.microbatch_group > 0 ? strategy.microbatch_group : stages;
  if (strategy.microbatch_group > 0 && (group < stages || group > micro_batches))
    return refuse(findings, "microbatch_group", [&] {
      return Words{"Groups of " + number(group) + " do not suit " + number(stages) + " stages and " +
                   counted(micro_batches, "micro-batch", "micro-batches") + ".",
                   "Write at least the number of stages and at most the number of micro-batches, or 0."};
    });
  const std::int64_t remainder = micro_batches % group;
  if (micro_batches < group || (remainder > 0 && remainder < stages))
    refuse(findings, "micro_batches", [&] {
      return Words{counted(micro_batches, "micro-batch", "micro-batches") + " cannot be interleaved in groups of " + number(group) +
                   " over " + number(stages) + " stages.",
                   "Write a multiple of " + number(group) + ", or set virtual_stages to 1."};
    });
}

} // namespace

void pipeline(const Inputs& inputs, Findings& findings) {
  const Strategy& strategy = inputs.strategy;
  const std::int64_t stages = strategy.pipeline_parallel;
  if (stages == 1) {
    if (strategy.virtual_stages > 1)
      refuse(findings, "virtual_stages", [&] {
        return Words{number(strategy.virtual_stages) + " chunks per stage need a pipeline, and there is one stage.",
                     "Set pipeline_parallel above 1, or virtual_stages to 1."};
      });
    return;
  }
  const PipelineSchedule schedule = strategy.pipeline_schedule;
  if (schedule == PipelineSchedule::dualpipe && stages % 2 != 0)
    refuse(findings, "pipeline_schedule", [&] {
      return Words{"DualPipe needs an even number of stages, and there are " + number(stages) + ".",
                   "Choose an even pipeline_parallel, or another schedule."};
    });
  if (strategy.virtual_stages > 1 && schedule != PipelineSchedule::one_f_one_b)
    refuse(findings, "virtual_stages", [&] {
      return Words{"Only 1F1B interleaves " + number(strategy.virtual_stages) + " chunks per stage.",
                   "Choose 1f1b as pipeline_schedule, or set virtual_stages to 1."};
    });
  else if (strategy.virtual_stages > 1)
    check_interleaving(inputs, findings);
  if (is_written_out(inputs)) return;
  if (strategy.chunk_layers.empty()) check_layers(inputs, findings);
  else check_written_out(inputs, findings);
}

} // namespace plimsoll::checks
