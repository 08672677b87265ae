#include "method/plan/layouts.hpp"

#include "method/sharding/fleet.hpp"

namespace plimsoll::planning {

namespace {

void add_layouts(const PlanVariant& variant, const PlanAxes& axes, PlanChoice choice, std::vector<PlanChoice>& layouts) {
  for (const std::int64_t tensor : axes.tensor_parallel) {
    if (tensor > variant.inputs.hardware.gpus_per_node) continue;
    for (const std::int64_t pipeline : axes.pipeline_parallel)
      for (const std::int64_t context : axes.context_parallel) {
        choice.tensor_parallel = tensor;
        // less to keep, and no more to send: Korthikanti et al., 2022 (arXiv 2205.05198)
        choice.sequence_parallel = axes.pins.sequence_parallel.value_or(true) && tensor > 1;
        choice.communication_overlap = tensor > 1 && axes.pins.communication_overlap.value_or(axes.overlaps_tensor && choice.sequence_parallel);
        choice.pipeline_parallel = pipeline;
        choice.context_parallel = context;
        Strategy degrees;
        Workload workload;
        Implementation implementation;
        apply(choice, degrees, workload, implementation);
        choice.data_parallel = replicas_on(choice.gpus, degrees);
        if (choice.data_parallel == 0) continue;
        for (const std::int64_t expert : axes.expert_parallel) {
          choice.expert_parallel = expert;
          choice.dispatch = expert > 1 ? axes.dispatch : ExpertDispatch::profile;
          for (const std::int64_t& of_expert : axes.expert_tensor_parallel) {
            if (&of_expert != axes.expert_tensor_parallel.data() && (tensor == 1 || expert == 1)) continue;
            choice.expert_tensor_parallel = of_expert;
            layouts.push_back(choice);
          }
        }
      }
  }
}

} // namespace

std::vector<PlanChoice> layouts_of(const PlanQuestion& question) {
  std::vector<PlanChoice> layouts;
  for (std::size_t i = 0; i < question.variants.size(); ++i)
    for (std::size_t fleet = 0; fleet < question.variants[i].fleets.size(); ++fleet) {
      PlanChoice choice;
      choice.variant = static_cast<std::uint32_t>(i);
      choice.fleet = static_cast<std::uint32_t>(fleet);
      choice.gpus = question.variants[i].fleets[fleet].gpus;
      add_layouts(question.variants[i], question.axes[i], choice, layouts);
    }
  return layouts;
}

Inputs searched_inputs(const PlanVariant& variant) {
  Inputs inputs = variant.inputs;
  inputs.strategy.chunk_layers.clear();
  inputs.strategy.first_stage_layers = inputs.strategy.last_stage_layers = inputs.strategy.microbatch_group = 0;
  inputs.implementation.dispatch = ExpertDispatch::profile;
  inputs.implementation.expert_overlap = inputs.implementation.communication_overlap = false;
  return inputs;
}

void apply(const PlanChoice& choice, Strategy& strategy, Workload& workload, Implementation& implementation) noexcept {
  strategy.tensor_parallel = choice.tensor_parallel;
  strategy.sequence_parallel = choice.sequence_parallel;
  strategy.pipeline_parallel = choice.pipeline_parallel;
  strategy.context_parallel = choice.context_parallel;
  strategy.expert_parallel = choice.expert_parallel;
  strategy.expert_tensor_parallel = choice.expert_tensor_parallel;
  strategy.data_parallel = choice.data_parallel;
  strategy.pipeline_schedule = choice.schedule.schedule;
  strategy.virtual_stages = choice.schedule.virtual_stages;
  strategy.embedding_in_split = choice.embedding_in_split;
  strategy.loss_in_split = choice.loss_in_split;
  strategy.first_stage_layers = choice.first_stage_layers;
  strategy.last_stage_layers = choice.last_stage_layers;
  strategy.sharding = choice.sharding.sharding;
  strategy.shard_group = choice.shard_group;
  strategy.secondary_group = choice.secondary_group;
  strategy.reshard_after_forward = choice.sharding.reshard;
  strategy.offload = choice.offload;
  strategy.recompute = choice.recompute.recompute;
  strategy.recompute_layers = choice.recompute.layers;
  strategy.recompute_modules = choice.recompute.modules;
  workload.batch = choice.batch;
  workload.micro_batches = choice.micro_batches;
  implementation.dispatch = choice.dispatch;
  implementation.expert_overlap = choice.expert_overlap;
  implementation.communication_overlap = choice.communication_overlap;
}

void write_chunks(const PlanPins& pins, const PlanChoice& choice, Strategy& strategy) {
  std::vector<std::int64_t>& chunks = strategy.chunk_layers;
  chunks.clear();
  if (choice.pipeline_parallel == 1) return;
  if (!pins.chunk_layers.empty()) chunks = pins.chunk_layers;
  if (choice.chunk_layers == 0) return;
  chunks.assign(static_cast<std::size_t>(choice.pipeline_parallel * choice.schedule.virtual_stages), choice.chunk_layers);
  chunks.front() = choice.first_chunk_layers;
  chunks.back() = choice.last_chunk_layers;
}

} // namespace plimsoll::planning
