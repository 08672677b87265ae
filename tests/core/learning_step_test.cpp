// Steps of reinforcement learning and of preference methods in time: phases, counted by hand where they are fractions of a training step.
#include "plimsoll/method/learning.hpp"

#include "method/time/learning/answers.hpp"
#include "plimsoll/method/explain.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace plimsoll;

namespace {

const std::string kBase = "model=llama-3.1-8b&device=h100-80-sxm&task=finetune&profile=fsdp2&precision=sharded_bf16&sharding=parameters&data_parallel=8&context_tokens=4096&recompute=full";
const std::string kGrpo = kBase + "&preference=grpo&rollout_engine=sleeping&rollout_tensor_parallel=1&completion_tokens=3968&step_prompts=64&group_size=8&micro_batches=64&mean_answer_tokens=1000";

io::Answer asked(const std::string& query) {
  io::Answer answer = test::answer_to(query);
  INFO(query);
  REQUIRE(answer.ok);
  return answer;
}

LearningStep step_of(const std::string& query) { return learning_step(asked(query).scenario); }

Nanoseconds phase(const LearningStep& step, LearningPhase of) { return step.phases[static_cast<std::size_t>(of)].expected; }
Nanoseconds scored(const LearningStep& step, Role role) { return step.scored[static_cast<std::size_t>(role)].expected; }

double near(Nanoseconds a, double times, Nanoseconds b) { return static_cast<double>(a.value) / (times * static_cast<double>(b.value)); }

} // namespace

TEST_CASE("lengths of answers have the mean that is stated, and none is longer than the longest") {
  for (const std::int64_t mean : {100, 1060, 1999, 2000, 2001, 3200, 3950}) {
    const timing::AnswerLengths lengths{.prompt = 100, .answer = mean, .longest = 4000};
    std::int64_t sum = 0, before = 0;
    constexpr int kDrawn = 256;
    for (int i = 0; i < kDrawn; ++i) {
      const std::int64_t length = timing::length_at(lengths, (i + 0.5) / kDrawn);
      CHECK(length >= before);
      CHECK(length <= 4000);
      before = length;
      sum += length;
    }
    INFO(mean);
    CHECK(sum / kDrawn >= mean - mean / 50 - 1);
    CHECK(sum / kDrawn <= mean + mean / 50 + 1);
  }
  CHECK(timing::length_at({.prompt = 1, .answer = 500, .longest = 500}, 0.01) == 500);
}

TEST_CASE("phases add up, and each follows what it is of") {
  const LearningStep step = step_of(kGrpo);
  REQUIRE(step.known);
  Nanoseconds sum;
  for (const TimeRange& each : step.phases) sum += each.expected;
  CHECK(sum == step.total.expected);
  CHECK(step.answers == Count{64 * 8});
  CHECK(step.tokens == Count{512 * (128 + 1000)});
  CHECK(step.updates == Count{1});
  CHECK(step.gpus == Count{8});
  CHECK(phase(step, LearningPhase::rollout) > Nanoseconds{0});
  // Two models read the answers: the policy as it was, and the reference, which has the same shapes.
  CHECK(scored(step, Role::policy) == scored(step, Role::reference));
  CHECK(scored(step_of(kGrpo + "&kl_reference=false"), Role::reference) == Nanoseconds{0});
  CHECK(scored(step_of(kGrpo + "&learned_reward=true"), Role::reward) > Nanoseconds{0});
  // Twice the prompts: twice the training and the scoring, less than twice the rollout, whose steps have more sequences each.
  const LearningStep twice = step_of(kGrpo + "&step_prompts=128");
  CHECK(twice.updates == Count{2});
  CHECK(near(phase(twice, LearningPhase::training), 2, phase(step, LearningPhase::training)) == 1);
  CHECK(near(phase(twice, LearningPhase::rollout), 2, phase(step, LearningPhase::rollout)) < 0.95);
  CHECK(near(phase(step_of(kGrpo + "&answer_epochs=3"), LearningPhase::training), 3, phase(step, LearningPhase::training)) == 1);
}

