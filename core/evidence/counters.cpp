// Each counter and the number of an answer that it is compared with: the one place that picks them.
#include "evidence/figure.hpp"
#include "answer/readings.hpp"
#include "plimsoll/method/learning.hpp"
#include "plimsoll/method/load.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "text/plain_values.hpp"

#include <algorithm>

namespace plimsoll::io::accuracy {

namespace {

using Answered = std::optional<Predicted>;

Predicted exactly(std::int64_t amount) { return {amount, amount, amount}; }

/// Of MemoryRange, BytesRange, TimeRange, TokenRate and CountRange alike.
template <class Range> Predicted ranged(const Range& range) { return {range.expected.value, range.low.value, range.high.value}; }

std::optional<std::int64_t> rank_of(const Answer& answer, const Figure& figure) {
  const std::int64_t ranks = answer.scenario.strategy.pipeline_parallel;
  if (figure.rank == "fullest") return answer.estimate.rank;
  if (figure.rank == "last") return ranks - 1;
  const std::optional<std::int64_t> rank = whole_number(figure.rank);
  return rank && *rank >= 0 && *rank < ranks ? rank : std::nullopt;
}

/// The peak of a later step by the allocator's replay; what else is asked of a run, by what tensors ask for.
template <MemoryCounter counter> Answered memory(const Answer& answer, const Figure& figure) {
  const std::optional<std::int64_t> rank = rank_of(answer, figure);
  if (!rank) return std::nullopt;
  const Scenario& scenario = answer.scenario;
  const bool training = trains(scenario.workload.task);
  if (figure.moment == "context") {
    const Constant& context = scenario.profile.runtime.context_bytes;
    return Predicted{context.value, context.low, context.high};
  }
  if (figure.moment == "layer_saved" && training) return ranged(range_around(saved_by_layer(scenario), scenario.profile.comparisons));
  if (figure.moment == "layer_forward" && training) return ranged(range_around(saved_by_layer(scenario) + output_of_layer(scenario), scenario.profile.comparisons));
  if (figure.moment == "between_steps" && training) return exactly(kept_between_steps(estimate_rank(scenario, *rank)).value);
  if (figure.moment != "peak" && !figure.first_micro_batch) return std::nullopt;

  const MemoryRange range = counted(*rank == answer.footprint->rank ? *answer.footprint : footprint(scenario, *rank), counter);
  if (figure.first_micro_batch) return training ? Answered{ranged(range_as_of(range, first_micro_batch(scenario, *rank)))} : std::nullopt;
  if (figure.first_step) return training ? Answered{ranged(range_as_of(range, first_peak(estimate_rank(scenario, *rank))))} : std::nullopt;
  return ranged(range);
}

Answered component(const Answer& answer, const Figure& figure) {
  for (std::size_t i = 0; i < answer.estimate.moments.size(); ++i) {
    const Moment moment = answer.estimate.moments[i].moment;
    if (figure.moment != "peak" && figure.moment != text_of(moment).id) continue;
    if (figure.moment == "peak" && i != answer.estimate.peak) continue;
    const Component tree = explain_moment(answer.scenario, moment);
    const Component* const found = find_component(tree, figure.part);
    return exactly(found != nullptr ? found->amount : 0);
  }
  return std::nullopt;
}

/// Of the moment at which memory peaks; a part of it is told apart by nobody yet.
template <Part part> Answered part_of_peak(const Answer& answer, const Figure& figure) {
  if (!figure.part.empty()) return std::nullopt;
  return exactly(answer.estimate.at_peak().parts[static_cast<std::size_t>(part)].value);
}

Answered parameters(const Answer& answer, const Figure&) { return exactly(answer.facts.parameters.value); }
Answered active_parameters(const Answer& answer, const Figure&) { return exactly(answer.facts.active_parameters.value); }
Answered trainable_parameters(const Answer& answer, const Figure&) {
  const Scenario& scenario = answer.scenario;
  if (!trains(scenario.workload.task)) return std::nullopt;
  return exactly((is_frozen(scenario) ? plimsoll::trainable_parameters(scenario.model, scenario.tuning) : answer.facts.parameters).value);
}
Answered usable(const Answer& answer, const Figure&) { return exactly(answer.estimate.usable.value); }

Answered bits_per_weight(const Answer& answer, const Figure& figure) {
  if (!figure.part.empty() || answer.facts.parameters <= Count{0}) return std::nullopt;
  constexpr std::int64_t kBitsInTenThousandths = 80'000;
  const Count weights{answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)].value};
  return exactly((weights * Count{kBitsInTenThousandths}).value / answer.facts.parameters.value);
}

