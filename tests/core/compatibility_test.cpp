// What cannot run is refused with the reason: each row of what profiles load and core/catalog/data/limits.json, and the blocks that GPUs would cut.
#include "scenarios.hpp"

#include "catalog/compatibility.hpp"
#include "catalog/profile_data.hpp"
#include "plimsoll/questions/solve.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

io::Answer asked(const std::string& query) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  return io::answer(test::catalog(), request, issues);
}

const Issue* error_in(const io::Answer& answer, std::string_view field) {
  const auto at = std::ranges::find_if(answer.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field; });
  return at == answer.issues.end() ? nullptr : &*at;
}

void is_refused(const std::string& query, std::string_view field, std::string_view because) {
  INFO(query);
  const io::Answer answer = asked(query);
  const Issue* const error = error_in(answer, field);
  REQUIRE(error != nullptr);
  INFO(error->message);
  CHECK(error->message.find(because) != std::string::npos);
  CHECK(!error->remedy.empty());
}

void is_answered(const std::string& query) {
  INFO(query);
  const io::Answer answer = asked(query);
  for (const Issue& issue : answer.issues) INFO(issue.message);
  CHECK(answer.ok);
}

} // namespace

TEST_CASE("LMDeploy loads the 8-bit weights that it writes") {
  const std::string lmdeploy = "model=internlm2.5-7b&task=inference&device=a100-80-sxm&profile=lmdeploy&weight_dtype=";
  is_answered(lmdeploy + "int8_channel");
  is_refused(lmdeploy + "int8_tensor", "weight_dtype", "does not load");
}

TEST_CASE("engines run on the devices that they are made for") {
  const std::string mac = "model=llama-3.1-8b&task=inference&device=m4-max-128&profile=";
  for (const char* engine : {"vllm", "sglang", "tensorrt_llm", "lmdeploy"}) is_refused(mac + engine, "profile", "does not run on M4 Max");
  is_answered(mac + "llama_cpp&weight_dtype=q4_k_m");
  is_answered(mac + "paged_serving");
  is_refused("model=llama-3.1-8b&task=inference&device=tpu-v5p&profile=llama_cpp&weight_dtype=q4_k_m", "profile", "does not run on");
  is_refused("model=llama-3.1-8b&task=inference&device=t4&profile=tensorrt_llm", "profile", "does not run on");
  is_answered("model=llama-3.1-8b&task=inference&device=t4&profile=vllm");
}

TEST_CASE("engines load the formats that they know, where the device runs them") {
  is_refused("model=llama-3.1-8b&task=inference&profile=llama_cpp&device=rtx4090&weight_dtype=awq_4bit_g128", "weight_dtype", "does not load");
  is_refused("model=llama-3.1-8b&task=inference&profile=vllm&device=rtx4090&weight_dtype=mlx_4bit_g64", "weight_dtype", "does not load");
  for (const char* engine : {"vllm_0_11", "sglang"}) is_refused("model=llama-3.2-3b&task=inference&device=t4&weight_dtype=fp8_channel&profile=" + std::string{engine}, "weight_dtype", "FP8 needs an Ampere GPU");
  is_answered("model=llama-3.2-3b&task=inference&profile=vllm&device=t4&weight_dtype=fp8_channel");
  is_refused("model=llama-3.1-8b&task=inference&profile=vllm&device=v100-32-sxm&weight_dtype=fp8_channel", "weight_dtype", "FP8 needs a Turing GPU");
  is_refused("model=llama-3.1-8b&task=inference&profile=vllm&device=v100-32-sxm&weight_dtype=int8_channel", "weight_dtype", "in INT8 need a Turing GPU");
  is_answered("model=llama-3.1-8b&task=inference&profile=vllm&device=t4&weight_dtype=int8_channel");
  is_answered("model=llama-3.1-8b&task=inference&profile=vllm&device=v100-32-sxm&weight_dtype=gptq_4bit_g128");
  is_refused("model=llama-3.1-8b&task=inference&profile=tensorrt_llm&device=a100-80-sxm&weight_dtype=fp8_tensor", "weight_dtype", "FP8 needs an Ada GPU");
  is_refused("model=llama-3.1-8b&task=inference&profile=tensorrt_llm&device=h100-80-sxm&weight_dtype=nvfp4", "weight_dtype", "FP4 needs a Blackwell GPU");
  is_refused("model=llama-3.1-8b&task=inference&profile=sglang&device=tpu-v5p&weight_dtype=q4_k_m", "weight_dtype", "GGUF");
  is_refused("model=llama-3.1-8b&task=finetune&method=lora&device=m4-max-128&weight_dtype=nf4", "weight_dtype", "bitsandbytes");
  is_refused("model=llama-3.1-8b&task=inference&profile=vllm&device=mi300x&weight_dtype=nf4", "weight_dtype", "bitsandbytes");
  is_refused("model=llama-3.1-8b&task=inference&device=h100-80-sxm&weight_dtype=mlx_4bit_g64", "weight_dtype", "MLX");
  is_refused("model=llama-3.1-8b&task=inference&profile=vllm&device=v100-32-sxm&weight_dtype=awq_4bit_g128", "weight_dtype", "AWQ");
  is_answered("model=llama-3.1-8b&task=inference&profile=vllm&device=a100-80-sxm&weight_dtype=fp8_channel");
  is_answered("model=llama-3.1-8b&task=finetune&method=lora&device=t4&weight_dtype=nf4");
}