TEST_CASE("an engine on other GPUs hides behind the training, or waits for it") {
  const std::string apart = kGrpo + "&rollout_engine=separate&rollout_gpus=8";
  const LearningStep waits = step_of(apart), ahead = step_of(apart + "&rollout_ahead=1");
  CHECK(waits.gpus == Count{16});
  CHECK(ahead.rollout.expected == waits.rollout.expected); // its answers are all there before the next step's begin
  const Nanoseconds busy = phase(waits, LearningPhase::scoring) + phase(waits, LearningPhase::training), weights = phase(waits, LearningPhase::weights);
  CHECK(ahead.total.expected == max(ahead.rollout.expected, busy) + weights);
  CHECK(step_of(apart + "&rollout_ahead=true").total.expected == ahead.total.expected); // as earlier versions wrote it
  // A quarter of the answers hides, the others wait.
  const Nanoseconds quarter{(waits.rollout.expected.value + 3) / 4};
  CHECK(step_of(apart + "&rollout_ahead=0.25").total.expected == waits.total.expected - min(quarter, busy));
  CHECK(waits.total.expected == waits.rollout.expected + busy + weights);
  CHECK(weights > Nanoseconds{0});
  // A shard comes through a GPU's own adapter, whole tensors through all of a node: a quarter of the bytes, an eighth of the rate.
  CHECK(phase(step_of(apart + "&rollout_tensor_parallel=4&weight_transfer=shards"), LearningPhase::weights) > weights);
}

TEST_CASE("more steps ahead never lengthen a step, and several are answered at once") {
  const std::string apart = kGrpo + "&rollout_engine=separate&rollout_gpus=4"; // the engine is what takes the time
  Nanoseconds before = step_of(apart).total.expected, one = step_of(apart + "&rollout_ahead=1").rollout.expected;
  for (const char* steps : {"0.1", "0.5", "1", "1.5", "2", "3", "4", "8", "16"}) {
    INFO(steps);
    const LearningStep step = step_of(apart + "&rollout_ahead=" + steps);
    CHECK(step.total.expected <= before);
    before = step.total.expected;
  }
  // Of eight steps 4,096 answers are under way, 1,024 on a GPU, and only at the end do few run at once: a step's part is less than half of what it takes alone.
  CHECK(step_of(apart + "&rollout_ahead=8").rollout.expected + step_of(apart + "&rollout_ahead=8").rollout.expected < one);
  // NeMo RL's engines apart run 128 at once.
  Scenario limited = asked(apart + "&rollout_ahead=8").scenario;
  limited.profile.training.rollout.sequences_apart = 128;
  CHECK(learning_step(limited).rollout.expected > step_of(apart + "&rollout_ahead=8").rollout.expected);
  CHECK(asked("model=llama-3.1-8b&device=h100-80-sxm&task=grpo&profile=nemo_rl").scenario.profile.training.rollout.sequences_apart == 128);
}

TEST_CASE("where a step generates and GPUs divide experts, it is said that they are taken to be equally busy") {
  const auto says = [](const std::string& more) {
    const io::Answer answer = asked("model=qwen3-30b-a3b&device=h100-80-sxm&task=finetune&profile=nemo_rl&data_parallel=8&expert_tensor_parallel=1&" + more);
    return std::ranges::any_of(answer.issues, [](const Issue& issue) { return issue.field == "expert_load" && issue.severity == Severity::note; });
  };
  CHECK(says("preference=grpo&expert_parallel=8"));
  CHECK(!says("preference=grpo&expert_parallel=8&expert_load=1.3"));
  CHECK(!says("preference=grpo"));
  CHECK(!says("preference=dpo&expert_parallel=8"));
}

TEST_CASE("all wait for the GPU whose experts get the most, as many as the engine meets where nobody says") {
  const std::string moe = "model=qwen3-30b-a3b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&expert_parallel=8&expert_tensor_parallel=1&data_parallel=8&context_tokens=4096&"
                          "batch=8&micro_batches=1&scoring_batch=8&recompute=full&completion_tokens=3000&mean_answer_tokens=2000&step_prompts=64&group_size=8&rollout_tensor_parallel=2";
  const LearningStep even = step_of(moe + "&expert_load=1.001"), met = step_of(moe), full = step_of(moe + "&expert_load=2");
  for (const LearningPhase of : {LearningPhase::training, LearningPhase::scoring}) {
    CHECK(phase(even, of) < phase(met, of));
    CHECK(phase(met, of) < phase(full, of));
  }
}

TEST_CASE("a step waits for the replica whose prompts have the longest answers") {
  // NeMo RL v0.3, Llama 3.1 8B on eight H100, eight prompts with 32 answers each for every replica: 58 s (tests/corpus/rl-phases.json). Taken to be
  // alike, replicas were through after 47 s.
  const std::string measured = "model=llama-3.1-8b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&pipeline_parallel=2&data_parallel=4&micro_batches=29&batching=packed&context_tokens=4096&recompute=none&"
                               "kl_reference=true&offload_roles=true&scoring_batch=4&step_prompts=64&group_size=32&completion_tokens=3966&mean_prompt_tokens=130&mean_answer_tokens=795&rollout_tensor_parallel=1";
  const double seconds = static_cast<double>(step_of(measured).rollout.expected.value) / 1e9;
  CHECK(seconds > 52);
  CHECK(seconds < 64);
}

