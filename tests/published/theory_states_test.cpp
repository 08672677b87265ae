// Weights, gradients, optimizer states and what sharding makes besides: worked figures from papers and source code, to the byte.
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string_view>

using namespace plimsoll;

namespace {

constexpr std::int64_t kParameters = 8'030'261'248; // of Llama-3-8B
constexpr std::int64_t kLayer = 218'112'000;
constexpr std::int64_t kOutside = 2 * 525'336'576 + 4096; // embedding, head, final norm

/// The leaves whose id begins so, together.
std::int64_t sum(const Component& tree, std::string_view prefix) {
  if (tree.parts.empty()) return tree.id == prefix || tree.id.starts_with(std::string{prefix} + ".") ? tree.amount : 0;
  std::int64_t total = 0;
  for (const Component& part : tree.parts) total += sum(part, prefix);
  return total;
}

std::int64_t amount_at(const std::string& query, Moment moment, std::string_view prefix) {
  return sum(explain_moment(test::answer_to(query).scenario, moment), prefix);
}

const std::string kTrain = "model=llama-3-8b&task=finetune";
const std::string kFsdp = kTrain + "&profile=fsdp2&precision=sharded_bf16&sharding=parameters&data_parallel=8";
const std::string kZero2 = kTrain + "&profile=deepspeed&precision=master_bf16&sharding=gradients&data_parallel=8";
const std::string kZero3 = kTrain + "&profile=deepspeed&precision=master_bf16&sharding=parameters&data_parallel=8";

} // namespace

