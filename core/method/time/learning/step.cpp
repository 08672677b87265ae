// Phases follow each other, but where an engine on other GPUs generates ahead of the training.
#include "plimsoll/method/learning.hpp"

#include "method/memory/states.hpp"
#include "method/sharding/fleet.hpp"
#include "method/time/learning/answers.hpp"
#include "method/time/learning/places.hpp"
#include "method/time/learning/rollout.hpp"
#include "method/time/learning/scoring.hpp"
#include "method/time/learning/visit.hpp"
#include "method/time/training/rates.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/time.hpp"

#include <algorithm>

namespace plimsoll {

const LearningPhaseText& text_of(LearningPhase phase) noexcept {
  static constexpr std::array<LearningPhaseText, kLearningPhases> kTexts{{{"phase.rollout", "Rollout"}, {"phase.scoring", "Scoring"}, {"phase.training", "Training"}, {"phase.weights", "Weights to the engine"}}};
  return kTexts[static_cast<std::size_t>(phase)];
}

namespace timing {

namespace {

constexpr Formula kRollout{[] { return FormulaText{
    .id = "time.rollout",
    .label = "Answers",
    .unit = "ns",
    .text = "max(engine - min(ceil_div(engine * ahead, 1000), busy), 0)",
    .citation = "rollout_ahead",
    .basis = Basis::assumed,
    .symbols = {{{"engine", "ns", "until the slowest replica of the engine has answered all of its prompts: its passes followed one by one, lengths of answers taken to fall off exponentially, those of one prompt to be alike; of steps that it answers at once, one's part", "rollout_engine"},
                 {"ahead", "thousandths", "of a step whose answers are generated while others train", "rollout_ahead"},
                 {"busy", "ns", "of scoring and training, which hide them", ""}}}}; }};

constexpr Formula kTraining{[] { return FormulaText{
    .id = "time.updates",
    .label = "Optimizer steps",
    .unit = "ns",
    .text = "ceil_div(step * answers * epochs * filled, rows * sequences)",
    .citation = "ppo",
    .basis = Basis::published,
    .symbols = {{{"step", "ns", "of an optimizer step", ""},
                 {"answers", "sequences", "of the step", "step_prompts"},
                 {"epochs", "", "in which they are trained on", "answer_epochs"},
                 {"filled", "", "rows that so many sequences fill", "mean_answer_tokens"},
                 {"rows", "", "of an optimizer step", "micro_batches"},
                 {"sequences", "", "packed first fit, the longest first, where rows are packed", "batching"}}}}; }};

constexpr Formula kWeights{[] { return FormulaText{
    .id = "time.weights",
    .label = "Weights to the engine",
    .unit = "ns",
    .text = "ceil_div(bytes * 1000000000000, rate * share) + tensors * each",
    .citation = "nemo_rl_refit",
    .basis = Basis::assumed,
    .symbols = {{{"bytes", "bytes", "in 16 bits that a GPU of the engine gets from others", "rollout_engine"},
                 {"rate", "bytes/s", "of the links within a node; beyond, of the network adapters that a ring has in a node, or of one", "gpus_per_node"},
                 {"share", "thousandths", "of that rate that transfers reach", ""},
                 {"tensors", "", "of the checkpoint, each expert's among them", ""},
                 {"each", "ns", "that a tensor takes besides its bytes", "weight_transfer"}}}}; }};

/// Nanoseconds of a tensor that goes shard by shard, whatever its size: three measured transfers of NeMo RL, of 18,900 and 44,900 tensors, leave
/// 25 to 36 microseconds for each beside their bytes. One that ranks of the trainer gather first is told by data; other programs' ways are assumed
/// to be like NeMo RL's.
constexpr Count shard_at(End end) noexcept { return Count{end == End::expected ? 32'000 : end == End::fast ? 20'000 : 100'000}; }

constexpr Formula kThroughput{[] { return FormulaText{
    .id = "fact.learning_tokens_per_second",
    .label = "Tokens per second and GPU, all phases",
    .unit = "thousandths of tokens/s",
    .text = "floor_div(tokens * 1000000000000, time * gpus)",
    .citation = "mfu",
    .basis = Basis::counted,
    .symbols = {{{"tokens", "tokens", "of prompts and answers", "step_prompts"}, {"time", "ns", "of all phases", ""}, {"gpus", "GPUs", "in all", ""}}}}; }};

Nanoseconds at(const TimeRange& range, End end) noexcept { return end == End::expected ? range.expected : end == End::fast ? range.low : range.high; }

/// Times that a model reads all sequences without gradients. KTO reads mismatched answers besides, the policy as well as the reference:
/// huggingface/trl, trl/trainer/kto_trainer.py, KL_completion_ids.
std::int64_t readings(Preference method, Role role) noexcept { return method == Preference::kto && role == Role::reference ? 2 : 1; }

/// Of an engine apart.
Count rollout_gpus(const Scenario& policy) noexcept {
  return policy.composition.rollout_gpus > 0 ? Count{policy.composition.rollout_gpus} : gpu_count(policy.strategy);
}

/// New weights on their way. Rings that pass through several nodes share all their adapters; a shard comes through one.
Term weights_on_their_way(const Scenario& policy) noexcept {
  const Composition& composition = policy.composition;
  const Strategy& strategy = policy.strategy;
  const Bytes whole = count_parameters(policy.model) * Bytes{2};
  const bool sharded = strategy.sharding == Sharding::parameters;
  // Engines on the same GPUs gather what other GPUs of their replica, of its experts, or of its shards, hold; so does the trainer's own code, of shards.
  Count holders = max(holders_of_model(strategy), sharded ? ring_of(Ring::shards, strategy).span : Count{1});
  Bytes bytes = composition.engine != RolloutEngine::shared || sharded ? ring_traffic(whole, holders) : Bytes{0};
  Speed speed = ring_speed(policy, {holders, holders});
  const bool shards = composition.engine == RolloutEngine::separate && composition.weight_transfer == WeightTransfer::shards;
  if (composition.engine == RolloutEngine::separate) {
    holders = gpu_count(strategy) + rollout_gpus(policy);
    const Strategy engine = rollout_strategy(composition.rollout_tensor_parallel > 0 ? composition.rollout_tensor_parallel : strategy.tensor_parallel, rollout_gpus(policy));
    bytes = shards ? parameters_per_gpu(policy.model, engine, Stage{policy.model, engine, policy.workload, 0}) * Bytes{2} : whole;
    speed = shards ? exchange_speed(policy, holders) : ring_speed(policy, {holders, holders});
  }
  Count tensors;
  for (const ModelTensor& part : policy.model.tensors)
    if (bytes > Bytes{0} && in_language_model(part.tensor.kind)) tensors += part.layers * part.tensor.copies;
  const auto each = [&](End end) { return shards ? shard_at(end) : Count{amount_at(policy.profile.efficiency.gathered_tensor, end)}; };
  return timed(kWeights, [&](End end) { return time_of(bytes, speed.rate, share_at(*speed.share, end)) + Nanoseconds{(tensors * each(end)).value}; },
               {bytes.value, speed.rate, speed.share->value, tensors.value, each(End::expected).value});
}

class Phases {
public:
  Phases(const Scenario& policy, const LearningSink& sink) : policy_(policy), sink_(sink), method_(policy.composition.method) {}

  LearningFacts run() {
    LearningFacts facts;
    if (policy_.workload.task != Task::finetune || method_ == Preference::none || !(generates(method_) || scores())) return facts;
    const bool rolls = generates(method_);
    const Rollout rollout = rolls ? rollout_of(policy_) : Rollout{};
    if ((rolls && !rollout.known) || !score() || !train()) return facts;
    const UpdateRows update = rows_of_update(policy_);
    facts.answers = answers_of(policy_);
    facts.tokens = rolls ? facts.answers * Count{lengths_of(policy_).sequence()} : step_tokens(policy_.workload, policy_.strategy);
    facts.updates = max(ceil_div(facts.answers * epochs() * update.filled, update.rows * update.sequences), Count{1});
    facts.gpus = gpu_count(policy_.strategy);
    facts.known = true;
    if (!rolls) return facts;
    if (policy_.composition.engine == RolloutEngine::separate) facts.gpus += rollout_gpus(policy_);
    facts.rollout = rollout.time;
    const std::int64_t ahead = rollout_ahead(policy_.composition);
    const auto exposed = [&](End end) {
      const Nanoseconds engine = at(rollout.time, end);
      return max(engine - min(scaled(engine, ahead, 1000), at(busy_, end)), Nanoseconds{0});
    };
    sink_(LearningPhase::rollout, nullptr, timed(kRollout, exposed, {rollout.time.expected.value, ahead, busy_.expected.value}));
    if (const Term weights = weights_on_their_way(policy_); weights.high > 0) sink_(LearningPhase::weights, nullptr, weights);
    visit_places(policy_, [&](const Term& term) { sink_(LearningPhase::weights, nullptr, term); });
    return facts;
  }

private:
  bool scores() const {
    return std::ranges::any_of(policy_.auxiliary_models, [](const AuxiliaryModel& model) { return model.scores; });
  }
  Count epochs() const noexcept { return Count{generates(method_) ? std::max<std::int64_t>(policy_.composition.answer_epochs, 1) : 1}; }

  void add(LearningPhase phase, const RoleText* role, const Term& term) {
    busy_ += {Nanoseconds{term.amount}, Nanoseconds{term.low}, Nanoseconds{term.high}};
    sink_(phase, role, term);
  }

  bool score() {
    const auto read = [&](const AuxiliaryModel& model, std::int64_t times) {
      return visit_scoring(policy_, model, times, [&](const Term& term) { add(LearningPhase::scoring, &text_of(model.role), term); });
    };
    for (const AuxiliaryModel& model : policy_.auxiliary_models)
      if (model.scores && !read(model, readings(method_, model.role))) return false;
    if (method_ != Preference::kto) return true;
    AuxiliaryModel self{.role = Role::policy, .scores = true, .scenario = policy_};
    self.scenario.weights = {};
    self.scenario.weights.compute_bytes = memory::precision_bytes(policy_.strategy.precision).compute;
    return read(self, 1);
  }

  /// Policy and critic step together.
  bool train() {
    Scenario trained = policy_;
    trained.workload = workload_of_answers(policy_);
    if (generates(method_)) trained.strategy.expert_load_permille = busiest_experts(policy_);
    trained.auxiliary_models.clear();
    trained.composition = {};
    const UpdateRows update = rows_of_update(policy_);
    const Count answers = answers_of(policy_), all = answers * epochs();
    const auto updates = [&](const Scenario& model, const RoleText& role) {
      const StepTime step = step_time(model);
      if (!step.known) return false;
      const Count rows = update.rows * update.sequences;
      Term term = timed(kTraining, [&](End end) { return scaled(at(step.total, end), (all * update.filled).value, rows.value); },
                        {step.total.expected.value, answers.value, epochs().value, update.filled.value, update.rows.value, update.sequences.value});
      term.variant = role.id;
      add(LearningPhase::training, nullptr, term);
      return true;
    };
    if (!updates(trained, text_of(Role::policy))) return false;
    for (const AuxiliaryModel& model : policy_.auxiliary_models) {
      if (!model.trains) continue;
      Scenario critic = model.scenario;
      critic.workload = trained.workload;
      if (!updates(critic, text_of(model.role))) return false;
    }
    return true;
  }

  const Scenario& policy_;
  const LearningSink& sink_;
  const Preference method_;
  TimeRange busy_; ///< of scoring and training
};

} // namespace

LearningFacts visit_learning(const Scenario& scenario, const LearningSink& sink) { return Phases{scenario, sink}.run(); }

Term learning_throughput(const LearningStep& step) noexcept {
  return timed(kThroughput, [&](End end) {
    const Nanoseconds time = end == End::expected ? step.total.expected : end == End::fast ? step.total.high : step.total.low;
    const Wide per = Wide{time.value} * step.gpus.value;
    constexpr Wide kScale = 1'000'000'000'000;
    return Count{per > 0 ? narrowed(Wide{step.tokens.value} * kScale / per) : 0};
  }, {step.tokens.value, step.total.expected.value, step.gpus.value});
}

} // namespace timing

LearningStep learning_step(const Scenario& scenario) {
  LearningStep step;
  const timing::LearningFacts facts = timing::visit_learning(scenario, [&](LearningPhase phase, const RoleText* role, const Term& term) {
    const TimeRange range{Nanoseconds{term.amount}, Nanoseconds{term.low}, Nanoseconds{term.high}};
    step.phases[static_cast<std::size_t>(phase)] += range;
    step.total += range;
    for (std::size_t i = 0; role != nullptr && i < kRoles; ++i)
      if (role == &text_of(static_cast<Role>(i))) step.scored[i] += range;
  });
  if (!facts.known || step.total.high.saturated()) return {};
  step.known = true;
  step.rollout = facts.rollout;
  step.answers = facts.answers;
  step.tokens = facts.tokens;
  step.updates = facts.updates;
  step.gpus = facts.gpus;
  step.tokens_per_gpu = timing::learning_throughput(step).count();
  return step;
}

} // namespace plimsoll
