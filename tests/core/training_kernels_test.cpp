// Kernels of a training step by hand: what they read and write, where they begin, and what waits for exponentials.
#include "method/time/training/parts.hpp"
#include "method/time/training/visit.hpp"
#include "plimsoll/method/time.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

using namespace plimsoll;

namespace {

Scenario trained(const std::string& query) { return test::answer_to("task=pretrain&profile=megatron&" + query).scenario; }

/// A symbol of the formula in a step; -1 where the step has no such term.
std::int64_t symbol_of(const Scenario& scenario, std::string_view id, std::string_view symbol) {
  std::int64_t value = -1;
  timing::visit(scenario, [&](TimePart, const Term& term) {
    if (term.formula->written().id != id) return;
    for (std::size_t i = 0; i < kMaxSymbols; ++i)
      if (term.formula->written().symbols[i].name == symbol) value = term.values[i];
  });
  return value;
}

std::int64_t routed(const std::string& query) { return symbol_of(trained("device=b200&" + query), "time.elementwise.routed", "channels"); }

constexpr std::int64_t parts_of_52(std::int64_t bytes) { return (bytes + 51) / 52; }

} // namespace

TEST_CASE("rows at experts are permuted by their width and activated by the experts', and cast where that is in 8 bits") {
  CHECK(routed("model=qwen3-30b-a3b") == parts_of_52(std::int64_t{48} * 8 * (16 * 2048 + 16 * 768)));
  CHECK(routed("model=qwen3-30b-a3b&fp8=compute") == parts_of_52(std::int64_t{48} * 8 * (24 * 2048 + 28 * 768)));
  CHECK(routed("model=nemotron-3-nano-30b-a3b&fp8=compute") == parts_of_52(std::int64_t{23} * 6 * (24 * 2688 + 18 * 1856))); // no gate
  // Latent experts: rows are as narrow as the vector that is sent (Megatron-LM, moe_layer.py, fc1_latent_proj before the dispatch).
  CHECK(routed("model=nemotron-3-super-120b-a12b&fp8=compute") == parts_of_52(std::int64_t{40} * 22 * (24 * 1024 + 18 * 2688)));
}

TEST_CASE("multiplications that activate and cast leave the permutation, and little of the activation") {
  CHECK(routed("model=qwen3-30b-a3b&fp8=compute&experts_kernel=in_products") == parts_of_52(std::int64_t{48} * 8 * (24 * 2048 + 8 * 768)));
  CHECK(routed("model=nemotron-3-nano-30b-a3b&fp8=compute&experts_kernel=in_products") == parts_of_52(std::int64_t{23} * 6 * (24 * 2688 + 4 * 1856)));
  CHECK(routed("model=qwen3-30b-a3b&experts_kernel=in_products") == routed("model=qwen3-30b-a3b")); // the kernel is one of MXFP8
}

TEST_CASE("biases of experts are added row by row, and clamps before the gate run apart") {
  // 18 layers with a window and 18 without: 64 bytes for each channel of a row, 40 for each of an expert; in 8 bits the bias's gradient comes with the cast.
  CHECK(routed("model=gpt-oss-120b") == 2 * parts_of_52(std::int64_t{18} * 4 * 2880 * (16 + 64 + 16 + 40)));
  CHECK(routed("model=gpt-oss-120b&fp8=compute") == 2 * parts_of_52(std::int64_t{18} * 4 * 2880 * (24 + 64 + 28 + 36)));
  CHECK(routed("model=gpt-oss-120b&fp8=compute&experts_kernel=in_products") == 2 * parts_of_52(std::int64_t{18} * 4 * 2880 * (24 + 8)));
}

