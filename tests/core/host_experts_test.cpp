// Experts in the host's memory: llama.cpp's --n-cpu-moe. ggml-org/llama.cpp, pull request 15077: "keeps the MoE weights of the first N
// layers in the CPU".
#include "plimsoll/method/speed.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace plimsoll;

namespace {

io::Answer served(const std::string& more, const std::string& model = "gpt-oss-120b") {
  return test::answer_to("model=" + model + "&device=rtx3090&task=inference&profile=llama_cpp" + more);
}

Bytes process(const std::string& more) {
  io::Answer answer = served(more);
  io::add_footprint(answer);
  return answer.footprint->process.expected;
}

Bytes weights(const io::Answer& answer) { return answer.estimate.at_peak().parts[static_cast<std::size_t>(Part::weights)]; }

} // namespace

TEST_CASE("What the GPU does not hold of experts, the host does") {
  for (const char* model : {"gpt-oss-120b", "qwen3-30b-a3b", "deepseek-v3-671b"}) {
    for (const char* format : {"&weight_dtype=q4_k_m", "&weight_dtype=bf16"}) {
      INFO(model << format);
      const io::Answer all = served(format, model), some = served(std::string{format} + "&host_expert_layers=10", model), none = served(std::string{format} + "&host_expert_layers=999", model);
      for (const io::Answer* const answer : {&some, &none}) {
        CHECK(weights(all) - weights(*answer) == answer->estimate.host - all.estimate.host);
        CHECK(weights(*answer) > Bytes{0});
      }
      CHECK(weights(none) < weights(some));
      CHECK(weights(some) < weights(all));
    }
  }
}

TEST_CASE("Of layers that the host has as a whole nothing counts twice") {
  const io::Answer layers = served("&gpu_layers=21"), both = served("&gpu_layers=21&host_expert_layers=8"), more = served("&gpu_layers=21&host_expert_layers=30");
  CHECK(weights(layers) == weights(both)); // 16 of 36 layers are the host's anyway
  CHECK(layers.estimate.host == both.estimate.host);
  CHECK(weights(more) < weights(both));
}

TEST_CASE("Several GPUs divide the layers, and each leaves its experts to the host") {
  const std::string two = "&pipeline_parallel=2";
  const io::Answer all = served(two), none = served(two + "&host_expert_layers=999"), one = served("&host_expert_layers=999");
  CHECK(weights(none) < weights(all));
  CHECK(weights(none) < weights(one));
}

TEST_CASE("gpt-oss 120B on small cards, as people ran it") {
  constexpr Bytes kGb{1'000'000'000};
  // 8 GB with the whole context, flash attention and the experts of all 36 layers on the host: "about 8GB" (ggml-org/llama.cpp, issue
  // threads of August 2025, and the same command in course notes: "lowest VRAM, ~5 GB" at a short context).
  CHECK(process("&host_expert_layers=36&context_tokens=131072&flash_attention=on") > Count{7} * kGb);
  CHECK(process("&host_expert_layers=36&context_tokens=131072&flash_attention=on") < Count{9} * kGb);
  CHECK(process("&host_expert_layers=36&context_tokens=8192&flash_attention=on") < Bytes{5'500'000'000});
  // One RTX 3090 held it with 25 layers' experts on the host and passes of 2,048 tokens, not with few.
  CHECK(served("&host_expert_layers=25&context_tokens=4096&prefill_tokens=2048&flash_attention=on").judgement.holds());
  CHECK_FALSE(served("&host_expert_layers=20&context_tokens=4096&prefill_tokens=2048&flash_attention=on").judgement.holds());
}

TEST_CASE("A step that waits for experts of the host is slower, and faster than one that waits for whole layers") {
  const auto step = [](const std::string& more) { return speed(served("&context_tokens=4096" + more).scenario).step.expected; };
  CHECK(step("&host_expert_layers=10") > step(""));
  CHECK(step("&host_expert_layers=36") > step("&host_expert_layers=10"));
  CHECK(step("&host_expert_layers=36") < step("&gpu_layers=0"));
}

TEST_CASE("Prompts wait for copies of the host's weights, the less of them the longer a pass") {
  // gpt-oss 120B on one RTX 3090: passes of 2,048, 4,096 and 8,192 tokens with the experts of 25, 26 and 28 layers on the host read 1,113,
  // 1,682 and 2,091 tokens of a prompt per second (a user's llama-bench runs; the last with a prompt of 8,192 tokens, the others of 4,096).
  struct Run { int pass, layers, tokens; double measured; };
  for (const Run& run : {Run{2048, 25, 4096, 1112.54}, Run{4096, 26, 4096, 1682.47}, Run{8192, 28, 8192, 2090.68}}) {
    const io::Answer answer = served("&flash_attention=on&prefill_tokens=" + std::to_string(run.pass) + "&host_expert_layers=" + std::to_string(run.layers) + "&context_tokens=" + std::to_string(run.tokens));
    const double predicted = static_cast<double>(speed(answer.scenario).prompt.expected.value) / 1000.0;
    INFO(run.pass << ": " << predicted);
    CHECK(std::abs(predicted / run.measured - 1) < 0.25);
  }
  const auto prompt = [](const std::string& more) { return speed(served("&context_tokens=4096" + more).scenario).first_token.expected; };
  CHECK(prompt("&host_expert_layers=20") > prompt("&host_expert_layers=10"));
  CHECK(prompt("&host_expert_layers=20&prefill_tokens=2048") < prompt("&host_expert_layers=20"));
}

TEST_CASE("Engines that cannot do it say so, and a verdict names the flag") {
  const io::Answer vllm = test::answer_to("model=gpt-oss-120b&device=h100-80-sxm&task=inference&profile=vllm&host_expert_layers=10");
  CHECK(std::ranges::any_of(vllm.issues, [](const Issue& issue) { return issue.field == "host_expert_layers" && issue.severity == Severity::warning; }));
  io::Answer full = served("&context_tokens=4096");
  io::add_footprint(full);
  CHECK(std::ranges::any_of(full.remedies, [](const io::Remedy& remedy) { return remedy.field == "host_expert_layers"; }));
}

TEST_CASE("Dense MLPs of some layers are the host's, to the byte") {
  // Llama 3 8B in bf16: three maps of 4096 x 14,336 in each of 32 layers
  constexpr std::int64_t kMlp = 3LL * 4096 * 14336 * 2;
  const auto dense = [](const std::string& more) { return served("&weight_dtype=bf16" + more, "llama-3-8b"); };
  const io::Answer all = dense(""), ten = dense("&host_mlp_layers=10"), none = dense("&host_mlp_layers=999");
  REQUIRE(ten.ok);
  CHECK(weights(all) - weights(ten) == Bytes{10 * kMlp});
  CHECK(ten.estimate.host - all.estimate.host == Bytes{10 * kMlp});
  CHECK(weights(all) - weights(none) == Bytes{32 * kMlp});
  CHECK(speed(ten.scenario).step.expected > speed(all.scenario).step.expected);
  CHECK(weights(dense("&gpu_layers=23&host_mlp_layers=10")) == weights(dense("&gpu_layers=23"))); // ten layers are the host's anyway
  CHECK(weights(dense("&host_mlp_layers=10&pipeline_parallel=2")) < weights(dense("&pipeline_parallel=2")) + Bytes{1});
}
