// A search that drops what cannot win finds what judging everything finds, and what it finds is what estimate() and step_time() say.
#include "scenarios.hpp"

#include "plimsoll/method/chance.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/method/validate.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

PlanVariant variant_of(const std::string& query, std::vector<Fleet> fleets) {
  const io::Answer answer = test::answer_to(query);
  return {answer.inputs, answer.scenario.profile, std::move(fleets)};
}

/// A few of the values, in their order, at least one.
template <class T> std::vector<T> some(std::mt19937& random, const std::vector<T>& values, unsigned most) {
  std::vector<T> chosen;
  for (const T& value : values)
    if (chosen.size() < most && random() % 2 == 0) chosen.push_back(value);
  if (chosen.empty()) chosen.push_back(values[random() % values.size()]);
  return chosen;
}

template <class T> const T& one(std::mt19937& random, const std::vector<T>& values) { return values[random() % values.size()]; }

const std::vector<ScheduleChoice> kSchedules{{PipelineSchedule::one_f_one_b, 1, false}, {PipelineSchedule::one_f_one_b, 2, false},
                                             {PipelineSchedule::one_f_one_b, 1, true},  {PipelineSchedule::gpipe, 1, false},
                                             {PipelineSchedule::zb_h1, 1, false},       {PipelineSchedule::zb_h2, 1, false},
                                             {PipelineSchedule::zb_v, 1, false},        {PipelineSchedule::dualpipe, 1, false},
                                             {PipelineSchedule::dualpipe_v, 1, false},  {PipelineSchedule::one_f_one_b, 1, false, true},
                                             {PipelineSchedule::one_f_one_b, 1, false, false, true}, {PipelineSchedule::one_f_one_b, 3, false, false, true}};
const std::vector<ShardingChoice> kShardings{{Sharding::none},      {Sharding::optimizer},        {Sharding::gradients},
                                             {Sharding::parameters}, {Sharding::parameters, false, false}, {Sharding::parameters, true, true},
                                             {Sharding::optimizer, true, true}, {Sharding::parameters, false, true, true}};
const std::vector<RecomputeChoice> kRecomputes{{Recompute::none},    {Recompute::selective}, {Recompute::full},   {Recompute::full, 4},
                                               {Recompute::block, 3}, {Recompute::block, 9}, {Recompute::every_k, 2}, {Recompute::sqrt},
                                               {Recompute::per_op},  {Recompute::offloaded}, {Recompute::selective, 1, kRecomputeNorms},
                                               {Recompute::selective, 1, kRecomputeMlp | kRecomputeExperts}, {Recompute::selective, 1, kRecomputeExpertActivation}};