TEST_CASE("tiles begin and end: once along the channels of either side, and along the tokens for the weights") {
  const Scenario half = trained("model=llama-3-8b&device=h100-80-sxm&context_tokens=4096");
  // Queries, keys and values, and gate and up, each read their input as one map.
  const std::int64_t out = 6144 + 4096 + 28672 + 4096, in = 4096 + 4096 + 4096 + 14336, weights = 4096 * (6144 + 4096 + 28672 + 14336);
  const std::int64_t begun = std::int64_t{2} * 160 * 32 * (4096 * (out + in) + weights);
  CHECK(timing::starts_of(half).dense == Count{begun});
  CHECK(timing::starts_of(half).experts == Count{0});
  CHECK(symbol_of(half, "time.matrices.layers", "dense") == (timing::gpu_work(half).layers + Count{begun}).value);
  // Halves of every map's heads or channels, and whole inputs or outputs on the other side.
  const std::int64_t halved = std::int64_t{2} * 160 * 32 * (4096 * (3072 + 4096 + 14336 + 4096 + 4096 + 2048 + 4096 + 7168) + weights / 2);
  CHECK(timing::starts_of(trained("model=llama-3-8b&device=h100-80-sxm&context_tokens=4096&tensor_parallel=2&sequence_parallel=true")).dense == Count{halved});
  // Frozen weights have no gradient; in 8 bits tiles begin later (aiconfigurator's GEMMs: 370 numbers of k for 160).
  const Scenario frozen = test::answer_to("model=llama-3-8b&device=h100-80-sxm&context_tokens=4096&task=finetune&method=lora&profile=megatron").scenario;
  CHECK(timing::starts_of(frozen).dense == Count{std::int64_t{2} * 160 * 32 * 4096 * (out + in)});
  CHECK(timing::starts_of(trained("model=llama-3-8b&device=h100-80-sxm&context_tokens=4096&fp8=compute")).dense == Count{begun / 160 * 370});
}

TEST_CASE("attention takes an exponential for each pair of a query and a key, however wide heads are") {
  const auto pairs = [](const std::string& model) { return symbol_of(trained("device=b200&context_tokens=4096&model=" + model), "time.attention", "pairs"); };
  CHECK(pairs("llama-3-8b") == std::int64_t{32} * 32 * 2048 * 4096);
  CHECK(pairs("gpt-oss-120b") == 4096 * (std::int64_t{18} * 64 * 2048 + 18 * 64 * 126)); // half of its layers look 128 tokens back
  // A head half as wide takes more than half as long.
  const Scenario wide = trained("device=b200&context_tokens=8192&model=llama-3-8b"), narrow = trained("device=b200&context_tokens=8192&model=llama-3-8b&head_dim=64");
  const auto time = [](const Scenario& scenario) { return step_time(scenario).parts[static_cast<std::size_t>(TimePart::attention)].expected.value; };
  CHECK(10 * time(narrow) > 6 * time(wide));
  CHECK(time(narrow) < time(wide));
}

TEST_CASE("a sum over the tensor-parallel group stands behind what mixes tokens, and behind the MLP") {
  const auto sums = [](const std::string& query) {
    return symbol_of(trained("device=h100-80-sxm&context_tokens=4096&tensor_parallel=2&sequence_parallel=true&" + query), "time.tensor_parallel", "traffic");
  };
  CHECK(sums("model=llama-3-8b") == std::int64_t{4} * 32 * 2 * (4096 * 4096 * 2) / 2);
  CHECK(sums("model=nemotron-3-nano-30b-a3b") == std::int64_t{4} * 26 * 2 * (4096 * 2688 * 2) / 2); // 52 layers of one half each
  // Experts that no GPUs divide send their rows back to the tokens' own GPUs.
  const std::string experts = "model=qwen3-30b-a3b&expert_parallel=2&expert_tensor_parallel=1&data_parallel=2";
  CHECK(sums(experts) == std::int64_t{4} * 24 * 2 * (4096 * 2048 * 2) / 2);
  CHECK(sums(experts + "&recompute=full") == std::int64_t{6} * 24 * 2 * (4096 * 2048 * 2) / 2);
  CHECK(sums(experts + "&recompute=selective&recompute_modules=moe") == sums(experts));
}

TEST_CASE("losses that write gradients over their logits read and write a third of what the others do") {
  const auto bytes = [](const std::string& loss) { return symbol_of(trained("device=h100-80-sxm&model=llama-3-8b&loss=" + loss), "time.elementwise.logits", "bytes"); };
  CHECK(bytes("te_fused") == 10); // read, read and written, read and written, in 16 bits
  CHECK(bytes("megatron") > 30);
}

TEST_CASE("thin matrices beside a map read its input and write its output") {
  const auto beside = [](const std::string& more) {
    return symbol_of(test::answer_to("model=llama-2-70b&task=finetune&profile=megatron&device=b200&" + more).scenario, "time.elementwise.adapters", "channels");
  };
  // Queries, keys, values and outputs of 80 layers.
  CHECK(beside("method=lora&targets=attention") == std::int64_t{80} * (4 * 8192 + 8192 + 1024 + 1024 + 8192));
  CHECK(beside("method=lora&targets=attention&rank=64") == beside("method=lora&targets=attention"));
  CHECK(beside("method=full") == -1);
}
