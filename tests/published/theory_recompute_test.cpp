// Recomputation by operation, 8-bit multiplication and tensor parallelism as torchtitan runs them: what is kept, counted by hand from
// the list of saved operations, and what its pull request 165 measured.
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

/// All that a moment holds under an id.
Bytes held(const Component& tree, std::string_view id) {
  if (tree.parts.empty()) return tree.id.starts_with(id) ? Bytes{tree.amount} : Bytes{0};
  Bytes sum;
  for (const Component& part : tree.parts) sum += held(part, id);
  return sum;
}

Bytes held_at(Moment moment, const std::string& query, std::string_view id) {
  return held(explain_moment(test::answer_to(query).scenario, moment), id);
}

Bytes kept_for_backward(const std::string& query) {
  return held_at(Moment::forward_end, query, "memory.activations.operations") + held_at(Moment::forward_end, query, "memory.activations.checkpoints");
}

const std::string kTitan = "&profile=torchtitan&task=pretrain&precision=sharded_bf16&sharding=parameters";
const std::string kLlama3 = "model=llama-3-8b&context_tokens=8192&batch=2&data_parallel=128" + kTitan;
const std::string kLlama2 = "model=llama-2-7b&context_tokens=2048&batch=8&data_parallel=8&loss=torch_float_kept" + kTitan;

constexpr std::int64_t kTokens = 2 * 8192;

} // namespace

