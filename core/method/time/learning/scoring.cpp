#include "method/time/learning/scoring.hpp"

#include "method/time/learning/rollout.hpp"
#include "method/time/training/forward.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::timing {

namespace {

struct Forward {
  TimePart part;
  Formula formula;
};

constexpr FormulaText formula_of(std::string_view id, std::string_view label, std::string_view of, std::string_view citation) {
  return {.id = id,
          .label = label,
          .unit = "ns",
          .text = "times * ceil_div(step * forward, whole)",
          .citation = citation,
          .basis = Basis::published,
          .symbols = {{{"times", "", "that the model reads all sequences", "preference"},
                       {"step", "ns", "of it in training steps over these sequences, without recomputation", "scoring_batch"},
                       {"forward", "", of, ""},
                       {"whole", "", "in all", ""}}}};
}

constexpr std::array kForward{
    Forward{TimePart::matrices, {[] { return formula_of("time.scoring.matrices", "GEMMs with weights", "multiplications of each matrix that are forward", "kaplan_2020"); }}},
    Forward{TimePart::attention, {[] { return formula_of("time.scoring.attention", "Attention", "multiplications of attention that are forward", "flash_attention_2"); }}},
    Forward{TimePart::elementwise, {[] { return formula_of("time.scoring.elementwise", "Elementwise and norm kernels", "of what both passes read and write, the forward one's", "checkpointing"); }}},
    Forward{TimePart::tensor_parallel, {[] { return formula_of("time.scoring.tensor_parallel", "Tensor parallelism", "all-reduces of a layer that are forward", "tensor_parallel_traffic"); }}},
    Forward{TimePart::context_parallel, {[] { return formula_of("time.scoring.context_parallel", "Context parallelism", "of what goes around, the forward pass's", "ring_attention"); }}},
    Forward{TimePart::experts, {[] { return formula_of("time.scoring.experts", "Expert-parallel all-to-all", "exchanges of a layer that are forward", "expert_all_to_all"); }}},
    Forward{TimePart::pipeline, {[] { return formula_of("time.scoring.pipeline", "Pipeline", "of the passes that stages wait for, forward ones", "pipeline_bubble"); }}},
    Forward{TimePart::data_parallel, {[] { return formula_of("time.scoring.data_parallel", "Gathered weights", "of two gathers and a reduction, the forward pass's gather", "deepspeed_zero_paper"); }}},
    Forward{TimePart::launches, {[] { return formula_of("time.scoring.launches", "Kernel launches", "of the passes that the host launches, forward ones", "megatron_iteration_times"); }}},
};

/// As if the model trained on the sequences, without what only training does.
Scenario as_trained(const Scenario& policy, const AuxiliaryModel& model) {
  Scenario scenario = model.scenario;
  scenario.auxiliary_models.clear();
  scenario.composition = {};
  scenario.tuning = {};
  Strategy& strategy = scenario.strategy;
  strategy.recompute = Recompute::none;
  if (generates(policy.composition.method)) strategy.expert_load_permille = busiest_experts(policy);
  strategy.offload_modules = 0;
  strategy.activation_offload = ActivationOffload::none;
  strategy.offload = Offload::none;
  strategy.nvme = Nvme::none;
  const std::int64_t batch = model.scenario.workload.batch;
  scenario.workload = workload_of_answers(policy);
  scenario.workload.task = Task::finetune;
  if (!generates(policy.composition.method)) return scenario; // scored micro-batch by micro-batch, inside the step
  scenario.workload.batch = batch;
  const UpdateRows update = rows_of_update(policy);
  const Count answers = sequences_of_replica(answers_of(policy), policy.strategy), rows = ceil_div(answers * update.filled, update.sequences);
  scenario.workload.micro_batches = std::max<std::int64_t>(ceil_div(rows, Count{batch}).value, 1);
  return scenario;
}

} // namespace

Workload workload_of_answers(const Scenario& policy) noexcept {
  Workload work = policy.workload;
  if (!generates(policy.composition.method) || work.batching == Batching::packed || policy.composition.mean_answer_tokens <= 0) return work;
  const AnswerLengths lengths = lengths_of(policy);
  const double batch = static_cast<double>(std::max<std::int64_t>(work.batch, 1));
  const std::int64_t longest = batch > 1 ? length_at(lengths, batch / (batch + 1)) : lengths.answer; // the longest of so many, on average of their ranks
  work.context_tokens = std::clamp<std::int64_t>(lengths.prompt + longest, 1, work.context_tokens);
  if (work.batching == Batching::padding_free) work.mean_tokens = std::min(lengths.sequence(), work.context_tokens);
  return work;
}

bool visit_scoring(const Scenario& policy, const AuxiliaryModel& model, std::int64_t times, const std::function<void(const Term&)>& sink) {
  const StepTime step = step_time(as_trained(policy, model));
  if (!step.known) return false;
  for (const Forward& forward : kForward) {
    const TimeRange& all = step.parts[static_cast<std::size_t>(forward.part)];
    if (all.high <= Nanoseconds{0}) continue;
    const ForwardShare of = forward_share(forward.part);
    const auto time = [&](End end) { return Count{times} * scaled(time_at(all, end), of.share, of.of); };
    Term term = timed(forward.formula, time, {times, all.expected.value, of.share, of.of});
    term.variant = text_of(model.role).id;
    sink(term);
  }
  return true;
}

} // namespace plimsoll::timing