template <auto member> Answered of_pool(const Answer& answer, const Figure& figure) {
  const CachePool& pool = answer.judgement.pool;
  if (!pool.exists || !figure.part.empty()) return std::nullopt;
  if constexpr (requires { (pool.*member).expected; }) return ranged(pool.*member);
  else return exactly((pool.*member).value);
}

Answered concurrency(const Answer& answer, const Figure& figure) {
  const Bytes each = answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::kv_cache)];
  if (!answer.judgement.pool.exists || !figure.part.empty() || each <= Bytes{0}) return std::nullopt;
  const Count hundredths = Count{answer.judgement.pool.bytes.expected.value} * Count{100} * Count{answer.scenario.workload.batch};
  return exactly(hundredths.value / each.value);
}

Answered tokens_per_s(const Answer& answer, const Figure&) {
  const Speed speed = plimsoll::speed(answer.scenario);
  return speed.exists ? Answered{ranged(speed.total)} : std::nullopt;
}
Answered prompt_tokens_per_s(const Answer& answer, const Figure&) {
  const Speed speed = plimsoll::speed(answer.scenario);
  return speed.has_prefill ? Answered{ranged(speed.prompt)} : std::nullopt;
}
/// A wait of the load that the question states, simulated; of a mean, with how far measured runs were.
template <Waits Load::*Of, Nanoseconds Waits::*At> Answered waits(const Answer& answer, const Figure&) {
  const Load load = simulated_load(answer.scenario, {answer.judgement.pool.most_tokens()});
  return load.exists && !load.too_long ? Answered{exactly((load.*Of.*At).value)} : std::nullopt;
}
Answered waited(const Answer& answer, TimeRange (*range)(const Scenario&, const Load&)) {
  const Load load = simulated_load(answer.scenario, {answer.judgement.pool.most_tokens()});
  return load.exists && !load.too_long ? Answered{ranged(range(answer.scenario, load))} : std::nullopt;
}

Answered ttft(const Answer& answer, const Figure&) {
  if (has_traffic(answer.scenario.workload)) return waited(answer, first_token_range);
  const Speed speed = plimsoll::speed(answer.scenario);
  return speed.has_prefill ? Answered{ranged(speed.first_token)} : std::nullopt;
}
Answered tpot(const Answer& answer, const Figure&) {
  if (has_traffic(answer.scenario.workload)) return waited(answer, per_token_range);
  const Speed speed = plimsoll::speed(answer.scenario);
  return speed.exists ? Answered{ranged(speed.step)} : std::nullopt;
}

