// From what was typed to an answer.
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace plimsoll;

namespace {

io::Answer ask(const char* query) { return io::answer_query(test::catalog(), query); }

const Issue* issue_of(const io::Answer& answer, std::string_view field) {
  const auto at = std::ranges::find(answer.issues, field, &Issue::field);
  return at == answer.issues.end() ? nullptr : &*at;
}

} // namespace

TEST_CASE("a model alone is a complete scenario") {
  const io::Answer answer = ask("model=llama-3-8b");
  CHECK(answer.ok);
  CHECK(answer.issues.empty());
  CHECK(answer.inputs.model.id == "llama-3-8b");
  CHECK(canonical_query(answer) == "model=llama-3-8b&device=h100-80-sxm&task=inference");
}

TEST_CASE("a question that names no model is asked back, and no other model answers it") {
  for (const char* query : {"", "model=", "batch=4", "task=finetune&device=rtx4090", "task=pretrain&hidden_size=2048&layers=24", "profile=vllm&context_tokens=32768"}) {
    INFO(query);
    const io::Answer answer = ask(query);
    CHECK(!answer.ok);
    REQUIRE(answer.issues.size() == 1);
    CHECK(answer.issues.front().severity == Severity::error);
    CHECK(answer.issues.front().field == "model");
    CHECK(answer.issues.front().remedy.find("model=") != std::string::npos);
    CHECK(answer.find_field("model")->text.empty());
    CHECK(canonical_query(answer).find("llama") == std::string::npos);
    CHECK(!io::answer_query(test::catalog(), canonical_query(answer)).ok);
  }
}

TEST_CASE("what stands in for a model that is not there is judged by nobody") {
  const io::Answer answer = ask("model=nobodys-70b&task=pretrain&tensor_parallel=7&context_tokens=1000000");
  REQUIRE(answer.issues.size() == 1);
  CHECK(answer.issues.front().field == "model");
}