PlanQuestion random_question(unsigned seed) {
  std::mt19937 random{seed};
  const std::vector<std::string> models{"llama-3-8b", "llama-3.1-405b", "gpt-2-124m", "gemma-2-9b", "qwen3-30b-a3b", "mixtral-8x7b", "deepseek-v2-lite-16b", "llama-3-70b"};
  const std::vector<std::string> profiles{"pytorch", "megatron", "torchtitan", "deepspeed", "fsdp2", "fsdp1"};
  const std::vector<std::string> devices{"h100-80-sxm", "a100-40-sxm", "rtx4090", "b200"};
  const std::vector<std::string> precisions{"bf16", "mixed_bf16", "master_bf16", "sharded_bf16"};
  const std::vector<std::string> methods{"task=pretrain", "task=finetune", "task=finetune&method=lora", "task=finetune&method=lora&weight_dtype=nf4"};
  const std::vector<std::int64_t> gpus{1, 2, 4, 8, 16, 32, 64};
  PlanQuestion question;
  const unsigned variants = 1 + random() % 2;
  for (unsigned i = 0; i < variants; ++i) {
    const std::string& model = one(random, models);
    const std::string device = one(random, devices), profile = one(random, profiles), method = one(random, methods);
    const bool quantised = method.ends_with("nf4"); // which torchtitan does not train
    std::string query = "model=" + model + "&device=" + device + "&profile=" + (quantised && profile == "torchtitan" ? "fsdp2" : profile) + "&" + method;
    const std::string& precision = one(random, precisions); // one after the other: which operand a compiler evaluates first is its own choice
    const int context = model == "gpt-2-124m" ? 1024 : 1024 << random() % 3;
    query += "&precision=" + precision + "&context_tokens=" + std::to_string(context);
    std::vector<Fleet> fleets;
    for (const std::int64_t count : some(random, gpus, 2)) fleets.push_back({count, Money{count * (1'000'000 + static_cast<std::int64_t>(random() % 4'000'000))}});
    question.variants.push_back(variant_of(query, fleets));
    PlanAxes axes;
    axes.tensor_parallel = some<std::int64_t>(random, {1, 2, 3, 4, 8, 16}, 3);
    axes.pipeline_parallel = some<std::int64_t>(random, {1, 2, 4, 8}, 3);
    axes.context_parallel = some<std::int64_t>(random, {1, 2, 4}, 2);
    axes.expert_parallel = random() % 2 == 0 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 8};
    axes.batch = some<std::int64_t>(random, {1, 2, 4, 8, 16}, 3);
    axes.schedules = some(random, kSchedules, 3);
    axes.shardings = some(random, kShardings, 3);
    axes.offloads = some<Offload>(random, {Offload::none, Offload::optimizer, Offload::parameters}, 2);
    axes.recomputes = some(random, kRecomputes, 4);
    if ((seed + i) % 2 == 0) axes.expert_tensor_parallel = {0, 1};
    axes.overlaps_tensor = (seed + i) % 3 == 0;
    question.axes.push_back(std::move(axes));
  }
  question.global_batch = one(random, std::vector<std::int64_t>{64, 128, 96});
  question.objective = static_cast<Objective>(random() % kObjectives);
  question.most = 1 + random() % 12;
  question.one_per_layout = random() % 2 == 0;
  return question;
}

bool same(const Planned& one, const Planned& other) {
  return one.number == other.number && one.choice == other.choice && one.needs == other.needs && one.headroom == other.headroom && one.chance == other.chance && one.timed == other.timed &&
         one.step.expected == other.step.expected && one.time == other.time && one.cost == other.cost && one.energy == other.energy;
}

void check_same(const Plan& one, const Plan& other) {
  CHECK(std::ranges::equal(one.best, other.best, same));
  CHECK(std::ranges::equal(one.candidates, other.candidates, same));
  CHECK(std::ranges::equal(one.front, other.front, same));
}

std::int64_t dropped(const PlanCounts& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t n : counts.dropped) sum += n;
  return sum;
}

Scenario scenario_of_plan(const PlanQuestion& question, const PlanChoice& choice) {
  const PlanVariant& variant = question.variants[choice.variant];
  return scenario_of(inputs_of(question, choice), variant.profile);
}

} // namespace

TEST_CASE("a search that drops what cannot win finds the same plans and the same front as judging everything") {
  std::int64_t beaten = 0, fronts = 0, held = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    PlanQuestion question = random_question(seed);
    question.exhaustive = true;
    const Plan first = plan(question);
    if (seed % 4 == 3 && !first.front.empty()) { // limits that some plans keep and others do not
      const Planned& middle = first.front[first.front.size() / 2];
      if (seed % 8 == 3) question.budget = middle.cost;
      else question.deadline = middle.time;
    }
    const Plan whole = plan(question);
    question.exhaustive = false;
    const Plan pruned = plan(question);
    check_same(pruned, whole);
    CHECK(pruned.counts.tried == whole.counts.tried);
    CHECK(pruned.progress.done());
    for (const Plan* plan : {&whole, &pruned}) CHECK(plan->counts.tried == plan->counts.held + dropped(plan->counts));
    CHECK(whole.counts.dropped[static_cast<std::size_t>(Dropped::beaten)] == 0);
    beaten += pruned.counts.dropped[static_cast<std::size_t>(Dropped::beaten)];
    fronts += static_cast<std::int64_t>(whole.front.size());
    held += whole.counts.held;
  }
  CHECK(beaten > 1000);
  CHECK(fronts > 500);
  CHECK(held > 3000);
}

