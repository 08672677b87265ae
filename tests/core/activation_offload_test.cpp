// Inputs of layers that wait in the host's memory: Llama 2 7B, 32 layers of 4096 tokens x 4096 channels in bf16. One is at work and one on its way.
#include "method/moments/visit.hpp"
#include "plimsoll/method/time.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

io::Answer trained(const std::string& more) {
  return test::answer_to("model=llama-2-7b&device=h200&task=finetune&context_tokens=4096&precision=bf16&recompute=" + more);
}

Nanoseconds part_of(const io::Answer& answer, TimePart part) { return step_time(answer.scenario).parts[static_cast<std::size_t>(part)].expected; }

} // namespace

TEST_CASE("The host has the inputs of all layers but two") {
  CHECK(trained("full").estimate.host == Bytes{0});
  CHECK(trained("offloaded").estimate.host == Bytes{30LL * 4096 * 4096 * 2});
}

// Two times 1 GiB at some 50 GB/s take 40 ms; the passes of 4096 tokens take far longer.
TEST_CASE("What the passes hide costs no time") {
  CHECK(part_of(trained("offloaded"), TimePart::offload) == Nanoseconds{0});
  CHECK(step_time(trained("offloaded").scenario).total.expected == step_time(trained("full").scenario).total.expected);
}

namespace {

/// All that a layer keeps in Megatron-LM: two norms and what they give, queries, keys, values and output with their log-sum-exp, gate, up and product.
constexpr std::int64_t kLayer = 4096LL * (2 * (2 * 4096 + 4 + 2 * 4096) + 4 * 4096 * 2 + 32 * 4 + 3 * 11'008 * 2);

io::Answer kept(const std::string& profile, const std::string& more = "") {
  return test::answer_to("model=llama-2-7b&device=h200&task=finetune&context_tokens=4096&precision=bf16&activation_offload=kept&profile=" + profile + more);
}
io::Answer of_megatron(const std::string& more) {
  return test::answer_to("model=llama-2-7b&device=h200&task=pretrain&context_tokens=4096&profile=megatron&precision=master_bf16&" + more);
}

/// Of one formula, what lies on the device at the end of the forward pass, or on the host.
std::int64_t sum_of(const io::Answer& answer, moments::Lifetime block, std::string_view formula) {
  const Scenario& scenario = answer.scenario;
  std::int64_t sum = 0;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  moments::visit_layer_activations(scenario, stage, moments::heaviest_group(scenario, stage), [&](moments::Lifetime at, Part, const Term& term) {
    if (at == block && (formula.empty() || term.formula->written().id == formula)) sum += term.amount;
  });
  return sum;
}

} // namespace

// TransformerEngine, transformer_engine/pytorch/cpu_offload.py: "activation memory usage is equal to (num_layers - num_offloaded_layers) * T".
TEST_CASE("Transformer Engine leaves whole layers to the host, and as many as do not go on the device") {
  for (const std::int64_t layers : {8, 16, 31}) {
    const io::Answer answer = of_megatron("activation_offload=kept&offload_layers=" + std::to_string(layers));
    CHECK(answer.estimate.host == Bytes{layers * kLayer});
    CHECK(sum_of(answer, moments::Lifetime::layers, "") == (32 - layers) * kLayer);
  }
  CHECK(of_megatron("activation_offload=kept").estimate.host == Bytes{31 * kLayer});
}

// The same place: with all layers but one nothing overlaps, so that both directions' bytes over the link are the time.
TEST_CASE("Copies of all layers but one have nothing to hide behind") {
  CHECK(part_of(of_megatron("activation_offload=kept&offload_layers=8"), TimePart::offload) == Nanoseconds{0});
  CHECK(part_of(of_megatron("activation_offload=kept&offload_layers=31"), TimePart::offload).value > part_of(of_megatron("activation_offload=kept&offload_layers=30"), TimePart::offload).value * 10 / 9);
}

// verl/utils/activation_offload.py: "there are at most two activation groups in GPU memory".
TEST_CASE("verl keeps two layers on the device") {
  const std::string sharded = "&recompute=none&data_parallel=2&sharding=parameters";
  const io::Answer all = test::answer_to("model=llama-2-7b&device=h200&task=finetune&context_tokens=4096&precision=bf16&profile=verl" + sharded), away = kept("verl", sharded);
  CHECK(sum_of(away, moments::Lifetime::layers, "") * 16 == sum_of(all, moments::Lifetime::layers, ""));
  CHECK(sum_of(away, moments::Lifetime::host, "") == sum_of(away, moments::Lifetime::layers, "") * 15);
}

// torchtune sends what several operations keep once for each: two more copies of what query, key and value read, one of what gate and up read,
// attention's output, and twice the fp32 copy of each norm's input. TRL leaves them on the device, where one copy of each is enough.
TEST_CASE("torchtune and TRL move every saved tensor") {
  constexpr std::int64_t kTokens = 4096, kHidden = 4096, kLayers = 32;
  const std::string again = "memory.activations.kept_again", moving = "memory.activations.on_their_way";
  CHECK(sum_of(kept("torchtune"), moments::Lifetime::host, again) == kLayers * kTokens * kHidden * (3 * 2 + 2 * 4 + 2));
  CHECK(sum_of(kept("torchtune"), moments::Lifetime::layers, "") == 5 * kTokens * 11'008 * 2);
  CHECK(sum_of(kept("hf_trainer"), moments::Lifetime::layers, again) == kLayers * kTokens * kHidden * (2 * 2 + 2 * 4 + 2));
  CHECK(sum_of(kept("hf_trainer"), moments::Lifetime::layers, moving) == 5 * kTokens * 11'008 * 2);
  CHECK(sum_of(kept("hf_trainer"), moments::Lifetime::host, again) == 0);
}

TEST_CASE("A framework that moves no activations says so") {
  const auto refused = [](const std::string& query) {
    const io::Answer answer = io::answer_query(test::catalog(), "model=llama-2-7b&device=h200&task=pretrain&context_tokens=4096&" + query);
    return answer.ok ? std::string{} : answer.issues.front().field;
  };
  CHECK(refused("profile=litgpt&activation_offload=kept") == "activation_offload");
  CHECK(refused("profile=torchtitan&recompute=offloaded") == "recompute");
  CHECK(refused("profile=megatron&recompute=offloaded") == "recompute");
  CHECK(refused("profile=megatron&precision=master_bf16&activation_offload=kept&offload_layers=32") == "offload_layers");
  CHECK(refused("profile=megatron&precision=master_bf16&activation_offload=kept&pipeline_parallel=2") == "activation_offload");
}