TEST_CASE("Llama 3 8B by operation: input, query, value, attention, gate and output of every token, and one number per head") {
  // 2 * (4096 + 4096 + 1024 + 4096 + 14336 + 4096) + 4 * 32
  CHECK(kept_for_backward(kLlama3 + "&recompute=per_op") == Bytes{32 * 63'616 * kTokens});
}

TEST_CASE("a compiler drops the last product of a layer, which nothing reads") {
  CHECK(kept_for_backward(kLlama3 + "&recompute=per_op&mlp=compiled&norms=compiled") == Bytes{32 * (63'616 - 2 * 4096) * kTokens});
}

TEST_CASE("tensor-parallel GPUs keep row-parallel products before they are reduced, and what they reduce and scatter") {
  // Of 2: 2 * (2048 + 2048 + 2048 + 5504 + 4096) + 4 * 16; two scattered sums and the input, of half the tokens.
  const std::string query = "model=llama-2-7b&context_tokens=2048&batch=16&data_parallel=4&tensor_parallel=2&sequence_parallel=true&recompute=per_op" + kTitan;
  CHECK(kept_for_backward(query) == Bytes{32 * (31'552 + 8'192 + 4'096) * std::int64_t{16 * 2048}});
}

TEST_CASE("latent attention with experts: queries, the expanded keys and values, and shared experts are kept; the router runs again") {
  // DeepSeek-V2-Lite. Products in order: q, kv_a, kv_b, o, then gate, up, down of the dense layer or of the shared experts.
  // q 16 * 192, kv_b 16 * 256, attention 16 * 128, gate 10944 or 2816, down 2048: positions 1, 3, 5, 7.
  const std::string query = "model=deepseek-v2-lite-16b&context_tokens=4096&batch=1&data_parallel=8&recompute=per_op" + kTitan;
  const std::int64_t attention = 2 * (16 * 192 + 16 * 256 + 16 * 128) + 4 * 16, input = 2 * 2048;
  const std::int64_t dense = attention + input + 2 * (10'944 + 2048), experts = attention + input + 2 * (2816 + 2048);
  CHECK(kept_for_backward(query) == Bytes{(dense + 26 * experts) * 4096});
}

TEST_CASE("what attention makes is kept only where a fused kernel makes it") {
  const std::string query = kLlama3 + "&recompute=per_op&attention=eager";
  CHECK(kept_for_backward(query) == Bytes{32 * (63'616 - 2 * 4096 - 128) * kTokens});
}

TEST_CASE("Llama 2 7B on 8 GPUs: by operation against full, 28.21 % of 95.0396 GiB were measured") {
  // torchtitan, pull request 165: 52.13 % against 23.92 % peak active, FSDP2, 8 sequences of 2048 tokens.
  const auto peak = [](const std::string& recompute) { return test::answer_to(kLlama2 + recompute).estimate.at_peak().requested; };
  const double gib = 1024.0 * 1024 * 1024;
  const double more = static_cast<double>((peak("&recompute=per_op") - peak("&recompute=full")).value);
  CHECK(std::abs(more / (0.2821 * 95.0396 * gib) - 1) < 0.001);
  const auto close = [&](const std::string& recompute, double measured) {
    return std::abs(static_cast<double>(peak(recompute).value) / (measured * 95.0396 * gib) - 1) < 0.03;
  };
  CHECK(close("&recompute=full", 0.2392));
  CHECK(close("&recompute=per_op", 0.5213));
}

TEST_CASE("a tensor-parallel group that computes the loss holds four fp32 numbers per logit in its backward pass") {
  const std::string query = kLlama3 + "&tensor_parallel=2&sequence_parallel=true&recompute=full";
  CHECK(held_at(Moment::loss_backward, query, "memory.loss") == Bytes{16 * std::int64_t{128'256 / 2} * kTokens});
  CHECK(held_at(Moment::forward_end, query, "memory.loss") == Bytes{14 * std::int64_t{128'256 / 2} * kTokens});
  CHECK(held_at(Moment::loss_backward, kLlama3, "memory.loss") == Bytes{12 * std::int64_t{128'256} * kTokens});
}

TEST_CASE("torchtitan keeps the inputs of column-parallel maps as gathered, Megatron-LM its own part of them") {
  const std::string query = "model=llama-3-8b&context_tokens=8192&batch=2&task=pretrain&precision=bf16&tensor_parallel=2&sequence_parallel=true&profile=";
  const std::int64_t layers = 2 * 32 * 4096 * 2 * (kTokens / 2), head = 4096 * 2 * (kTokens / 2);
  CHECK(held_at(Moment::forward_end, query + "torchtitan", "memory.activations.gathered_inputs") == Bytes{layers + head});
  CHECK(held_at(Moment::forward_end, query + "megatron", "memory.activations.gathered_inputs") == Bytes{0});
}

TEST_CASE("8-bit multiplication in torchao casts and keeps nothing; Transformer Engine keeps two copies of each weight") {
  const std::string base = "model=llama-3-8b&context_tokens=8192&batch=1&task=pretrain&profile=";
  CHECK(held_at(Moment::forward_end, base + "torchtitan&fp8=compute", "memory.weights.fp8_copies") == Bytes{0});
  CHECK(held_at(Moment::forward_end, base + "torchtitan&fp8=compute", "memory.activations") == held_at(Moment::forward_end, base + "torchtitan", "memory.activations"));
  const std::int64_t channels = 14'336, hidden = 4096, tokens = 8192;
  CHECK(held_at(Moment::last_layer_backward, base + "torchtitan&fp8=compute", "memory.activations.fp8_casts") ==
        Bytes{tokens * (channels + hidden) + channels * hidden});
  const std::int64_t layer = 4096 * (4096 + 2 * 1024 + 4096) + 3 * channels * hidden;
  CHECK(held_at(Moment::forward_end, base + "megatron&fp8=compute", "memory.weights.fp8_copies") == Bytes{2 * 32 * layer});
}

TEST_CASE("FSDP2 with torchao's float8 all-gather gathers a byte per number, and reduces gradients as before") {
  const std::int64_t layer = 4096 * (4096 + 2 * 1024 + 4096) + 3 * 14'336 * 4096 + 2 * 4096;
  CHECK(held_at(Moment::first_layer_backward, kLlama3 + "&fp8=compute", "memory.buffers.gathered") == Bytes{layer * (3 * 2 + 4)});
  CHECK(held_at(Moment::first_layer_backward, kLlama3 + "&fp8=gathered", "memory.buffers.gathered") == Bytes{layer * (2 * 1 + 2 + 4)});
}

TEST_CASE("a stage of FSDP2's pipeline stays gathered, and its fp32 gradients are whole until the last micro-batch") {
  const std::int64_t layer = 4096 * (4096 + 2 * 1024 + 4096) + 3 * 14'336 * 4096 + 2 * 4096;
  const auto in_stage = [](const std::string& micro_batches, std::string_view id) {
    const Scenario scenario = test::answer_to(kLlama3 + "&pipeline_parallel=4&recompute=full&micro_batches=" + micro_batches).scenario;
    return held(explain_moment(scenario, Moment::first_layer_backward, 1), id);
  };
  CHECK(in_stage("4", "memory.buffers.kept_units") == Bytes{2 * 8 * layer});
  CHECK(in_stage("4", "memory.buffers.whole_gradients") == Bytes{4 * 8 * layer});
  CHECK(in_stage("4", "memory.buffers.gathered") == Bytes{layer * (2 * 2 + 4)}); // no next layer is gathered
  CHECK(in_stage("1", "memory.buffers.whole_gradients") == Bytes{0});
}
