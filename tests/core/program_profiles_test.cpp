// Profiles of programs by their defaults and by figures that somebody measured: Unsloth (hiyouga/LLaMA-Factory, wiki, Performance comparison, January
// 2024: Llama 2 7B in 4 bits, rank 8, one sequence on an A100; layers' inputs stayed on the GPU then, and the loss took its logits' place: unsloth
// 62fae3aa74, unsloth/models/llama.py), mlx-lm (ml-explore/mlx-lm, BENCHMARKS.md: 2048 tokens of a prompt and 128 more on M4 Max).
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <string>

using namespace plimsoll;

namespace {

io::Answer asked(const std::string& query) {
  io::Answer answer = test::answer_to(query);
  INFO(query);
  REQUIRE(answer.ok);
  return answer;
}

std::string value(const io::Answer& answer, const char* field) { return answer.find_field(field)->text; }

} // namespace

TEST_CASE("what a program does by itself is what its source says") {
  const io::Answer unsloth = asked("model=llama-3.1-8b&task=finetune&device=rtx4090&profile=unsloth&context_tokens=2048");
  CHECK(value(unsloth, "method") == "lora");
  CHECK(value(unsloth, "rank") == "16");
  CHECK(value(unsloth, "weight_dtype") == "nf4_double_quant");
  CHECK(value(unsloth, "recompute") == "offloaded");
  const io::Answer swift = asked("model=qwen3-8b&task=finetune&device=h100-80-sxm&profile=ms_swift&context_tokens=2048");
  CHECK(value(swift, "rank") == "8");
  CHECK(value(swift, "recompute") == "full");
  CHECK(value(asked("model=qwen3-8b&task=finetune&device=h100-80-sxm&profile=verl&preference=grpo"), "rollout_memory_fraction") == "0.5");
  CHECK(value(asked("model=qwen3-8b&task=finetune&device=h100-80-sxm&profile=openrlhf&preference=grpo"), "rollout_engine") == "separate");
  CHECK(asked("model=llama-3.1-8b&task=inference&device=rtx4090&profile=exllamav3&weight_dtype=exl3_4.0bpw").scenario.serving.block_tokens == 256);
  CHECK(asked("model=llama-3.1-8b&task=inference&device=m4-max-64&profile=mlx_lm").scenario.workload.prefill_tokens == 2048);
  CHECK(asked("model=llama-3.1-8b&task=pretrain&device=tpu-v5p&profile=maxtext&data_parallel=8&context_tokens=2048").scenario.strategy.recompute == Recompute::full);
  CHECK(!io::answer_query(test::catalog(), "model=llama-3.1-8b&task=inference&device=rtx4090&profile=mlx_lm&weight_dtype=mlx_4bit_g64").ok); // its CUDA backend lacks those kernels
  CHECK(!io::answer_query(test::catalog(), "model=llama-3.1-8b&task=inference&device=mi300x&profile=exllamav3&weight_dtype=exl3_4.0bpw").ok); // CUDA's
  CHECK(!io::answer_query(test::catalog(), "model=llama-3.1-8b&task=pretrain&device=mi300x&profile=maxtext").ok);
}

// What MLX holds of a pass besides is not told apart: half a gigabyte in every row.
TEST_CASE("mlx-lm: peaks that its benchmark prints are at most 0.65 GB more than what is counted, 4 % of large models") {
  struct Row {
    const char *model, *format;
    double gigabytes;
  };
  for (const Row& row : {Row{"qwen3-30b-a3b-2507", "mlx_8bit_g64", 33.46}, {"qwen3-30b-a3b-2507", "mlx_6bit_g64", 25.82}, {"qwen3-30b-a3b-2507", "mlx_5bit_g64", 22.01},
                         {"qwen3-30b-a3b-2507", "mlx_4bit_g64", 18.20}, {"qwen3-4b-2507", "bf16", 9.02}, {"qwen3-4b-2507", "mlx_8bit_g64", 5.254}, {"qwen3-4b-2507", "mlx_4bit_g64", 3.35}}) {
    const io::Answer answer = asked(std::string{"task=inference&device=m4-max-64&profile=mlx_lm&batch=1&context_tokens=2176&model="} + row.model + "&weight_dtype=" + row.format);
    const double peak = static_cast<double>(answer.estimate.at_peak().total.value - answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::runtime)].value) / 1e9;
    INFO(row.model << " " << row.format << ": " << peak << " GB, measured " << row.gigabytes);
    CHECK(row.gigabytes - peak > 0);
    CHECK(row.gigabytes - peak < 0.65);
    if (row.gigabytes > 10) CHECK(peak / row.gigabytes > 0.96);
  }
}

TEST_CASE("Unsloth: the process as nvidia-smi shows it, rounded to gigabytes") {
  struct Row {
    int tokens;
    double gigabytes;
  };
  for (const Row& row : {Row{1024, 5}, {2048, 6}, {4096, 7}, {8192, 8}, {16384, 10}, {32768, 16}}) {
    const io::Answer answer = asked("model=llama-2-7b&task=finetune&device=a100-40-sxm&profile=unsloth&rank=8&batch=1&micro_batches=4&recompute=full&loss=liger&context_tokens=" + std::to_string(row.tokens));
    const double process = static_cast<double>(footprint(answer.scenario, answer.estimate.rank).process.expected.value) / (1 << 30);
    INFO(row.tokens << ": " << process << " GiB, measured " << row.gigabytes);
    CHECK(std::fabs(process / row.gigabytes - 1) < 0.17);
  }
}

// unsloth_zoo/fused_losses/cross_entropy_loss.py, get_chunk_size: half of what is free, at most 4 GiB, and pieces by fours.
TEST_CASE("Unsloth: pieces of head and loss are as large as the memory that is left allows") {
  const auto piece = [](const char* device, const char* tokens) {
    const io::Answer answer = asked(std::string{"model=llama-3.1-8b&task=finetune&profile=unsloth&batch=2&device="} + device + "&context_tokens=" + tokens);
    return answer.estimate.moments[0].parts[static_cast<std::size_t>(Part::loss)].value / (128'256 * 4); // the forward pass's end
  };
  CHECK(piece("h100-80-sxm", "2048") == 4096);  // 2.1 GB in fp32: all at once
  CHECK(piece("h100-80-sxm", "8192") == 4096);  // 8.4 GB: four pieces
  CHECK(piece("h100-80-sxm", "32768") == 8192); // 33.6 GB, 7.8 times 4 GiB: eight
  CHECK(piece("t4", "8192") == 4096);           // half of what 16 GB leave
}