TEST_CASE("a plan needs what estimate() says and takes what step_time() says") {
  int plans = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    PlanQuestion question = random_question(seed);
    question.most = 200;
    question.one_per_layout = false;
    for (const Planned& planned : plan(question).best) {
      if (++plans % 5 != 0) continue;
      INFO("seed " << seed << " number " << planned.number);
      CHECK(!has_errors(validate(inputs_of(question, planned.choice), question.variants[planned.choice.variant].profile)));
      const Scenario scenario = scenario_of_plan(question, planned.choice);
      const Estimate estimated = estimate(scenario);
      CHECK(estimated.fits);
      CHECK(estimated.at_peak().total == planned.needs);
      CHECK(estimated.headroom == planned.headroom);
      CHECK(estimated.gpus == Count{planned.choice.gpus});
      const StepTime step = step_time(scenario);
      CHECK(step.known == planned.timed);
      CHECK(step.total.expected == planned.step.expected);
      CHECK(step.total.low == planned.step.low);
      CHECK(step.tokens == Count{question.global_batch} * Count{scenario.workload.context_tokens});
    }
  }
  CHECK(plans > 1000);
}

namespace {

/// All strategies of a question, in no particular way: as its comments say what they are.
template <class Sink> void every_strategy(const PlanQuestion& question, Sink&& sink) {
  for (std::size_t v = 0; v < question.variants.size(); ++v)
    for (std::size_t f = 0; f < question.variants[v].fleets.size(); ++f) {
      const PlanVariant& variant = question.variants[v];
      const PlanAxes& axes = question.axes[v];
      const auto layers = static_cast<std::int64_t>(variant.inputs.model.pattern.size());
      PlanChoice c;
      c.variant = static_cast<std::uint32_t>(v), c.fleet = static_cast<std::uint32_t>(f), c.gpus = variant.fleets[f].gpus;
      for (std::int64_t t : axes.tensor_parallel) for (std::int64_t p : axes.pipeline_parallel) for (std::int64_t x : axes.context_parallel)
      for (std::int64_t e : axes.expert_parallel) for (const std::int64_t& of_expert : axes.expert_tensor_parallel) for (const ScheduleChoice& schedule : axes.schedules) for (std::int64_t b : axes.batch)
      for (const ShardingChoice& sharding : axes.shardings) for (Offload offload : axes.offloads) for (const RecomputeChoice& recompute : axes.recomputes) {
        const std::int64_t node = variant.inputs.hardware.gpus_per_node;
        if (t > node || c.gpus % (t * p * x) != 0) continue;
        const std::int64_t d = c.gpus / (t * p * x), replicas = d * x;
        if (p == 1 && &schedule != axes.schedules.data()) continue;
        if (replicas == 1 && &sharding != axes.shardings.data()) continue;
        if (question.global_batch % (b * d) != 0) continue;
        c.first_stage_layers = c.last_stage_layers = c.secondary_group = 0;
        if (p > 1 && schedule.uneven_ends) { // what the stages between leave for the ends, one more for the first where it is odd
          const std::int64_t left = layers - (p - 2) * ((layers + p - 1) / p);
          if (layers % p == 0 || left < 2) continue;
          c.first_stage_layers = (left + 1) / 2, c.last_stage_layers = left / 2;
        }
        c.first_chunk_layers = c.chunk_layers = c.last_chunk_layers = 0;
        if (p > 1 && schedule.written) { // as many as evenly, rounded up; the last what is left, the first less where that is not enough
          const std::int64_t v = schedule.virtual_stages, each = (layers + p * v - 1) / (p * v), left = layers - (p * v - 1) * each;
          const std::int64_t first = left < 0 ? each + left : each, last = left < 0 ? 0 : left, fewest = v == 1 ? 1 : 0;
          if (layers % p == 0 || (layers + 2) % p == 0 || first < fewest || last < fewest) continue;
          if (v == 1 && p == 2) continue;
          if (v == 1) c.first_stage_layers = first, c.last_stage_layers = last;
          else c.first_chunk_layers = first, c.chunk_layers = each, c.last_chunk_layers = last;
        }
        c.sharding = replicas == 1 ? ShardingChoice{} : sharding;
        c.shard_group = 0;
        if (c.sharding.in_node || c.sharding.second) {
          const std::int64_t group = node / t;
          if (group <= 1 || group >= replicas || replicas % group != 0) continue;
          (c.sharding.second ? c.secondary_group : c.shard_group) = group;
        }
        if (offload == Offload::parameters && c.sharding.sharding != Sharding::parameters) continue;
        if (recompute.layers > 1 && recompute.layers >= (layers + p - 1) / p) continue;
        if (recompute.recompute == Recompute::offloaded && !variant.profile.training.offload.inputs) continue; // which the framework has not
        if (recompute.modules != kRecomputeCoreAttention && !variant.profile.training.modules.chosen) continue;
        if (&of_expert != axes.expert_tensor_parallel.data() && (t == 1 || e == 1)) continue;
        c.tensor_parallel = t, c.pipeline_parallel = p, c.context_parallel = x, c.expert_parallel = e, c.expert_tensor_parallel = of_expert, c.data_parallel = d;
        c.batch = b, c.micro_batches = question.global_batch / (b * d);
        c.schedule = p == 1 ? ScheduleChoice{} : schedule;
        c.communication_overlap = t > 1 && axes.overlaps_tensor;
        c.sequence_parallel = t > 1, c.embedding_in_split = c.loss_in_split = c.schedule.ends_count;
        c.offload = offload, c.recompute = recompute;
        sink(c);
      }
    }
}

} // namespace

