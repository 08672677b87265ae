// All prompts are there at once, and the step goes on when the last answer is. Where kernels speak of the engine and the device, its
// scheduler is followed pass by pass (time/load); elsewhere decode steps of speed() are added up while ever fewer answers are left.
// An engine that is several steps ahead has the prompts of all of them, and as long as all of them take for their answers: NVIDIA-NeMo/RL,
// nemo_rl/algorithms/async_utils/trajectory_collector.py, where each new version of the weights starts one further step's prompts.
#include "method/time/learning/rollout.hpp"

#include "method/kernels/experts.hpp"
#include "method/kernels/gpu.hpp"
#include "method/memory/layers.hpp"
#include "method/memory/serving.hpp"
#include "method/time/learning/answers.hpp"
#include "method/time/load/random.hpp"
#include "method/time/training/rate.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/method/speed.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace plimsoll::timing {

namespace {

constexpr std::int64_t kLengths = 64; ///< so many different ones at most: answers that end together end in one pass
constexpr std::int64_t kOneStep = 1000; ///< thousandths

const AuxiliaryModel* engine_of(const Scenario& policy) noexcept {
  const auto at = std::ranges::find(policy.auxiliary_models, Role::engine, &AuxiliaryModel::role);
  return at == policy.auxiliary_models.end() ? nullptr : &*at;
}

/// How long the longest of so many answers is: the step waits for it, whichever replica has it.
std::int64_t longest_of(const AnswerLengths& lengths, Count answers) noexcept {
  return length_at(lengths, 1 - 0.5 / static_cast<double>(max(answers, Count{1}).value));
}

/// Of n answers of a replica, how long the i-th of them is, shortest first; the last is the longest of those of all replicas.
std::int64_t ith_length(const AnswerLengths& lengths, std::int64_t i, std::int64_t n, std::int64_t longest) noexcept {
  const std::int64_t kinds = std::min(n, kLengths);
  if (i == n - 1) return longest;
  return length_at(lengths, (static_cast<double>(i * kinds / n) + 0.5) / static_cast<double>(kinds));
}

/// Answers of one prompt are alike in length, as those of two are not: Qin et al., Seer, 2025 (arXiv 2511.14617), section 2. How much of the
/// variance that is, nobody has published: half of it is assumed.
constexpr double kAlike = 0.5;

/// Lengths on that replica whose answers are the longest on average: prompts are dealt out before any is answered, all answers of one to the same
/// replica, and the step waits. NVIDIA-NeMo/RL, nemo_rl/models/generation/vllm/vllm_generation.py, generate: contiguous shards of prompts that are
/// repeated one by one. Means of replicas are taken to be normal, the largest as Blom (1958) has it, by the logistic distribution that is closest.
AnswerLengths slowest_of(const AnswerLengths& lengths, Count replicas, std::int64_t n, std::int64_t group) noexcept {
  if (replicas <= Count{1}) return lengths;
  double mean = 0, squares = 0;
  for (std::int64_t i = 0; i < kLengths; ++i) {
    const auto length = static_cast<double>(length_at(lengths, (static_cast<double>(i) + 0.5) / static_cast<double>(kLengths)));
    mean += length / static_cast<double>(kLengths);
    squares += length * length / static_cast<double>(kLengths);
  }
  const double many = static_cast<double>(replicas.value), largest = natural_logarithm((many - 0.375) / 0.625) / 1.702;
  const double answers = static_cast<double>(n), prompts = std::max(1.0, answers / static_cast<double>(std::max<std::int64_t>(group, 1)));
  const double variance = std::max(squares - mean * mean, 0.0) * (kAlike / prompts + (1 - kAlike) / answers);
  AnswerLengths slowest = lengths;
  if (variance > 0) slowest.answer = std::min(lengths.longest, lengths.answer + kernels::whole_part(largest * root(variance)));
  return slowest;
}

WeightScheme half_weights() {
  WeightScheme scheme;
  scheme.id = scheme.name = "bf16";
  WeightFormat& format = scheme.formats.emplace_back();
  format.id = format.name = "bf16";
  format.parts.push_back({.bytes = Bytes{2}});
  return scheme;
}

/// One replica of the engine, as a server.
Scenario replica_of(const Scenario& policy, const AuxiliaryModel& engine) {
  Scenario scenario = engine.scenario;
  const bool own = engine.elsewhere || (engine.holds_weights && policy.composition.rollout_tensor_parallel > 0);
  const Strategy divided = own ? scenario.strategy : rollout_strategy(policy.strategy.tensor_parallel, gpu_count(policy.strategy));
  scenario.strategy = serving_strategy(divided, scenario.serving, scenario.profile.inference, scenario.model);
  scenario.weights = store(scenario.model, half_weights());
  return scenario;
}

Bytes weights_of(const Scenario& replica) noexcept {
  const Stage stage{replica.model, replica.strategy, replica.workload, 0};
  return parameters_per_gpu(replica.model, replica.strategy, stage) * Bytes{2};
}

/// Tokens that its cache has room for, at least one whole sequence; 0 = no limit. An engine apart has whole devices.
Count room_of(const Scenario& policy, const Scenario& replica) noexcept {
  const std::int64_t stated = policy.composition.rollout_memory_permille;
  const Count share{stated == 0 && policy.composition.engine == RolloutEngine::separate ? 1000 : stated};
  if (share <= Count{0}) return Count{0};
  const Bytes whole{(share * Count{replica.hardware.usable_bytes}).value / 1000}, weights = weights_of(replica);
  Bytes sequence;
  for (const LayerGroup& group : replica.model.groups)
    if (memory::attends(group)) memory::kv_cache(replica, group, group.layers, Count{1}).each([&](const Term& term) { sequence += term.bytes(); });
  const Count context{replica.workload.context_tokens};
  if (sequence <= Bytes{0}) return Count{0};
  return max(context, Count{(Count{max(whole - weights, Bytes{0}).value} * context).value / sequence.value});
}

/// Requests as load.hpp has them, those that come one after the other of all lengths.
std::vector<std::int64_t> trace_of(const AnswerLengths& lengths, std::int64_t n, std::int64_t longest) {
  std::vector<std::int64_t> trace;
  constexpr std::int64_t kStride = 7919; // a prime above any power of two below it: neighbours are far apart in length
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t place = n % kStride == 0 ? i : i * kStride % n;
    for (const std::int64_t number : {std::int64_t{0}, lengths.prompt, ith_length(lengths, place, n, longest)}) trace.push_back(number);
  }
  return trace;
}