TEST_CASE("a model that trains need not read its answers once more") {
  const LearningStep reads = step_of(kGrpo), less = step_of(kGrpo + "&policy_logprobs=false");
  CHECK(scored(less, Role::policy) == Nanoseconds{0});
  CHECK(less.total.expected == reads.total.expected - scored(reads, Role::policy));
}

TEST_CASE("DPO's reference reads a third of a step's multiplications, KTO's models read mismatched answers too") {
  const std::string pairs = kBase + "&recompute=none&data_parallel=1&sharding=none&precision=bf16&context_tokens=1024";
  const Scenario dpo = asked(pairs + "&preference=dpo").scenario;
  const LearningStep step = learning_step(dpo);
  REQUIRE(step.known);
  const StepTime trained = step_time(dpo);
  const auto third = [](const TimeRange& part) { return Nanoseconds{(part.expected.value + 2) / 3}; };
  const auto of = [&](TimePart part) { return trained.parts[static_cast<std::size_t>(part)]; };
  const Nanoseconds attention{(of(TimePart::attention).expected.value * 2 + 6) / 7};
  CHECK(scored(step, Role::reference) == third(of(TimePart::matrices)) + attention + third(of(TimePart::elementwise)) + third(of(TimePart::launches)));
  CHECK(phase(step, LearningPhase::training) == trained.total.expected);
  CHECK(step.answers == Count{2}); // a pair
  const LearningStep kto = step_of(pairs + "&preference=kto");
  CHECK(scored(kto, Role::reference) == Count{2} * scored(kto, Role::policy));
  CHECK(!step_of(pairs + "&preference=orpo").known); // pairs without a reference: a step as any other
  CHECK(!step_of(pairs + "&preference=simpo").known);
  CHECK(!step_of(pairs + "&preference=dpo&precomputed_reference=true").known);
}

TEST_CASE("a whole job counts what is not training") {
  const std::string job = "&dataset_tokens=1000000000";
  const JobTime alone = job_time(asked(kBase + job).scenario), dpo = job_time(asked(kBase + job + "&preference=dpo").scenario);
  REQUIRE(dpo.known);
  CHECK(dpo.wall.expected > alone.wall.expected);
}