// vllm/config/model.py, _FLOAT16_NOT_SUPPORTED_MODELS.
TEST_CASE("vLLM runs Gemma 2 and 3 in no fp16, which is what a GPU without bf16 has") {
  is_refused("model=gemma-3-4b&task=inference&profile=vllm&device=t4&context_tokens=4096", "weight_dtype", "it takes fp32");
  is_refused("model=gemma-2-2b&task=inference&profile=vllm&device=v100-32-sxm&context_tokens=4096", "weight_dtype", "it takes fp32");
  is_refused("model=gemma-3-4b&task=inference&profile=vllm&device=h100-80-sxm&context_tokens=4096&weight_dtype=fp16", "weight_dtype", "refuses fp16");
  is_answered("model=gemma-3-1b&task=inference&profile=vllm&device=t4&context_tokens=4096&weight_dtype=fp32");
  is_answered("model=gemma-3-4b&task=inference&profile=vllm&device=h100-80-sxm&context_tokens=4096");
  is_answered("model=llama-3.2-3b&task=inference&profile=vllm&device=t4&context_tokens=4096");
  is_answered("model=gemma-3-4b&task=inference&profile=sglang&device=t4&context_tokens=4096");
}

TEST_CASE("a checkpoint's own format is refused like any other, and asked for another") {
  is_refused("model=deepseek-r1-671b&task=inference&profile=llama_cpp&device=m3-ultra-512", "weight_dtype", "does not load");
  is_answered("model=deepseek-r1-671b&task=inference&profile=ollama&device=m3-ultra-512");
  is_answered("model=gpt-oss-120b&task=inference&profile=llama_cpp&device=h100-80-sxm");
}

TEST_CASE("GPUs do not cut the blocks of a format that an engine loads whole") {
  const std::string qwen = "model=qwen3-235b-a22b&task=inference&device=h100-80-sxm&weight_dtype=fp8_block&profile=";
  for (const char* engine : {"vllm", "sglang"}) {
    is_refused(qwen + engine + "&tensor_parallel=8", "tensor_parallel", "192 channels of an expert");
    is_answered(qwen + engine + "&tensor_parallel=4");
    is_answered(qwen + engine + "&tensor_parallel=8&expert_parallel=8");
  }
  is_answered("model=qwen3-235b-a22b&task=inference&device=h100-80-sxm&profile=vllm&tensor_parallel=8"); // in bf16
  is_refused("model=qwen2.5-72b&task=inference&device=h100-80-sxm&profile=vllm&tensor_parallel=8&weight_dtype=gptq_4bit_g128", "tensor_parallel", "3,696 channels of an MLP");
}

TEST_CASE("fp8 is multiplied by devices that have it") {
  is_refused("model=llama-3.1-8b&task=pretrain&device=a100-80-sxm&profile=megatron&fp8=compute", "fp8", "does not multiply in fp8");
  is_answered("model=llama-3.1-8b&task=pretrain&device=h100-80-sxm&profile=megatron&fp8=compute");
}

TEST_CASE("every row that refuses names a source of the catalogue and refuses something of it") {
  const auto cites = [&](const io::Json& row) { return test::catalog().find_citation(row.at("citation").text()) != nullptr; };
  const auto refuses_something = [&](const io::Json& limit, const std::string& profile) {
    INFO(profile << ": " << limit.at("because").text());
    CHECK(cites(limit));
    for (const io::DeviceRow& device : test::catalog().devices())
      for (const io::WeightSchemeRow& scheme : test::catalog().weights().schemes()) {
        const auto found = io::incompatible(test::catalog(), profile, device, scheme.id, limit.contains("models") ? limit.at("models").elements().front().text() : std::string{});
        if (found && found->citation == limit.at("citation").text() && found->field == "weight_dtype") return true;
      }
    return false;
  };
  const std::vector<io::ProfilePart> parts = io::profile_parts("loads");
  CHECK(parts.size() >= 16);
  for (const io::ProfilePart& part : parts) {
    CHECK(cites(*part.json));
    if (part.json->contains("runs_on")) CHECK(cites(part.json->at("runs_on")));
    if (part.json->contains("limited"))
      for (const io::Json& limit : part.json->at("limited")) CHECK(refuses_something(limit, part.profile));
  }
  for (const io::Json& limit : io::profile_data("limits.json").at("limited")) CHECK(refuses_something(limit, "pytorch"));
}

TEST_CASE("the largest weights that fit are ones that run") {
  const std::string query = "model=llama-3.1-8b&task=inference&profile=vllm&device=t4&context_tokens=2048";
  Issues issues;
  const io::Solved solved = io::solve(test::catalog(), io::request_from_query(query, issues), {Goal::largest, "weight_dtype"});
  REQUIRE(solved.answer);
  is_answered(test::with(query, "weight_dtype", solved.answer->value));
}

TEST_CASE("a fleet keeps what is stated of offload and recomputation") {
  for (const char* const stated : {"offload=none", "recompute=none"}) {
    Issues issues;
    const io::Solved solved = io::solve(test::catalog(), io::request_from_query(std::string{"model=llama-3.1-70b&task=finetune&device=h100-80-sxm&"} + stated, issues), {Goal::smallest, "gpus"});
    INFO(stated << ": " << solved.query);
    REQUIRE(solved.answer);
    CHECK(solved.query.find("offload=") == solved.query.npos);
    if (std::string_view{stated}.starts_with("recompute")) CHECK(solved.query.find("recompute=") == solved.query.npos);
  }
}