TEST_CASE("8-bit AdamW keeps 2.03125 bytes per parameter: 16,311,468,160; the Trainer's fp32 embedding makes it 19,447,070,848") {
  CHECK(amount_at(kTrain + "&optimizer=adamw_8bit", Moment::optimizer_step, "memory.optimizer.states") == 16'311'468'160);
  CHECK(amount_at(kTrain + "&optimizer=adamw_8bit&profile=hf_trainer", Moment::optimizer_step, "memory.optimizer.states") == 19'447'070'848);
}

TEST_CASE("FSDP2 on 8 GPUs keeps 16 P / 8 = 16,060,522,496 bytes between steps and gathers layers of 436,224,000") {
  const auto at_step = [&](const char* id) { return amount_at(kFsdp, Moment::optimizer_step, id); };
  CHECK(at_step("memory.weights") + at_step("memory.gradients") + at_step("memory.optimizer.states") == 16'060'522'496);
  CHECK(at_step("memory.buffers") == 0);
  CHECK(amount_at(kFsdp, Moment::forward_end, "memory.buffers.gathered") == 436'224'000);
  for (Moment moment : {Moment::forward_end, Moment::loss_backward, Moment::head_backward}) // until the next layer is gathered
    CHECK(amount_at(kFsdp, moment, "memory.buffers.gathered_into") == 436'224'000);
  CHECK(amount_at(kFsdp, Moment::last_layer_backward, "memory.buffers.gathered") == 2'181'120'000); // (3 + 2) layers
  CHECK(amount_at(kFsdp + "&gradient_dtype=half", Moment::last_layer_backward, "memory.buffers.gathered") == 4 * 436'224'000);
  for (Moment moment : {Moment::forward_end, Moment::loss_backward, Moment::last_layer_backward})
    CHECK(amount_at(kFsdp, moment, "memory.buffers.root") == 2'101'354'496);
  CHECK(amount_at(kFsdp, Moment::last_layer_backward, "memory.gradients") == 2 * 525'336'576LL); // the head's, not yet reduced
  CHECK(amount_at(kFsdp, Moment::backward_end, "memory.buffers") == kOutside * (2 + 4)); // what was gathered is gone by then
}

TEST_CASE("without resharding all layers stay gathered: 13.0 GiB more, 12.77 measured with torchtitan") {
  const std::string kept = kFsdp + "&reshard_after_forward=false";
  CHECK(amount_at(kept, Moment::loss_backward, "memory.buffers.kept_units") + amount_at(kept, Moment::loss_backward, "memory.buffers.last_unit") ==
        32 * kLayer * 2);
  CHECK(amount_at(kept, Moment::last_layer_backward, "memory.buffers.gathered") == kLayer * (2 * 2 + 4)); // the layer, its gradients, twice
  CHECK(amount_at(kept, Moment::backward_end, "memory.buffers.kept_units") == 0);
}

TEST_CASE("torchtitan leaves the last layer gathered, FSDP1's backward takes (4 + 1) layers, one more or less") {
  const std::string titan = kTrain + "&profile=torchtitan&precision=sharded_bf16&sharding=parameters&data_parallel=8";
  CHECK(amount_at(titan, Moment::loss_backward, "memory.buffers.last_unit") == kLayer * 2);
  CHECK(amount_at(kFsdp, Moment::loss_backward, "memory.buffers.last_unit") == 0);
  const std::string fsdp1 = kTrain + "&profile=fsdp1&precision=sharded_bf16&sharding=parameters&data_parallel=8";
  const Component tree = explain_moment(test::answer_to(fsdp1).scenario, Moment::last_layer_backward);
  const Component* gathered = find_component(tree, "memory.buffers.gathered");
  REQUIRE(gathered != nullptr);
  CHECK(gathered->amount == 5 * 436'224'000LL);
  CHECK(gathered->low == 4 * 436'224'000LL);
  CHECK(gathered->high == 6 * 436'224'000LL);
}

TEST_CASE("one GPU under FSDP copies each layer and has nobody to gather from") {
  const std::string one = kTrain + "&profile=fsdp2&precision=sharded_bf16";
  CHECK(amount_at(one, Moment::optimizer_step, "memory.weights") == 4 * kParameters);
  CHECK(amount_at(one, Moment::forward_end, "memory.buffers.gathered") == kLayer * 2);
  CHECK(amount_at(one, Moment::last_layer_backward, "memory.buffers.gathered") == kLayer * (2 * 2 + 4));
}

TEST_CASE("sharded in groups, reduced gradients wait for the other groups") {
  const std::string groups = kFsdp + "&shard_group=4";
  CHECK(amount_at(groups, Moment::optimizer_step, "memory.weights") == 4 * kParameters / 4);
  CHECK(amount_at(groups, Moment::last_layer_backward, "memory.buffers.gathered") == 2'181'120'000 + kLayer / 4 * 4);
}

TEST_CASE("ZeRO-2 on 8 GPUs: 2P + 12P/8 = 28,105,914,368, gradients 2,007,565,312, a bucket of 1e9, or 2e9 with overlap") {
  const auto at_step = [&](const char* id) { return amount_at(kZero2, Moment::optimizer_step, id); };
  const std::int64_t states = at_step("memory.weights") + at_step("memory.optimizer.master") + at_step("memory.optimizer.states");
  CHECK(states == 28'105'914'368);
  CHECK(at_step("memory.gradients") == 2'007'565'312);
  CHECK(at_step("memory.optimizer.step_gradients") == 6 * kParameters / 8);
  // DeepSpeed's estimator, 2 P + 18 P / N, counts the cast gradients too, not their flat copy.
  CHECK(states + at_step("memory.gradients") + 4 * kParameters / 8 == 34'128'610'304);
  const Component tree = explain_moment(test::answer_to(kZero2).scenario, Moment::backward_end);
  const Component* bucket = find_component(tree, "memory.buffers");
  REQUIRE(bucket != nullptr);
  CHECK(bucket->amount == 1'000'000'000);
  CHECK(bucket->high == 2'000'000'000);
  CHECK(at_step("memory.buffers") == 0);
}

TEST_CASE("ZeRO-1 keeps a shard of the gradients, all of them where micro-batches accumulate") {
  const std::string zero1 = kTrain + "&profile=deepspeed&precision=master_bf16&sharding=optimizer&data_parallel=8";
  CHECK(amount_at(zero1, Moment::optimizer_step, "memory.gradients") == 2 * kParameters / 8);
  CHECK(amount_at(zero1 + "&micro_batches=4", Moment::optimizer_step, "memory.gradients") == 2 * kParameters);
}

TEST_CASE("DeepSpeed's BF16_Optimizer keeps 6 + 12 / 8 bytes per parameter, gradients from the first step on and no bucket") {
  const std::string bf16 = kTrain + "&profile=deepspeed&precision=master_bf16&sharding=optimizer&data_parallel=8&gradient_dtype=fp32";
  for (Moment moment : {Moment::forward_end, Moment::optimizer_step}) {
    CHECK(amount_at(bf16, moment, "memory.weights") + amount_at(bf16, moment, "memory.gradients") == 6 * kParameters);
    CHECK(amount_at(bf16, moment, "memory.optimizer.master") + amount_at(bf16, moment, "memory.optimizer.states") == 12 * kParameters / 8);
  }
  CHECK(amount_at(bf16, Moment::backward_end, "memory.buffers.bucket") == 0);
}

TEST_CASE("ZeRO-3 gathers the largest matrix and 5e7 more, and keeps tensors of at most 1e5 numbers whole") {
  CHECK(amount_at(kZero3, Moment::optimizer_step, "memory.weights.persistent") == 65 * 4096 * 2);
  CHECK(amount_at(kZero3, Moment::last_layer_backward, "memory.buffers.fetched") == 2 * (525'336'576LL + 50'000'000));
  CHECK(amount_at(kZero3, Moment::forward_end, "memory.buffers.bucket") == 1'000'000'000); // made at the start
  CHECK(amount_at(kZero3, Moment::forward_end, "memory.gradients") == 2 * kParameters / 8);
  // The Trainer's "auto": hidden², 0.9 hidden², 10 hidden.
  const std::string automatic = kTrain + "&profile=hf_trainer&precision=master_bf16&sharding=parameters&data_parallel=8";
  CHECK(amount_at(automatic, Moment::forward_end, "memory.buffers.bucket") == 2 * 4096 * 4096);
  CHECK(amount_at(automatic, Moment::forward_end, "memory.buffers.fetched") == 2 * (525'336'576LL + 15'099'494));
}

TEST_CASE("a second set of weight shards is 2 P / 4 in a group of 4") {
  CHECK(amount_at(kZero3 + "&secondary_group=4", Moment::loss_backward, "memory.weights.secondary") == 2 * kParameters / 4);
}

TEST_CASE("ZeRO-Offload: the host keeps 16 bytes for each parameter stepped there and 2 more in flight, the device its weights") {
  const io::Answer answer = test::answer_to(kZero2 + "&offload=optimizer");
  CHECK(answer.estimate.host == Bytes{(4 + 8 + 4 + 2) * kParameters / 8});
  const Component tree = explain_moment(answer.scenario, Moment::backward_end);
  CHECK(sum(tree, "memory.weights") == 2 * kParameters);
  CHECK(sum(tree, "memory.optimizer") == 0);
  CHECK(sum(tree, "memory.gradients") == 0);
  CHECK(sum(tree, "memory.buffers") == 1'000'000'000 + 2 * 525'336'576LL);
}

TEST_CASE("stepping in the backward pass never has all gradients at once") {
  const std::string early = kTrain + "&optimizer=sgd&optimizer_in_backward=true";
  CHECK(amount_at(early, Moment::optimizer_step, "memory.gradients") == 0);
  CHECK(amount_at(early, Moment::first_layer_backward, "memory.gradients") == 4096LL * 14336 * 2); // the matrix at work
  CHECK(amount_at(kTrain + "&optimizer=lomo", Moment::optimizer_step, "memory.gradients") == 0);
  CHECK(amount_at(kTrain, Moment::optimizer_step, "memory.gradients") == 2 * kParameters);
}

TEST_CASE("states per parameter: Lion 2 in bf16, 8-bit Adam a little over two bytes, Adam beside master weights 8") {
  const auto states = [](const std::string& query) { return test::answer_to(kTrain + query).facts.states_per_parameter.value; };
  CHECK(states("&optimizer=lion") == 6);
  CHECK(states("&optimizer=adamw_8bit") == 2 + 2 + 3);
  CHECK(states("&precision=master_bf16&profile=megatron") == 18);
  CHECK(states("&precision=master_bf16&profile=deepspeed") == 16);
  CHECK(states("&precision=sharded_bf16&profile=fsdp2") == 16);
}

TEST_CASE("paged states are outside PyTorch's allocator, and may be on the host") {
  const io::Answer answer = test::answer_to(kTrain + "&optimizer=paged_adamw");
  const MomentUse& use = answer.estimate.moments.back();
  REQUIRE(use.moment == Moment::between_steps);
  const Component tree = explain_moment(answer.scenario, Moment::between_steps);
  const std::int64_t paged = sum(tree, "memory.optimizer.paged_states");
  CHECK(paged > 7 * kParameters);
  CHECK(use.total - use.requested == Bytes{paged + sum(tree, "memory.runtime.context")});
  CHECK(use.low + Bytes{paged} <= use.total);
}

TEST_CASE("a moving average of the weights is 4 bytes per parameter, of each shard where weights are divided") {
  CHECK(amount_at(kTrain + "&ema=true", Moment::forward_end, "memory.optimizer.average") == 4 * kParameters);
  CHECK(amount_at(kFsdp + "&ema=true", Moment::forward_end, "memory.optimizer.average") == 4 * kParameters / 8);
}