/// Until n answers are there that were asked for at once, the scheduler followed pass by pass. Of many answers, those beyond take as long as these.
std::optional<Nanoseconds> followed(Scenario& replica, const AnswerLengths& lengths, std::int64_t n, std::int64_t longest, Count room) {
  constexpr std::int64_t kMost = 1000;
  const auto lasted = [&](std::int64_t count) {
    replica.workload.traffic.trace = trace_of(lengths, count, longest);
    const Load load = simulated_load(replica, {room});
    return load.exists && !load.too_long ? std::optional{load.lasted} : std::nullopt;
  };
  if (n <= kMost) return lasted(n);
  constexpr std::int64_t kFew = kMost / 2;
  const std::optional<Nanoseconds> first = lasted(kFew), both = lasted(kMost);
  if (!first || !both) return std::nullopt;
  const double more = static_cast<double>(max(*both - *first, Nanoseconds{1}).value), times = static_cast<double>(n - kMost) / static_cast<double>(kFew);
  return Nanoseconds{kernels::whole_part(more * times + static_cast<double>(both->value))};
}

/// Rounds of at most `most` answers at once; in each, steps of those that are left, at last of one alone.
TimeRange by_steps(Scenario replica, const AnswerLengths& lengths, std::int64_t n, std::int64_t most, std::int64_t longest) {
  TimeRange time;
  const std::int64_t together = std::min(n, most), kinds = std::min<std::int64_t>(together, 16);
  std::int64_t before = 0;
  const auto add = [&](Count times, const TimeRange& each) { time += {times * each.expected, times * each.low, times * each.high}; };
  for (std::int64_t k = 0; k < kinds; ++k) {
    const std::int64_t length = length_at(lengths, (static_cast<double>(k) + 0.5) / static_cast<double>(kinds));
    replica.workload.batch = std::max<std::int64_t>(together - k * together / kinds, 1);
    replica.workload.context_tokens = lengths.prompt + (before + length) / 2;
    if (length > before) add(Count{length - before}, speed(replica).step);
    before = std::max(before, length);
  }
  replica.workload.batch = 1;
  replica.workload.context_tokens = lengths.prompt + (before + longest) / 2;
  const TimeRange alone = longest > before ? speed(replica).step : TimeRange{};
  replica.workload.context_tokens = lengths.prompt;
  add(Count{together}, speed(replica).first_token);
  const Count rounds = ceil_div(Count{n}, Count{together});
  const Count left{std::max<std::int64_t>(longest - before, 0)};
  return {rounds * time.expected + left * alone.expected, rounds * time.low + left * alone.low, rounds * time.high + left * alone.high};
}

} // namespace