TEST_CASE("a custom model has the sizes that are stated, and asks for the others") {
  const io::Answer none = ask("model=custom");
  REQUIRE(none.issues.size() == 1);
  CHECK(none.issues.front().message == "The custom model has no hidden_size, layers, query_heads, kv_heads, head_dim, intermediate_size, vocab_size.");
  CHECK(none.find_field("layers")->text.empty());

  // A config that says how a model is built and none of its sizes has no class behind it either.
  const std::string built = "model=custom&hidden_size=4096&layers=32&query_heads=32&kv_heads=8&head_dim=128&intermediate_size=14336&config={\"model_type\":\"decoder\",\"partial_rotary_factor\":0.5}";
  const io::Answer no_vocabulary = ask(built.c_str());
  CHECK(!no_vocabulary.ok);
  CHECK(issue_of(no_vocabulary, "vocab_size") != nullptr);
  CHECK(ask((built + "&vocab_size=50304").c_str()).ok);

  const std::string sizes = "model=custom&hidden_size=4096&layers=32&query_heads=32&kv_heads=8&head_dim=128&vocab_size=128256";
  const io::Answer one_missing = ask(sizes.c_str());
  CHECK(!one_missing.ok);
  CHECK(issue_of(one_missing, "intermediate_size") != nullptr);
  CHECK(ask((sizes + "&experts=8&expert_size=1024").c_str()).ok); // no layer without experts

  const io::Answer whole = ask((sizes + "&intermediate_size=14336").c_str());
  CHECK(whole.ok);
  CHECK(count_parameters(whole.inputs.model) == Count{8'030'261'248});
  CHECK(io::estimate_json(io::answer_query(test::catalog(), canonical_query(whole))) == io::estimate_json(whole)); // a link states all of them
}

TEST_CASE("aliases and letter case do not matter; the canonical query has the id") {
  CHECK(canonical_query(ask("model=meta-llama/meta-llama-3-8B&device=RTX4090")) == "model=llama-3-8b&device=rtx4090&task=inference");
}

TEST_CASE("the canonical query has only what differs, and gives the same answer") {
  CHECK(canonical_query(ask("model=llama-3-8b&batch=1&context_tokens=8,192&device=rtx4090")) == "model=llama-3-8b&device=rtx4090&task=inference");
  const io::Answer answer = ask("model=llama-3-8b&batch=4&context_tokens=8193&kv_heads=16");
  CHECK(canonical_query(answer) == "model=llama-3-8b&device=h100-80-sxm&task=inference&context_tokens=8193&batch=4&kv_heads=16");
  CHECK(io::estimate_json(io::answer_query(test::catalog(), canonical_query(answer))) == io::estimate_json(answer));
}

TEST_CASE("each bad entry gets an issue with its field's name, and stays in the canonical query") {
  const io::Answer answer = ask("model=lama-3-8b&device=h1000&task=train&batch=-1&context_tokens=8x&qkv_bias=maybe&profile=vlm");
  CHECK(!answer.ok);
  for (const char* field : {"model", "device", "task", "batch", "context_tokens", "qkv_bias", "profile"}) {
    INFO(field);
    const Issue* issue = issue_of(answer, field);
    REQUIRE(issue != nullptr);
    CHECK(issue->severity == Severity::error);
    CHECK(!issue->message.empty());
    CHECK(!issue->remedy.empty());
    CHECK(canonical_query(answer).find(std::string{field} + "=") != std::string::npos);
  }
  CHECK(issue_of(answer, "model")->remedy.find("llama-3-8b") != std::string::npos);
  CHECK(answer.find_field("context_tokens")->text == "8x");
}

TEST_CASE("an input that nobody reads is refused with the nearest name, and kept") {
  CHECK(!ask("model=llama-3-8b&operator=cross_entropy&implementation=eager").ok);
  const io::Answer answer = ask("model=llama-3-8b&contxt_tokens=5");
  CHECK(!answer.ok);
  REQUIRE(issue_of(answer, "contxt_tokens") != nullptr);
  CHECK(issue_of(answer, "contxt_tokens")->remedy.find("context_tokens") != std::string::npos);
  CHECK(canonical_query(answer).ends_with("&contxt_tokens=5"));
}

TEST_CASE("an input of another task is said to have no effect") {
  const io::Answer answer = ask("model=llama-3-8b&optimizer=sgd");
  CHECK(answer.ok);
  REQUIRE(issue_of(answer, "optimizer") != nullptr);
  CHECK(issue_of(answer, "optimizer")->severity == Severity::note);
}

TEST_CASE("weights that train are in no other numbers than those of the precision") {
  const auto severity = [](const char* query) {
    const io::Answer answer = ask(query);
    const Issue* const issue = issue_of(answer, "weight_dtype");
    return issue == nullptr ? std::string{} : std::string{issue->severity == Severity::error ? "error" : "warning"};
  };
  CHECK(severity("model=llama-3-8b&task=finetune&weight_dtype=nf4") == "error"); // not QLoRA, nor anything that runs
  CHECK(severity("model=llama-3-8b&task=finetune&weight_dtype=nf4&method=lora").empty());
  CHECK(severity("model=llama-3-8b&task=finetune&weight_dtype=fp32") == "warning");
  CHECK(severity("model=llama-3-8b&task=finetune&weight_dtype=fp32&precision=fp32").empty());
  CHECK(severity("model=llama-3-8b&task=pretrain&weight_dtype=bf16").empty());
}

TEST_CASE("a model made for a short context is not asked for a long one by default") {
  const io::Answer answer = ask("model=gpt-2-124m");
  CHECK(answer.ok);
  CHECK(answer.inputs.workload.context_tokens == 1024);
  CHECK(!ask("model=gpt-2-124m&context_tokens=2048").ok);
}

TEST_CASE("a value outside its range is refused even where a narrower type would cut it down") {
  CHECK(!ask("model=llama-3-8b&batch=4294967297").ok);
  CHECK(!ask("model=llama-3-8b&batch=99999999999999999999").ok);
  CHECK(!ask("model=llama-3-8b&tied_embeddings=2").ok);
}

TEST_CASE("fields know what was typed, what the default is, and whether they differ") {
  const io::Answer answer = ask("model=llama-3-8b&batch=4&context_tokens=8192");
  CHECK(answer.find_field("batch")->changed);
  CHECK(answer.find_field("batch")->default_text == "1");
  CHECK(answer.find_field("context_tokens")->stated);
  CHECK(!answer.find_field("context_tokens")->changed);
  CHECK(!answer.find_field("optimizer")->applies);
  CHECK(answer.find_field("no such field") == nullptr);
}

TEST_CASE("another model drops changed facts of the last one, another device its usable memory") {
  const auto edited = [](const char* query, const char* name, const char* text) { return io::edit_query(test::catalog(), query, name, text); };
  CHECK(edited("model=llama-3-8b&kv_heads=16&batch=2", "model", "qwen3-8b") == "model=qwen3-8b&device=h100-80-sxm&task=inference&batch=2");
  CHECK(edited("model=llama-3-8b&usable_bytes=5000000000&batch=2", "device", "l4") == "model=llama-3-8b&device=l4&task=inference&batch=2");
  CHECK(edited("model=llama-3-8b&kv_heads=16", "batch", "x") == "model=llama-3-8b&device=h100-80-sxm&task=inference&batch=x&kv_heads=16");
}

TEST_CASE("the canonical query leaves out what has no effect on the task") {
  CHECK(canonical_query(ask("model=llama-3-8b&optimizer=sgd&batch=2")) == "model=llama-3-8b&device=h100-80-sxm&task=inference&batch=2");
}

TEST_CASE("a preset with a changed fact says so") {
  CHECK(ask("model=llama-3-8b&kv_heads=16").inputs.model.name == "Llama 3 8B, changed");
  CHECK(ask("model=llama-3-8b&kv_heads=8").inputs.model.name == "Llama 3 8B");
}

TEST_CASE("the headline is a sentence with the answer") {
  const io::Answer fits = ask("model=llama-3-8b&device=rtx4090&batch=4"), over = ask("model=llama-3-8b&device=rtx4060&batch=4");
  CHECK(fits.headline.verdict == "Fits.");
  CHECK(fits.headline.rest.ends_with("to spare."));
  CHECK(over.headline.verdict == "Does not fit.");
  CHECK(over.headline.rest.starts_with("Over by "));
}