Answered step_time_s(const Answer& answer, const Figure&) {
  const StepTime step = step_time(answer.scenario);
  return step.known ? Answered{ranged(step.total)} : std::nullopt;
}
Answered tokens_per_s_per_gpu(const Answer& answer, const Figure&) {
  const StepTime step = step_time(answer.scenario);
  if (!step.known) return std::nullopt;
  const auto rate = [&](Nanoseconds time) {
    StepTime other = step;
    other.total.expected = time;
    return tokens_per_gpu(other).value;
  };
  return Predicted{step.tokens_per_gpu.value, rate(step.total.high), rate(step.total.low)};
}
/// Of a step with all its phases, or of one of them.
Answered learning_step_s(const Answer& answer, const Figure&) {
  const LearningStep step = learning_step(answer.scenario);
  return step.known ? Answered{ranged(step.total)} : std::nullopt;
}
template <LearningPhase Phase> Answered phase_s(const Answer& answer, const Figure&) {
  const LearningStep step = learning_step(answer.scenario);
  return step.known ? Answered{ranged(step.phases[static_cast<std::size_t>(Phase)])} : std::nullopt;
}
Answered gpu_hours(const Answer& answer, const Figure&) {
  const JobTime job = job_time(answer.scenario);
  return job.known ? Answered{ranged(job.gpu_hours)} : std::nullopt;
}
Answered job_time_s(const Answer& answer, const Figure&) {
  const JobTime job = job_time(answer.scenario);
  return job.known ? Answered{ranged(job.wall)} : std::nullopt;
}

constexpr CounterRow kCounters[] = {
    {"requested", "bytes", "requested", 0, memory<MemoryCounter::requested>},
    {"allocated", "bytes", "allocated", 0, memory<MemoryCounter::allocated>},
    {"reserved", "bytes", "reserved", 0, memory<MemoryCounter::reserved>},
    {"process", "bytes", "process", 0, memory<MemoryCounter::process>},
    {"component", "bytes", "", 0, component},
    {"weights", "bytes", "", 0, part_of_peak<Part::weights>},
    {"kv_cache", "bytes", "", 0, part_of_peak<Part::kv_cache>},
    {"workspace", "bytes", "", 0, part_of_peak<Part::workspace>},
    {"usable", "bytes", "", 0, usable},
    {"parameters", "parameters", "", 0, parameters},
    {"active_parameters", "parameters", "", 0, active_parameters},
    {"trainable_parameters", "parameters", "", 0, trainable_parameters},
    {"bits_per_weight", "bits/weight", "", 4, bits_per_weight},
    {"kv_pool", "bytes", "", 0, of_pool<&CachePool::bytes>},
    {"passes", "bytes", "", 0, of_pool<&CachePool::passes>},
    {"kv_tokens", "tokens", "", 0, of_pool<&CachePool::tokens>},
    {"sequences", "sequences", "", 0, of_pool<&CachePool::sequences>},
    {"concurrency", "sequences", "", 2, concurrency},
    {"tokens_per_s", "tokens/s", "", 3, tokens_per_s},
    {"prompt_tokens_per_s", "tokens/s", "", 3, prompt_tokens_per_s},
    {"step_time_s", "s", "", 9, step_time_s},
    {"learning_step_s", "s", "", 9, learning_step_s},
    {"rollout_s", "s", "", 9, phase_s<LearningPhase::rollout>},
    {"scoring_s", "s", "", 9, phase_s<LearningPhase::scoring>},
    {"training_s", "s", "", 9, phase_s<LearningPhase::training>},
    {"weight_transfer_s", "s", "", 9, phase_s<LearningPhase::weights>},
    {"tokens_per_s_per_gpu", "tokens/s", "", 3, tokens_per_s_per_gpu},
    {"gpu_hours", "GPU-hours", "", 3, gpu_hours},
    {"job_time_s", "s", "", 9, job_time_s},
    {"ttft_ms", "ms", "", 6, ttft},
    {"tpot_ms", "ms", "", 6, tpot},
    {"latency_ms", "ms", "", 6, waits<&Load::whole, &Waits::mean>},
    {"ttft_p90_ms", "ms", "", 6, waits<&Load::first_token, &Waits::p90>},
    {"tpot_p90_ms", "ms", "", 6, waits<&Load::per_token, &Waits::p90>},
    {"latency_p90_ms", "ms", "", 6, waits<&Load::whole, &Waits::p90>},
};

} // namespace

const CounterRow* find_counter(std::string_view name) noexcept {
  const auto at = std::ranges::find(kCounters, name, &CounterRow::name);
  return at == std::ranges::end(kCounters) ? nullptr : &*at;
}

} // namespace plimsoll::io::accuracy