TEST_CASE("an engine that takes a share of the device holds it while answers are generated") {
  const io::Answer answer = asked(kGrpo + "&rollout_memory_fraction=0.6");
  const Component tree = explain_moment(answer.scenario, Moment::rollout);
  const std::int64_t share = answer.scenario.hardware.usable_bytes * 600 / 1000;
  const auto amount = [&](const char* id) {
    const Component* const found = find_component(tree, id);
    return found == nullptr ? std::int64_t{0} : found->amount;
  };
  CHECK(amount("memory.kv_cache") + 2 * 8'030'261'248 == share); // cache, and the engine's own weights in 16 bits
  CHECK(amount("memory.kv_cache.reserved") > 0);
}

TEST_CASE("an engine with a layout of its own generates where the trainer has a pipeline") {
  const std::string stages = "model=llama-3.1-8b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&pipeline_parallel=2&data_parallel=4&micro_batches=8&completion_tokens=1000";
  CHECK(!io::answer_query(test::catalog(), stages + "&rollout_engine=sleeping").ok);
  const io::Answer answer = asked(stages + "&rollout_engine=sleeping&rollout_tensor_parallel=2&rollout_memory_fraction=0");
  CHECK(learning_step(answer.scenario).known);
  CHECK(!io::answer_query(test::catalog(), stages + "&rollout_engine=sleeping&rollout_tensor_parallel=3").ok);
  CHECK(!io::answer_query(test::catalog(), stages + "&rollout_engine=sleeping&rollout_tensor_parallel=2&mean_answer_tokens=2000").ok);
}

namespace {

/// Of the weights' phase, the part of that name, in nanoseconds; 0 where there is none.
std::int64_t part_of_weights(const std::string& query, const char* id) {
  const io::Answer answer = asked(query);
  const Explanation explanation = explain(answer.scenario, answer.estimate);
  for (const Component& fact : explanation.facts)
    if (const Component* const found = fact.id == "fact.learning_step" ? find_component(fact, id) : nullptr) return found->amount;
  return 0;
}

} // namespace

TEST_CASE("a trainer makes room for an engine beside it: optimizer states through pageable memory, weights over the link, there and back") {
  const std::string beside = "model=llama-3.1-8b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&data_parallel=8&micro_batches=8&context_tokens=4096&completion_tokens=3968&rollout_tensor_parallel=1";
  const std::int64_t parameters = 8'030'261'248, host = asked(beside).scenario.hardware.rates.host;
  const auto seconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e9; };
  const double link = static_cast<double>(host) * 0.75;
  // 4 bytes of main weight and 8 of moments for each parameter of an eighth, at 3 GB/s.
  CHECK(std::fabs(seconds(part_of_weights(beside, "time.places.states")) / (2 * 12.0 * static_cast<double>(parameters) / 8 / 3e9) - 1) < 0.001);
  CHECK(std::fabs(seconds(part_of_weights(beside, "time.places.weights")) / (2 * 2.0 * static_cast<double>(parameters) / link) - 1) < 0.001);
  CHECK(std::fabs(seconds(part_of_weights(beside, "time.places.engine")) / (2 * 2.0 * static_cast<double>(parameters) / link) - 1) < 0.001);
  CHECK(part_of_weights(beside + "&trainer_offload=none", "time.places.states") == 0);
  CHECK(part_of_weights(beside + "&trainer_offload=states", "time.places.weights") == 0);
  CHECK(part_of_weights(beside + "&rollout_engine=separate", "time.places.states") == 0);
  CHECK(part_of_weights(kGrpo + "&trainer_offload=none", "time.places.engine") == 0); // nobody says that this program's engine keeps them
  // Copies to pinned memory go at the link's rate.
  Scenario pinned = asked(beside).scenario;
  const Nanoseconds before = phase(learning_step(pinned), LearningPhase::weights);
  pinned.profile.training.rollout.pageable = PageableCopies::none;
  CHECK(phase(learning_step(pinned), LearningPhase::weights) < before);
  // All wait for the fullest stage: the first three of DeepSeek V3's layers have no experts.
  const std::string stages = "model=deepseek-v3-671b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&pipeline_parallel=16&expert_parallel=16&expert_tensor_parallel=1&data_parallel=16&micro_batches=2&context_tokens=1536&completion_tokens=1400&rollout_tensor_parallel=32&recompute=full&first_stage_layers=3&last_stage_layers=2";
  CHECK(seconds(part_of_weights(stages, "time.places.states")) > 20);
}

TEST_CASE("ranks of the trainer gather experts that replicas divide, tensor by tensor") {
  const std::string experts = "model=qwen3-30b-a3b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&expert_parallel=8&expert_tensor_parallel=1&data_parallel=8&micro_batches=2&context_tokens=1024&completion_tokens=900&rollout_tensor_parallel=2";
  // 48 layers with 128 experts of 3 maps, and 13 other tensors or fewer in each, at 0.2 ms; the bytes take a fraction of a second.
  const double each = static_cast<double>(part_of_weights(experts, "time.weights")) / (48 * 128 * 3) / 1e6;
  CHECK(each > 0.2);
  CHECK(each < 0.23);
  CHECK(part_of_weights(experts + "&expert_parallel=1", "time.weights") == 0); // every GPU has every weight
}

TEST_CASE("log-probabilities of what an engine samples take the host's time in each of its steps") {
  const std::string beside = "model=llama-3.1-8b&device=h100-80-sxm&task=finetune&profile=nemo_rl&preference=grpo&data_parallel=8&micro_batches=8&context_tokens=4096&completion_tokens=3968&rollout_tensor_parallel=1&step_prompts=64&group_size=8";
  Scenario scenario = asked(beside).scenario;
  const Nanoseconds asks = learning_step(scenario).rollout.expected;
  scenario.profile.training.rollout.logprobs = false;
  const Nanoseconds less = asks - learning_step(scenario).rollout.expected;
  // 64 answers of 3,968 tokens on each GPU.
  const double each = static_cast<double>(less.value) / 3968;
  CHECK(std::fabs(each / (113'000 + 64 * 18'200.0) - 1) < 0.01);
}

TEST_CASE("phases open to their formulas") {
  const io::Answer answer = asked(kGrpo);
  const Explanation explanation = explain(answer.scenario, answer.estimate);
  const Component* step = nullptr;
  for (const Component& fact : explanation.facts)
    if (fact.id == "fact.learning_step") step = &fact;
  REQUIRE(step != nullptr);
  CHECK(step->amount == learning_step(answer.scenario).total.expected.value);
  for (const char* id : {"phase.rollout", "phase.scoring", "phase.training", "phase.weights"}) CHECK(find_component(*step, id) != nullptr);
}
