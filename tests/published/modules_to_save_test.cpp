// Whole modules that train beside adapters, as PEFT has them: a copy of each trains, what it was copied from stays
// (huggingface/peft, src/peft/utils/other.py, ModulesToSaveWrapper.update). Llama 3 8B: embedding and head are 128,256 × 4,096 = 525,336,576
// numbers each; LoRA of rank 16 on queries and values trains 6,815,744.
#include "method/moments/visit.hpp"
#include "plimsoll/method/compute.hpp"
#include "plimsoll/method/tuning_parameters.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace plimsoll;

namespace {

constexpr std::int64_t kStep = 512; // the counter of steps of one tensor, in the allocator's smallest block
constexpr std::int64_t kTable = 128'256LL * 4'096, kAdapters = 6'815'744;

io::Answer tuned(const std::string& more) {
  return test::answer_to("model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora&rank=16&targets=qv&context_tokens=2048&batch=1&profile=peft&optimizer=adamw_fused&" + more);
}

std::int64_t sum(const io::Answer& answer, Part wanted, std::string_view formula = "") {
  const Scenario& scenario = answer.scenario;
  std::int64_t total = 0;
  moments::visit(scenario, Stage{scenario.model, scenario.strategy, scenario.workload, 0}, [&](moments::Lifetime block, Part part, const Term& term) {
    if (part == wanted && block != moments::Lifetime::gradients_but_one && (formula.empty() || term.formula->written().id == formula)) total += term.amount;
  });
  return total;
}

std::int64_t more_than_alone(const std::string& modules, Part part, const std::string& rest) { return sum(tuned("modules_to_save=" + modules + rest), part) - sum(tuned(rest), part); }

} // namespace

TEST_CASE("modules to save: LoRA with embedding and head of Llama 3 8B trains 1,057,488,896 numbers") {
  const io::Answer both = tuned("modules_to_save=embedding_and_head");
  CHECK(trainable_parameters(both.scenario.model, both.scenario.tuning) == Count{kAdapters + 2 * kTable});
  CHECK(copied_parameters(both.scenario.model, both.scenario.tuning) == Count{2 * kTable});
  const io::Answer head = tuned("modules_to_save=head");
  CHECK(trainable_parameters(head.scenario.model, head.scenario.tuning) == Count{kAdapters + kTable});
}

TEST_CASE("modules to save: copies, gradients and two states of each number, in the format of what was copied") {
  const std::string bf16 = "&precision=bf16";
  for (const auto& [modules, tables] : {std::pair{std::string{"embedding"}, 1}, {"head", 1}, {"embedding_and_head", 2}}) {
    INFO(modules);
    CHECK(more_than_alone(modules, Part::weights, bf16) == tables * kTable * 2);
    CHECK(more_than_alone(modules, Part::gradients, bf16) == tables * kTable * 2);
    CHECK(more_than_alone(modules, Part::optimizer, bf16) == tables * (kTable * 2 * 2 + kStep));
  }
  // prepare_model_for_kbit_training casts what bitsandbytes leaves in 16 bits to fp32 before PEFT copies it; under autocast the head multiplies with 16 bits.
  const std::string quantised = bf16 + "&weight_dtype=nf4";
  CHECK(more_than_alone("embedding", Part::weights, quantised) == kTable * 4);
  CHECK(more_than_alone("head", Part::weights, quantised) == kTable * (4 + (autocasts(tuned(quantised).scenario.strategy.precision) ? 2 : 0)));
  CHECK(more_than_alone("embedding_and_head", Part::gradients, quantised) == 2 * kTable * 4);
  CHECK(more_than_alone("embedding_and_head", Part::optimizer, quantised) == 2 * (kTable * 2 * 4 + kStep));
  CHECK(more_than_alone("embedding_and_head", Part::weights, bf16 + "&adapters=3") == 3 * 2 * kTable * 2); // each adapter has its own
}

TEST_CASE("modules to save: a head that shares the embedding's table gets a copy of its own") {
  const auto tied = [](const std::string& modules) { return tuned("precision=bf16&tied_embeddings=true&modules_to_save=" + modules); };
  CHECK(sum(tied("head"), Part::weights) - sum(tied("none"), Part::weights) == kTable * 2);
  CHECK(sum(tied("embedding_and_head"), Part::weights) - sum(tied("none"), Part::weights) == 2 * kTable * 2);
}

// bitsandbytes steps in 8 bits, blocks of 256 with an fp32 scale each; Hugging Face's trainer has it keep states of an nn.Embedding in fp32.
TEST_CASE("modules to save: 8-bit states of the head, 32-bit ones of the embedding") {
  const std::string query = "precision=bf16&profile=hf_trainer&optimizer=adamw_8bit&modules_to_save=";
  const std::int64_t alone = sum(tuned(query + "none"), Part::optimizer);
  CHECK(sum(tuned(query + "head"), Part::optimizer) - alone == 2 * (kTable + kTable / 256 * 4));
  CHECK(sum(tuned(query + "embedding"), Part::optimizer) - alone == 2 * 4 * kTable);
}

// Forward, the gradient of the input, and now the gradient of the weight: 6 instead of 4 operations for each number and token.
TEST_CASE("modules to save: the head multiplies once more, the embedding not at all") {
  const auto work = [](const std::string& modules) { return token_work(tuned("precision=bf16&modules_to_save=" + modules).scenario).model; };
  CHECK(work("head") - work("none") == Count{2 * kTable});
  CHECK(work("embedding") == work("none"));
}

TEST_CASE("modules to save: what it cannot be is refused by its name") {
  const auto refused = [](const std::string& query) {
    const io::Answer answer = io::answer_query(test::catalog(), query);
    for (const Issue& issue : answer.issues)
      if (issue.severity == Severity::error && issue.field == "modules_to_save") return true;
    return false;
  };
  const std::string lora = "model=llama-3-8b&device=h100-80-sxm&task=finetune&method=lora&modules_to_save=head";
  CHECK(refused(lora + "&profile=torchtune"));
  CHECK(refused(lora + "&profile=megatron"));
  CHECK(refused(lora + "&profile=peft&targets=q,v,head"));
  CHECK(!refused(lora + "&profile=peft"));
  CHECK(!refused("model=llama-3-8b&device=h100-80-sxm&task=finetune&method=full&modules_to_save=head&profile=torchtune")); // without effect
}
