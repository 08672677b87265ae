// Maps that multiply in blocks of 8 or 4 bits keep their inputs so, as Transformer Engine does (transformer_engine/pytorch/module/linear.py); recipes
// differ in what shares a scale (transformer_engine/common/recipe/__init__.py).
#include "plimsoll/method/explain.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

// Llama 2 7B, eight sequences of 1024 tokens: hidden 4096, MLP 11,008, 32 layers.
constexpr std::int64_t kTokens = 8192, kLayers = 32, kHidden = 4096, kMlp = 11'008;
// Two norms' outputs and the MLP's product; the map behind attention shares what attention keeps (megatron/core/transformer/attention.py, set_save_original_input).
constexpr std::int64_t kRead = kTokens * kLayers * (2 * kHidden + kMlp);

std::string megatron(const std::string& more) {
  return "model=llama-2-7b&task=pretrain&profile=megatron&precision=master_bf16&batch=8&context_tokens=1024&device=" + more;
}

std::int64_t sum_of(const Component& part, const std::string& id) {
  if (part.id == id) return part.amount;
  std::int64_t sum = 0;
  for (const Component& inner : part.parts) sum += sum_of(inner, id);
  return sum;
}

std::int64_t kept(const std::string& query, const std::string& id) {
  const io::Answer answer = test::answer_to(query);
  return sum_of(explain(answer.scenario, answer.estimate).memory, id);
}

} // namespace

TEST_CASE("Inputs of multiplications in blocks are kept as they are multiplied") {
  const std::string id = "memory.activations.quantised_inputs";
  CHECK(kept(megatron("h100-80-sxm"), id) == 0);
  CHECK(kept(megatron("h100-80-sxm&fp8=compute"), id) == kRead); // one scale for a tensor
  CHECK(kept(megatron("h100-80-sxm&fp8=compute&fp8_recipe=block"), id) == kRead / 128 * 132);
  CHECK(kept(megatron("b200&fp8=compute&fp8_recipe=mxfp8"), id) == kRead / 32 * 33);
  CHECK(kept(megatron("b200&fp8=compute&fp8_recipe=nvfp4"), id) == kRead / 16 * 9);
}

TEST_CASE("8-bit inputs take the place of those in 16 bits") {
  const std::int64_t half = kept(megatron("h100-80-sxm"), "memory.activations");
  const std::int64_t eight = kept(megatron("h100-80-sxm&fp8=compute&fp8_recipe=block"), "memory.activations");
  CHECK(half - eight == 2 * kRead - kRead / 128 * 132);
}

TEST_CASE("torchao keeps inputs as they come") {
  const std::string titan = "model=llama-2-7b&task=pretrain&profile=torchtitan&device=h100-80-sxm&context_tokens=1024";
  CHECK(kept(titan + "&fp8=compute", "memory.activations.quantised_inputs") == 0);
}

TEST_CASE("Copies of weights have the scales of their blocks") {
  const std::string id = "memory.weights.fp8_copies.mlp";
  constexpr std::int64_t kWeights = 3 * kHidden * kMlp * kLayers;
  CHECK(kept(megatron("h100-80-sxm&fp8=compute"), id) == 2 * kWeights);
  CHECK(kept(megatron("h100-80-sxm&fp8=compute&fp8_recipe=block"), id) == kWeights / 16384 * 2 * 16388);
  CHECK(kept(megatron("b200&fp8=compute&fp8_recipe=mxfp8"), id) == kWeights / 32 * 2 * 33);
  CHECK(kept(megatron("b200&fp8=compute&fp8_recipe=nvfp4"), id) == kWeights / 16 * 2 * 9);
}

TEST_CASE("A device multiplies in 4 bits where its matrix units do") {
  CHECK(!io::answer_query(test::catalog(), megatron("h100-80-sxm&fp8=compute&fp8_recipe=nvfp4")).ok);
  CHECK(test::answer_to(megatron("b200&fp8=compute&fp8_recipe=nvfp4")).ok);
}
