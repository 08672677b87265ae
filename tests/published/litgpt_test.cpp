// LitGPT's published tables (Lightning-AI/litgpt at 26857050, tutorials/resource-tables.md and config_hub/finetune/README.md) and what its
// scripts keep, operation by operation.
#include "method/moments/visit.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace plimsoll;

namespace {

constexpr std::int64_t kHidden = 4096, kIntermediate = 11'008, kHeads = 32, kRank = 8, kVocab = 32'000;

/// Llama 2 7B with adapters of rank 8 on queries and values, as finetune/lora.py has it unless told otherwise.
Inputs llama_2_7b(std::int64_t tokens) {
  Inputs inputs;
  inputs.model = *io::import_model(*test::catalog().find_model("llama-2-7b")).model;
  inputs.workload = {.task = Task::finetune, .context_tokens = tokens, .batch = 1, .micro_batches = 1};
  inputs.strategy.precision = Precision::bf16;
  inputs.tuning = {.method = TuningMethod::lora, .rank = kRank, .adapter_dropout = true};
  inputs.weights = store(inputs.model, *test::catalog().weights().find("bf16"));
  return inputs;
}

Scenario litgpt(const Inputs& inputs) { return scenario_of(inputs, *test::catalog().profile("litgpt", "Ampere", inputs.implementation)); }

std::int64_t saved_by_layer(const Scenario& scenario) {
  std::int64_t total = 0;
  const Stage stage{scenario.model, scenario.strategy, scenario.workload, 0};
  moments::visit_saved(scenario, stage, scenario.model.groups.front(), Count{1}, memory::kAllTensors, moments::Lifetime::layers, [&](moments::Lifetime, const Term& term) { total += term.amount; });
  return total;
}

std::int64_t at(const Scenario& scenario, Moment moment, std::string_view id) {
  const Component tree = explain_moment(scenario, moment);
  const Component* found = find_component(tree, id);
  return found == nullptr ? 0 : found->amount;
}

} // namespace

TEST_CASE("a layer of Llama 2 7B keeps 176,808 bytes per token: the joint projection behind its values, and an output filled up with zeros") {
  const std::int64_t norms = 2 * (4 * kHidden + 4), mlp = 3 * 2 * kIntermediate;
  // Queries, keys and output, and queries, keys and values of the joint projection, of which the values are a view.
  const std::int64_t attention = 6 * 2 * kHidden + 4 * kHeads;
  // One dropped input and its mask, the outputs of the queries' and the values' adapters, and what is between their matrices.
  const std::int64_t adapters = (2 + 1) * kHidden + 2 * 2 * kHidden + 2 * 2 * kRank;
  CHECK(saved_by_layer(litgpt(llama_2_7b(1))) == norms + attention + mlp + adapters);
  CHECK(norms + attention + mlp + adapters == 176'808);

  Inputs all = llama_2_7b(1); // nothing to fill up: index_copy is not called
  all.tuning.targets = kTargetQuery | kTargetKey | kTargetValue;
  CHECK(saved_by_layer(litgpt(all)) == 176'808 - 2 * 2 * kHidden + 2 * kRank);
}

TEST_CASE("4-bit maps keep norm outputs, a copy of attention's output and the MLP's product besides, and keep them on into the next micro-batch") {
  Inputs inputs = llama_2_7b(1);
  const WeightScheme scheme = with_quantised_head(*test::catalog().weights().find("nf4"));
  inputs.weights = store(inputs.model, scheme);
  CHECK(saved_by_layer(litgpt(inputs)) == 176'808);
  inputs.implementation.keeps_quantised_inputs = true;
  CHECK(saved_by_layer(litgpt(inputs)) == 176'808 + 3 * 2 * kHidden + 2 * kIntermediate);

  inputs = llama_2_7b(1304);
  inputs.weights = store(inputs.model, scheme);
  inputs.implementation.keeps_quantised_inputs = true;
  const Scenario scenario = litgpt(inputs);
  const std::int64_t former = 32 * (3 * 2 * kHidden + 2 * kIntermediate), head_input = 2 * kHidden;
  CHECK(at(scenario, Moment::forward_end, "memory.activations.former_inputs") == 1304 * former);
  CHECK(at(scenario, Moment::forward_end, "memory.activations.former_head_input") == 1304 * head_input);
  CHECK(at(scenario, Moment::loss_backward, "memory.activations.former_inputs") == 0); // the new loss has taken the old one's place
  const Estimate result = estimate(scenario);
  const MomentUse& end = result.moments[0];
  REQUIRE(end.moment == Moment::forward_end);
  // In the first step there is no micro-batch before, whose logits are kept in fp32, and no optimizer state.
  CHECK((end.requested - end.first_step).value >= 1304 * (former + head_input + 4 * kVocab));
  // The head's weight in fp16 and in bf16.
  CHECK(at(scenario, Moment::head_backward, "memory.loss.dequantised_head") == 2 * 2 * kVocab * kHidden);
}

TEST_CASE("LitGPT's logits: 8 bytes each in the loss and 8 in a chunk of 128 tokens, 6 when the head goes backward, 4 until the next ones") {
  const Scenario scenario = litgpt(llama_2_7b(1304));
  CHECK(at(scenario, Moment::loss_backward, "memory.loss") == kVocab * 8 * (1304 + 128));
  CHECK(at(scenario, Moment::head_backward, "memory.loss") == kVocab * 6 * 1304);
  CHECK(at(scenario, Moment::between_steps, "memory.loss") == kVocab * 4 * 1304);
}

TEST_CASE("with FSDP a layer of frozen weights has a gradient, whole while micro-batches accumulate") {
  Inputs inputs = llama_2_7b(1304);
  inputs.strategy.data_parallel = 2;
  inputs.strategy.sharding = Sharding::parameters;
  inputs.strategy.recompute = Recompute::full;
  constexpr std::int64_t kLayer = 4 * kHidden * kHidden + 3 * kHidden * kIntermediate + 2 * kHidden, kAdapter = kRank * 4 * kHidden;
  const auto gradients = [&](std::int64_t micro_batches) {
    inputs.workload.micro_batches = micro_batches;
    return at(litgpt(inputs), Moment::optimizer_step, "memory.gradients");
  };
  CHECK(gradients(64) == 2 * 32 * (kLayer + kAdapter));
  CHECK(gradients(1) == 32 * (kLayer + kAdapter));
}