TEST_CASE("a search tries every strategy of its question, and keeps those that run and fit") {
  for (unsigned seed = 0; seed < 25; ++seed) {
    PlanQuestion question = random_question(seed);
    question.objective = Objective::headroom;
    question.exhaustive = true;
    PlanCounts counted;
    Bytes most{-1};
    bool offloads = true; // which comes last
    every_strategy(question, [&](const PlanChoice& choice) {
      ++counted.tried;
      const Inputs inputs = inputs_of(question, choice);
      const PlanVariant& variant = question.variants[choice.variant];
      if (has_errors(validate(inputs, variant.profile))) return void(++counted.dropped[static_cast<std::size_t>(Dropped::invalid)]);
      const Estimate estimated = estimate(scenario_of(inputs, variant.profile));
      if (!estimated.fits) return void(++counted.dropped[static_cast<std::size_t>(Dropped::device)]);
      ++counted.held;
      const bool away = choice.offload != Offload::none;
      if (away > offloads) return;
      if (away < offloads) most = Bytes{-1}, offloads = false;
      most = max(most, estimated.headroom);
    });
    const Plan found = plan(question);
    INFO("seed " << seed);
    CHECK(found.counts.tried == counted.tried);
    CHECK(found.counts.held == counted.held);
    CHECK(found.counts.dropped == counted.dropped);
    std::int64_t refused = 0;
    for (const PlanCounts::Refused& one : found.counts.refused) refused += one.strategies;
    CHECK(refused == counted.dropped[static_cast<std::size_t>(Dropped::invalid)]);
    CHECK((found.best.empty() ? Bytes{-1} : found.best.front().headroom) == most);
  }
}

TEST_CASE("no plan that holds has a smaller chance of running out of memory than the safest") {
  std::int64_t risky = 0, sure = 0;
  for (unsigned seed = 0; seed < 25; ++seed) {
    PlanQuestion question = random_question(seed);
    question.objective = Objective::safest;
    std::int64_t least = kCertain + 1;
    bool offloads = true; // which comes last
    every_strategy(question, [&](const PlanChoice& choice) {
      const Inputs inputs = inputs_of(question, choice);
      const Profile& profile = question.variants[choice.variant].profile;
      if (has_errors(validate(inputs, profile))) return;
      const Estimate estimated = estimate(scenario_of(inputs, profile));
      if (!estimated.fits) return;
      const bool away = choice.offload != Offload::none;
      if (away > offloads) return;
      if (away < offloads) least = kCertain + 1, offloads = false;
      const std::int64_t chance = chance_around(estimated.at_peak().total, profile, estimated.usable);
      ++(chance > 0 ? risky : sure);
      least = std::min(least, chance);
    });
    const Plan found = plan(question);
    INFO("seed " << seed);
    CHECK((found.best.empty() ? kCertain + 1 : found.best.front().chance) == least);
  }
  CHECK(risky > 100);
  CHECK(sure > 500);
}

