// Compositions counted by hand. Llama 3 8B: 8,030,261,248 parameters, 128,256 × 4,096 of them the head; vocabulary 128,256.
#include "plimsoll/method/composition.hpp"

#include "allocations.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kLlama = 8'030'261'248, kLlamaHead = 128'256ll * 4'096, kVocab = 128'256;
constexpr std::int64_t kLlamaScalar = kLlama - kLlamaHead + 4'096;
const std::string kBase = "model=llama-3-8b&task=finetune&precision=bf16&context_tokens=4096";

const MomentUse& at(const Estimate& estimate, Moment moment) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return estimate.moments[i];
  throw std::runtime_error("no such moment");
}

bool has(const Estimate& estimate, Moment moment) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return true;
  return false;
}

std::int64_t part(const MomentUse& use, Part part) { return use.parts[static_cast<std::size_t>(part)].value; }

std::int64_t amount(const std::string& query, Moment moment, const char* id) {
  const Component tree = explain_moment(test::answer_to(query).scenario, moment);
  const Component* found = find_component(tree, id);
  return found == nullptr ? 0 : found->amount;
}

Bytes peak(const std::string& query) { return test::answer_to(query).estimate.at_peak().total; }

} // namespace

TEST_CASE("DPO: a pair is two sequences, the reference weighs what the model weighs and scores while activations wait") {
  const std::string dpo = kBase + "&preference=dpo";
  const Estimate estimate = test::answer_to(dpo).estimate;
  const Estimate two = test::answer_to(kBase + "&batch=2").estimate;
  for (Moment moment : {Moment::forward_end, Moment::loss_backward, Moment::backward_end, Moment::optimizer_step}) {
    CHECK(part(at(estimate, moment), Part::other_models) == 2 * kLlama);
    CHECK(at(estimate, moment).total.value == at(two, moment).total.value + 2 * kLlama);
  }
  CHECK(!has(estimate, Moment::rollout));
  // Two sequences' logits, and the log-softmax of one of them.
  CHECK(amount(dpo, Moment::scoring, "memory.workspace.scored_logits.reference") == kVocab * (2 * 4096 * 2 + 4096 * 2));
  CHECK(part(at(estimate, Moment::scoring), Part::activations) == part(at(estimate, Moment::forward_end), Part::activations));
  CHECK(amount(dpo, Moment::scoring, "memory.models.reference") == 2 * kLlama);
}

TEST_CASE("DPO without a reference on the GPU: precomputed, or methods that have none") {
  const Bytes pairs = peak(kBase + "&batch=2");
  CHECK(peak(kBase + "&preference=dpo&precomputed_reference=true") == pairs);
  CHECK(peak(kBase + "&preference=orpo") == pairs);
  CHECK(peak(kBase + "&preference=simpo") == pairs);
  CHECK(test::answer_to(kBase + "&preference=orpo").estimate.moments.size() == test::answer_to(kBase).estimate.moments.size());
}

TEST_CASE("with adapters the reference is the model beneath them: no weights of its own, but a pass") {
  const std::string lora = kBase + "&preference=dpo&method=lora";
  CHECK(amount(lora, Moment::scoring, "memory.models.reference") == 0);
  CHECK(amount(lora, Moment::scoring, "memory.workspace.scored_logits.reference") == kVocab * (2 * 4096 * 2 + 4096 * 2));
}

TEST_CASE("another reference model weighs what it weighs") {
  const std::int64_t small = count_parameters(test::answer_to("model=llama-3.2-1b").scenario.model).value;
  CHECK(amount(kBase + "&preference=dpo&reference_model=llama-3.2-1b", Moment::scoring, "memory.models.reference") == 2 * small);
  CHECK(amount(kBase + "&preference=dpo&reference_model=llama-3.2-1b&role_dtype=fp32", Moment::scoring, "memory.models.reference") == 4 * small);
}

// Fused AdamW keeps a counter on the GPU for each of the 291 tensors, in a block of 512 bytes.
constexpr std::int64_t kLlamaSteps = 291 * 512;

