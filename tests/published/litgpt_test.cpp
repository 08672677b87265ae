// LitGPT's published tables (Lightning-AI/litgpt at 26857050, tutorials/resource-tables.md and config_hub/finetune/README.md) and what its
// scripts keep, operation by operation.
#include "json.hpp"
#include "method/moments/visit.hpp"
#include "plimsoll/catalog/weights.hpp"
#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/evidence/measured_row.hpp"
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace plimsoll;
using Row = io::Json;

namespace {

constexpr std::int64_t kHidden = 4096, kIntermediate = 11'008, kHeads = 32, kRank = 8, kVocab = 32'000;

/// Llama 2 7B with adapters of rank 8 on queries and values, as finetune/lora.py has it unless told otherwise.
Inputs llama_2_7b(std::int64_t tokens) {
  Inputs inputs;
  inputs.model = *io::import_model(*test::catalog().find_model("llama-2-7b")).model;
  inputs.workload = {.task = Task::finetune, .context_tokens = tokens, .batch = 1, .micro_batches = 1};
  inputs.strategy.regime = Regime::bf16;
  inputs.tuning = {.method = TuningMethod::lora, .rank = kRank, .adapter_dropout = true};
  inputs.weights = store(inputs.model, *test::catalog().weights().find("bf16"));
  return inputs;
}

Scenario litgpt(const Inputs& inputs) { return scenario_of(inputs, *test::catalog().profile("litgpt", "Ampere", inputs.implementation)); }

std::int64_t saved_by_layer(const Scenario& scenario) {
  std::int64_t total = 0;
  moments::visit_saved(scenario, scenario.model.groups.front(), Count{1}, [&](const Term& term) { total += term.amount; });
  return total;
}

std::int64_t at(const Scenario& scenario, Moment moment, std::string_view id) {
  const Component tree = explain_moment(scenario, moment);
  const Component* found = find_component(tree, id);
  return found == nullptr ? 0 : found->amount;
}

/// A row of the tables. `longest`: of resource-tables.md, where the first micro-batch has the longest example; else of the config hub.
Row row_of(const char* model, std::int64_t batch, std::int64_t tokens, bool longest, const char* quantization, double gb) {
  Row row = test::parsed(R"({"id": "row", "kind": "training", "framework": {"name": "litgpt"}, "gpu": {"name": "A100"}, "model": null, "strategy": {"world": 1},
    "precision": {"params": "bf16-true"}, "implementation": {"method": "lora"}, "measured": {"metric": "max_memory_allocated / 1e9", "unit": "GB", "notes": ""}})");
  row["model_id"] = model;
  row["workload"] = {{"micro_batch", batch}, {"seq_len", tokens}, {"seq_len_is", longest ? "longest training example" : "upper bound"}};
  if (quantization != nullptr) row["precision"]["quantization"] = quantization;
  if (quantization != nullptr && !longest) row["implementation"]["method"] = "qlora";
  if (longest) row["measured"]["notes"] = "torch 2.1.0, bitsandbytes 0.41.1";
  row["measured"]["bytes_rounded"] = static_cast<std::int64_t>(std::llround(gb * 1e9));
  return row;
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
  WeightScheme scheme = *test::catalog().weights().find("nf4");
  for (WeightRule& rule : scheme.rules) rule.kinds &= ~bit_of(TensorKind::head);
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

TEST_CASE("measured runs of LitGPT on one GPU are within 2 % of the estimate") {
  const Row rows[] = {
      row_of("llama-2-7b", 1, 1304, true, nullptr, 21.30), row_of("llama-2-7b", 2, 1304, true, nullptr, 29.07),
      row_of("llama-2-7b", 1, 1304, true, "bnb.nf4", 14.14), row_of("llama-2-7b", 1, 1304, true, "bnb.nf4-dq", 13.84),
      row_of("llama-2-13b", 1, 1304, true, "bnb.nf4", 23.14), row_of("phi-1.5", 1, 1044, true, nullptr, 4.82),
      row_of("falcon-7b", 1, 512, false, nullptr, 16.69),    row_of("falcon-7b", 1, 512, false, "bnb.nf4", 9.44),
      row_of("llama-2-7b", 2, 512, false, nullptr, 19.77),   row_of("llama-2-7b", 2, 512, false, "bnb.nf4", 13.68),
      row_of("llama-3-8b", 2, 512, false, "bnb.nf4", 17.41), row_of("mistral-7b", 2, 512, false, "bnb.nf4", 14.29),
      row_of("llama-3.2-1b", 1, 512, false, nullptr, 4.49),  row_of("gemma-2b", 2, 512, false, "bnb.nf4", 11.58),
      row_of("phi-2", 4, 512, false, "bnb.nf4", 14.27),
  };
  for (const Row& row : rows) {
    const io::Accuracy accuracy = io::compare(io::dump(Row::array({row})));
    REQUIRE(accuracy.rows.size() == 1);
    const io::Comparison& found = accuracy.rows.front();
    INFO(io::dump(row) << ": " << found.predicted << " " << found.reason);
    REQUIRE(found.modelled);
    CHECK(std::llabs(found.predicted - *found.measured) * 100 < 2 * *found.measured);
  }
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

TEST_CASE("a figure below weights, gradients and AdamW states is no run of that configuration") {
  Row row = row_of("llama-3.2-1b", 4, 512, false, nullptr, 8.7);
  row["implementation"]["method"] = "full";
  CHECK(io::read_measured_row(io::dump(row)).reason.find("AdamW states") != std::string::npos);
  row["measured"]["bytes_rounded"] = 16'000'000'000;
  const io::MeasuredRow read = io::read_measured_row(io::dump(row));
  CHECK(read.reason.empty());
  CHECK(read.inputs.implementation.loss == LossKernel::chunked);
}