Rollout rollout_of(const Scenario& policy) {
  Rollout rollout;
  const AuxiliaryModel* const engine = engine_of(policy);
  if (engine == nullptr) return rollout;
  const AnswerLengths all_lengths = lengths_of(policy);
  Scenario replica = replica_of(policy, *engine);
  const RolloutProfile& profile = policy.profile.training.rollout;
  const std::int64_t together = std::max<std::int64_t>(rollout_ahead(policy.composition), kOneStep); // thousandths of steps
  const Count answers{(answers_of(policy) * Count{together}).value / kOneStep};
  const std::int64_t n = sequences_of_replica(answers, replica.strategy).value, longest = longest_of(all_lengths, answers);
  // An engine apart takes each answer by itself.
  const AnswerLengths lengths = engine->elsewhere ? all_lengths : slowest_of(all_lengths, Count{replica.strategy.data_parallel}, n, policy.composition.method == Preference::grpo ? policy.composition.group_size : 1);
  const bool limited = policy.composition.rollout_prompts > 0 || !engine->holds_weights;
  const std::int64_t own = engine->elsewhere && profile.sequences_apart > 0 ? profile.sequences_apart : replica.profile.inference.sequences.value > 0 ? replica.serving.max_sequences : n;
  const std::int64_t most = limited ? std::max<std::int64_t>(1, engine->scenario.workload.batch) : std::min(n, own);
  replica.strategy.data_parallel = 1;
  replica.workload.batch = std::min(n, most);
  replica.serving.max_sequences = most;
  replica.workload.traffic = {};
  replica.serving.logprobs = profile.logprobs;
  const auto of_a_step = [&](Nanoseconds of_all) { return scaled(of_all, kOneStep, together); };
  if (const std::optional<Nanoseconds> lasted = followed(replica, lengths, n, longest, room_of(policy, replica))) {
    const ServingTimes& times = *replica.profile.inference.times;
    const Nanoseconds step = of_a_step(*lasted);
    const auto at = [&](std::int64_t thousandths) { return Nanoseconds{step.value / 1000 * thousandths}; };
    rollout.time = {step, at(times.own_kernels.low), at(times.own_kernels.high)}; // how far measured runs were, of a token
    rollout.known = true;
    return rollout;
  }
  if (!speed(replica).exists) return rollout;
  const TimeRange all = by_steps(std::move(replica), lengths, n, std::min<std::int64_t>(most, n), longest);
  rollout.time = {of_a_step(all.expected), of_a_step(all.low), of_a_step(all.high)};
  rollout.known = rollout.time.expected > Nanoseconds{0} && !rollout.time.high.saturated();
  return rollout;
}

std::int64_t busiest_experts(const Scenario& policy) noexcept {
  const Strategy& strategy = policy.strategy;
  const AuxiliaryModel* const engine = engine_of(policy);
  const ServingTimes* const times = engine == nullptr ? nullptr : engine->scenario.profile.inference.times;
  if (strategy.expert_load_permille != kOneStep || strategy.expert_parallel <= 1 || times == nullptr) return strategy.expert_load_permille;
  double most = 1;
  for (const LayerGroup& group : policy.model.groups) {
    if (!memory::has_experts(group)) continue;
    const auto groups = static_cast<double>(strategy.expert_parallel), chosen = static_cast<double>(std::max<std::int64_t>(group.moe.per_token.value, 1));
    const kernels::Liking liking = kernels::liking_of(static_cast<double>(group.moe.experts.value), groups, chosen, static_cast<int>(times->step.imbalance));
    double own = 0;
    for (std::size_t i = 0; i < kernels::Liking::kParts; ++i) own += liking.chance[i] * liking.experts[i];
    most = std::max(most, own * groups / chosen);
  }
  return kernels::whole_part(most * static_cast<double>(kOneStep));
}

Bytes engine_weights(const Scenario& policy) {
  const AuxiliaryModel* const engine = engine_of(policy);
  return engine == nullptr || !engine->holds_weights ? Bytes{0} : weights_of(replica_of(policy, *engine));
}

} // namespace plimsoll::timing