TEST_CASE("PPO: reference and reward model are frozen, the critic trains along") {
  const std::string ppo = kBase + "&preference=ppo";
  const Estimate estimate = test::answer_to(ppo).estimate;
  CHECK(amount(ppo, Moment::between_steps, "memory.models.reference") == 2 * kLlama);
  CHECK(amount(ppo, Moment::between_steps, "memory.models.reward") == 2 * kLlamaScalar);
  CHECK(amount(ppo, Moment::between_steps, "memory.models.critic") == (2 + 4) * kLlamaScalar + kLlamaSteps); // bf16 weights and AdamW states
  CHECK(amount(ppo, Moment::optimizer_step, "memory.models.critic") == (2 + 2 + 4) * kLlamaScalar + kLlamaSteps); // and gradients
  // The critic's activations are the policy's: one more set, without logits.
  CHECK(amount(ppo, Moment::forward_end, "memory.models.critic") ==
        6 * kLlamaScalar + kLlamaSteps + part(at(estimate, Moment::forward_end), Part::activations));
  CHECK(part(at(estimate, Moment::rollout), Part::gradients) == 0);
  CHECK(part(at(estimate, Moment::rollout), Part::activations) == 0);
  CHECK(part(at(estimate, Moment::scoring), Part::activations) == 0); // before the step
}

TEST_CASE("GRPO: the cache of a rollout, by engine") {
  const std::string grpo = kBase + "&preference=grpo&rollout_prompts=2&group_size=4";
  const std::int64_t cache = 32ll * 8 * 4096 * (2 * 8 * 128) * 2; // layers × sequences × tokens × channels × bytes
  const auto at_moment = [&](const char* engine, Moment moment) {
    return at(test::answer_to(grpo + "&rollout_engine=" + engine).estimate, moment);
  };
  CHECK(part(at_moment("shared", Moment::rollout), Part::kv_cache) == cache);
  CHECK(part(at_moment("shared", Moment::rollout), Part::other_models) == 2 * kLlama); // the reference
  CHECK(part(at_moment("shared", Moment::optimizer_step), Part::kv_cache) == 0);
  CHECK(part(at_moment("copy", Moment::rollout), Part::other_models) == 4 * kLlama);
  CHECK(part(at_moment("copy", Moment::optimizer_step), Part::other_models) == 4 * kLlama);
  CHECK(part(at_moment("copy", Moment::optimizer_step), Part::kv_cache) == cache);
  CHECK(part(at_moment("sleeping", Moment::rollout), Part::other_models) == 4 * kLlama);
  CHECK(part(at_moment("sleeping", Moment::optimizer_step), Part::other_models) == 2 * kLlama);
  CHECK(part(at_moment("sleeping", Moment::optimizer_step), Part::kv_cache) == 0);
  CHECK(!has(test::answer_to(grpo + "&rollout_engine=separate").estimate, Moment::rollout));
  CHECK(amount(grpo + "&kl_reference=false", Moment::rollout, "memory.models") == 0);
  CHECK(amount(grpo + "&learned_reward=true", Moment::rollout, "memory.models.reward") == 2 * kLlamaScalar);
}

TEST_CASE("GRPO on shards: generating gathers the weights that other GPUs keep") {
  const std::string sharded = kBase + "&preference=grpo&kl_reference=false&data_parallel=4&sharding=parameters";
  const Estimate estimate = test::answer_to(sharded).estimate;
  CHECK(part(at(estimate, Moment::rollout), Part::weights) == 2 * kLlama);
  CHECK(part(at(estimate, Moment::optimizer_step), Part::weights) < kLlama);
}