TEST_CASE("the plan is the same in steps of any size, and whichever layout is searched first") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    const PlanQuestion question = random_question(seed);
    const Plan at_once = plan(question);
    Planner stepped{question};
    std::int64_t tried = 0;
    while (stepped.advance(1 + static_cast<std::int64_t>(seed % 7))) {
      CHECK(stepped.progress().tried >= tried);
      tried = stepped.progress().tried;
      CHECK(stepped.plan().best.size() <= question.most);
    }
    Planner backwards{question};
    while (backwards.layouts_open() > 0) {
      for (std::size_t i = backwards.layouts_open(); i > 0; --i) backwards.search(i - 1);
      backwards.close();
    }
    for (const Plan& other : {stepped.plan(), backwards.plan()}) {
      check_same(other, at_once);
      CHECK(other.counts.tried == at_once.counts.tried);
      CHECK(other.counts.held == at_once.counts.held);
      CHECK(other.counts.dropped == at_once.counts.dropped);
      CHECK(other.progress.done());
    }
  }
}

TEST_CASE("what a search is told of validity is what people are told in words") {
  std::int64_t refused = 0, valid = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const PlanQuestion question = random_question(seed);
    std::int64_t turn = 0;
    every_strategy(question, [&](const PlanChoice& choice) {
      if (++turn % 3 != 0) return;
      const Inputs inputs = inputs_of(question, choice);
      const Profile& profile = question.variants[choice.variant].profile;
      const Issues issues = validate(inputs, profile);
      const bool wrong = has_errors(issues);
      CHECK(first_refused(inputs, profile).empty() == !wrong);
      const auto first = std::ranges::find_if(issues, [](const Issue& issue) { return issue.severity == Severity::error; });
      if (wrong) CHECK(first_refused(inputs, profile) == first->field);
      Inputs undivided = inputs;
      undivided.strategy.sharding = Sharding::none;
      undivided.strategy.shard_group = undivided.strategy.secondary_group = 0;
      CHECK(Refusals{undivided, profile}.first(inputs, profile) == first_refused(inputs, profile));
      ++(wrong ? refused : valid);
    });
  }
  CHECK(refused > 1000);
  CHECK(valid > 1000);
}

TEST_CASE("the ranking follows the objective, and nothing on the front is beaten") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    const PlanQuestion question = random_question(seed);
    const Plan found = plan(question);
    for (std::size_t i = 1; i < found.best.size(); ++i) {
      const Planned& better = found.best[i - 1];
      const Planned& worse = found.best[i];
      const bool first_offloads = better.choice.offload != Offload::none, second_offloads = worse.choice.offload != Offload::none;
      CHECK((!first_offloads || second_offloads));
      if (first_offloads != second_offloads) continue;
      switch (question.objective) {
        case Objective::time: CHECK(better.time <= worse.time); break;
        case Objective::cost: CHECK(better.cost <= worse.cost); break;
        case Objective::headroom: CHECK(better.headroom >= worse.headroom); break;
        case Objective::gpus: CHECK(better.choice.gpus <= worse.choice.gpus); break;
        case Objective::energy: CHECK(better.energy <= worse.energy); break;
        case Objective::safest:
          CHECK(better.chance <= worse.chance);
          if (better.chance == worse.chance && better.timed && worse.timed) CHECK(better.time <= worse.time);
          break;
      }
    }
    for (const Planned& one : found.front)
      for (const Planned& other : found.front) {
        const bool covers = one.time <= other.time && one.cost <= other.cost && one.headroom >= other.headroom;
        CHECK((!covers || one.number == other.number));
      }
  }
}
