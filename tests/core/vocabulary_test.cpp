// A vocabulary is filled up as the framework does: Megatron-LM to a multiple of 128 on each GPU of the tensor-parallel group
// (megatron/training/tokenizer/tokenizer.py, _vocab_size_with_padding: 50,257 tokens become 50,304 on one GPU, 50,688 on four), vLLM and
// SGLang to 64 (vocab_parallel_embedding.py). DeepSpeed fills nothing up.
#include "plimsoll/method/explain.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

std::int64_t table(const std::string& query) {
  const io::Answer answer = test::answer_to("model=gpt-2-124m&" + query);
  for (const Component& part : explain(answer.scenario, answer.estimate).memory.parts)
    for (const Component& inner : part.parts)
      if (inner.id == "memory.weights.embedding") return inner.amount;
  return 0;
}

} // namespace

TEST_CASE("A vocabulary is filled up as the framework does") {
  const std::string trained = "device=h100-80-sxm&task=pretrain&precision=master_bf16&profile=";
  CHECK(table(trained + "megatron") == 2 * 768 * 50304);
  CHECK(table(trained + "megatron&tensor_parallel=4") == 2 * 768 * 50688 / 4);
  CHECK(table(trained + "megatron&tensor_parallel=4&vocab_multiple=1") == 2 * 768 * 50260 / 4);
  CHECK(table(trained + "megatron&tensor_parallel=2&vocab_multiple=64") == 2 * 768 * 50304 / 2);
  CHECK(table(trained + "deepspeed") == 2 * 768 * 50257);
  const std::string served = "device=rtx4090&task=inference&weight_dtype=bf16&profile=";
  CHECK(table(served + "vllm") == 2 * 768 * 50304);
  CHECK(table(served + "sglang&tensor_parallel=2") == 2 * 768 * 50304 / 2);
  CHECK(table(served + "transformers") == 2 * 768 * 50257);
}

TEST_CASE("What a model has is not what a framework makes of it") {
  CHECK(test::answer_to("model=gpt-2-124m&device=rtx4090&task=inference&profile=vllm").facts.parameters == Count{124'439'808});
}
