// A question in a line: what people paste and type where anything is taken.
#include "scenarios.hpp"

#include "plimsoll/files/import.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace plimsoll;

namespace {

io::ImportedText read(std::string_view text) {
  const std::array<io::ImportText, 1> texts{{{text}}};
  return io::import_texts(test::catalog(), texts);
}

std::string query_of(std::string_view text) {
  const io::ImportedText made = read(text);
  return made.ok && made.kind == "question" ? io::to_query(made.request) : "(" + std::string{made.kind} + ")";
}

std::vector<std::string> choices(const io::ImportedText& made, std::string_view field) {
  const auto at = std::ranges::find(made.questions, field, &io::OpenQuestion::field);
  return at == made.questions.end() ? std::vector<std::string>{} : at->choices;
}

bool has(const std::vector<std::string>& list, std::string_view one) { return std::ranges::find(list, one) != list.end(); }

} // namespace

TEST_CASE("a line with a model, a device and a workload is a question") {
  CHECK(query_of("Qwen3 32B on RTX 4090, 32k, 4 users") == "model=qwen3-32b&device=rtx4090&context_tokens=32k&batch=4");
  CHECK(query_of("will llama 3.1 8b q4_k_m run on my 3090 at 32768 tokens?") == "model=llama-3.1-8b&weight_dtype=q4_k_m&device=rtx3090&context_tokens=32768");
  CHECK(query_of("vLLM, Llama-3.3-70B-Instruct, 2xH100 80GB, 64 concurrent") == "device=h100-80-sxm&gpus=2&model=llama-3.3-70b&profile=vllm&task=inference&batch=64");
  CHECK(query_of("pretrain Llama 3 8B on 64 H100 80GB with 15T tokens") == "task=pretrain&model=llama-3-8b&device=h100-80-sxm&gpus=64&train_tokens=15T");
  CHECK(query_of("32,768 context qwen3-8b") == "model=qwen3-8b&context_tokens=32768");
}

TEST_CASE("a name alone and an address are questions about that model") {
  CHECK(query_of("Qwen/Qwen3-32B") == "model=qwen3-32b");
  CHECK(query_of("https://huggingface.co/Qwen/Qwen3-32B/tree/main") == "model=qwen3-32b");
  CHECK(query_of("https://ollama.com/library/qwen3:32b") == query_of("qwen3:32b"));
  CHECK(query_of("https://plimsoll.example/app/?model=qwen3-32b&device=rtx4090#tab=plan") == "model=qwen3-32b&device=rtx4090");
  CHECK(query_of("model=qwen3-32b&tp=2") == "model=qwen3-32b&tp=2");
}

TEST_CASE("QLoRA says how it trains and how it keeps its weights; a size and an amount of memory are asked back") {
  const io::ImportedText made = read("QLoRA 70B on 2 × 48 GB");
  REQUIRE(made.ok);
  CHECK(io::to_query(made.request) == "task=finetune&method=lora&weight_dtype=nf4&gpus=2");
  CHECK(has(choices(made, "model"), "llama-3.3-70b"));
  CHECK(has(choices(made, "device"), "a6000"));
  CHECK(io::to_query(read("QLoRA of Llama 3.3 70B on 2 x A6000").request) == "task=finetune&method=lora&weight_dtype=nf4&model=llama-3.3-70b&device=a6000&gpus=2");
}

TEST_CASE("a card of which only the memory is told is asked for") {
  const io::ImportedText made = read("Qwen3-32B on a 24 GB card at 32k");
  REQUIRE(made.ok);
  CHECK(io::to_query(made.request) == "model=qwen3-32b&context_tokens=32k");
  CHECK(has(choices(made, "device"), "rtx4090"));
}

TEST_CASE("words that say nothing known are told") {
  const io::ImportedText made = read("Qwen3 32B on RTX 4090 with zorblax");
  REQUIRE(made.ok);
  CHECK(made.unread == std::vector<std::string>{"zorblax"});
  CHECK(std::ranges::any_of(made.issues, [](const Issue& issue) { return issue.severity == Severity::warning && issue.message.find("zorblax") != std::string::npos; }));
}

TEST_CASE("what names nothing is no question") {
  for (const char* text : {"", " ", "hello world", "42", "32k", "How are you?", "lorem ipsum dolor sit amet", "a=b", "https://example.com/page?x=1", "24 people"}) {
    INFO(text);
    CHECK(query_of(text).starts_with('('));
  }
}

TEST_CASE("a command stays a command") {
  CHECK(read("vllm serve Qwen/Qwen3-32B --max-model-len 32768").kind == "command_line");
  CHECK(read("ollama run qwen3:32b").kind == "command_line");
}