TEST_CASE("a small model: GPT-2 124M, PPO") {
  // 124,439,808 parameters; the head is the token table, so the critic adds a score of 768 numbers.
  const std::string ppo = "model=gpt-2-124m&task=finetune&precision=bf16&context_tokens=128&preference=ppo";
  CHECK(amount(ppo, Moment::between_steps, "memory.models.reference") == 2 * 124'439'808);
  CHECK(amount(ppo, Moment::between_steps, "memory.models.critic") == 6 * (124'439'808 + 768) + 172 * 512); // its 172 step counters take a block each
  CHECK(amount(ppo, Moment::rollout, "memory.kv_cache") == 12ll * 128 * (2 * 768) * 2);
  CHECK(amount(ppo, Moment::scoring, "memory.workspace.scored_logits.reference") == 50'257ll * 128 * 4);
}

TEST_CASE("a reward model has one score instead of logits") {
  const std::string reward = kBase + "&preference=reward_model";
  const io::Answer answer = test::answer_to(reward);
  CHECK(answer.facts.parameters.value == kLlamaScalar);
  CHECK(amount(reward, Moment::loss_backward, "memory.loss") == 0);
}

TEST_CASE("distillation keeps the teacher's logits until the backward of the loss") {
  const std::string whole = kBase + "&preference=distillation&teacher_model=llama-3-70b";
  CHECK(amount(whole, Moment::forward_end, "memory.loss.teacher") == 4096 * kVocab * (2 + 2));
  CHECK(amount(whole + "&teacher_top_k=64", Moment::loss_backward, "memory.loss.teacher") == 4096 * 64 * (2 + 8));
  CHECK(amount(whole, Moment::last_layer_backward, "memory.loss.teacher") == 0);
}

TEST_CASE("offloaded models are there only while they score, one at a time") {
  const std::string ppo = kBase + "&preference=ppo&offload_roles=true";
  CHECK(amount(ppo, Moment::optimizer_step, "memory.models.reference") == 0);
  CHECK(amount(ppo, Moment::optimizer_step, "memory.models.reward") == 0);
  CHECK(amount(ppo, Moment::scoring, "memory.models.reference") == 2 * kLlama);
  CHECK(amount(ppo, Moment::scoring, "memory.models.reward") == 0);
}

TEST_CASE("what trains leaves for the host while an engine on the same GPUs generates") {
  const std::string grpo = kBase + "&preference=grpo&kl_reference=false&rollout_engine=sleeping&optimizer=adamw_fused";
  const auto of = [&](const char* offload, Moment moment) { return at(test::answer_to(grpo + "&trainer_offload=" + offload).estimate, moment); };
  const auto host = [&](const char* offload) { return test::answer_to(grpo + "&trainer_offload=" + offload).estimate.host.value; };
  const std::int64_t states = part(of("none", Moment::rollout), Part::optimizer); // two moments in bf16, and the counters of 291 tensors
  CHECK(states >= 4 * kLlama);
  CHECK(part(of("states", Moment::rollout), Part::optimizer) == 0);
  CHECK(part(of("states", Moment::rollout), Part::weights) == 2 * kLlama);
  CHECK(part(of("all", Moment::rollout), Part::weights) == 0);
  CHECK(part(of("all", Moment::rollout), Part::other_models) == 2 * kLlama); // the engine's
  CHECK(host("none") == 0);
  CHECK(host("states") == states);
  CHECK(host("all") == states + 2 * kLlama);
  for (const char* offload : {"states", "all"})
    for (Moment moment : {Moment::scoring, Moment::forward_end, Moment::backward_end, Moment::optimizer_step, Moment::between_steps})
      CHECK(of(offload, moment).total.value == of("none", moment).total.value);
  const std::string main = grpo + "&precision=master_bf16&profile=megatron";
  const Estimate away = test::answer_to(main + "&trainer_offload=states").estimate;
  CHECK(part(at(away, Moment::rollout), Part::optimizer) == 0);
  CHECK(part(at(away, Moment::rollout), Part::gradients) == 0); // Megatron's buffers stand all the time
}

TEST_CASE("a composition takes nothing from the heap") {
  const io::Answer answer = test::answer_to(kBase + "&preference=ppo&rollout_engine=sleeping");
  const std::uint64_t before = test::allocations();
  const Estimate result = estimate(answer.scenario);
  const std::uint64_t after = test::allocations();
  CHECK(result.moments.size() == 10);
  CHECK(after == before);
}

TEST_CASE("combinations that cannot run name the field and the remedy") {
  const auto error_of = [](const std::string& query) {
    const io::Answer answer = io::answer_query(test::catalog(), query);
    for (const Issue& issue : answer.issues)
      if (issue.severity == Severity::error) {
        CHECK(!issue.remedy.empty());
        return issue.field;
      }
    return std::string{"none"};
  };
  CHECK(error_of(kBase + "&preference=ppo&reward_model=no-such-model") == "reward_model");
  CHECK(error_of("model=bert-base-uncased&task=finetune&context_tokens=128&preference=dpo") == "preference");
  CHECK(error_of(kBase + "&preference=dpo&reference_model=bert-base-uncased") == "reference_model");
  CHECK(error_of(kBase + "&preference=ppo&pipeline_parallel=2&micro_batches=4") == "rollout_engine");
  CHECK(error_of(kBase + "&preference=ppo&pipeline_parallel=2&micro_batches=4&rollout_engine=separate") == "none");
  CHECK(error_of(kBase + "&preference=grpo&completion_tokens=9999") == "completion_tokens");
  CHECK(error_of(kBase + "&preference=dpo&tensor_parallel=8&reference_model=gpt-2-124m") == "reference_model");
}
