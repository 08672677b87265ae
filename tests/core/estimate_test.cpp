#include "plimsoll/method/estimate.hpp"

#include "allocations.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <new>

using namespace plimsoll;

TEST_CASE("an estimate takes nothing from the heap") {
  for (const char* query : {"model=llama-3-8b&task=inference", "model=gemma-2-9b", "model=llama-3-8b&task=finetune&tensor_parallel=2&data_parallel=4", "model=llama-3-8b&task=pretrain",
                            "model=llama-3-8b&weight_dtype=nf4&task=finetune&method=lora", "model=qwen3-30b-a3b&task=pretrain&expert_parallel=8&data_parallel=8",
                            "model=llama-3-70b&task=pretrain&pipeline_parallel=4&micro_batches=8"}) {
    const io::Answer answer = test::answer_to(query);
    const std::uint64_t before = test::allocations();
    const Estimate result = estimate(answer.scenario);
    const std::uint64_t after = test::allocations();
    CHECK(result.moments.size() > 0);
    CHECK(after == before);
  }
  const std::uint64_t before = test::allocations();
  ::operator delete(::operator new(4)); // called by name: a compiler may leave out a new-expression
  CHECK(test::allocations() == before + 1); // the counter counts
}

TEST_CASE("serving has two moments, training eight, and moments differ") {
  CHECK(test::answer_to("model=llama-3-8b&task=inference").estimate.moments.size() == 2);
  const Estimate training = test::answer_to("model=llama-3-8b&task=finetune").estimate;
  CHECK(training.moments.size() == 8);
  CHECK(training.at_peak().moment == Moment::loss_backward);
  // With full recomputation, few tokens and foreach AdamW the step itself is the peak: no fixed sum of categories could tell.
  CHECK(test::answer_to("model=llama-3-8b&task=finetune&recompute=full&context_tokens=64&optimizer=adamw_foreach").estimate.at_peak().moment ==
        Moment::optimizer_step);
}

TEST_CASE("a rank needs the same beside the others as alone, alike ones among them") {
  for (const char* query : {"model=llama-3-70b&task=pretrain&pipeline_parallel=8&micro_batches=16", "model=llama-3-70b&task=pretrain&pipeline_parallel=8&micro_batches=4&pipeline_schedule=gpipe",
                            "model=llama-3-70b&task=pretrain&pipeline_parallel=8&micro_batches=32&pipeline_schedule=dualpipe", "model=gemma-2-9b&task=finetune&pipeline_parallel=2&micro_batches=4",
                            "model=llama-3-8b&task=finetune&method=lora&pipeline_parallel=4&micro_batches=4", "model=llama-3-70b&pipeline_parallel=4",
                            "model=qwen3-30b-a3b&device=rtx3090&task=inference&profile=llama_cpp&weight_dtype=q4_k_m&pipeline_parallel=4&host_expert_layers=20"}) {
    const io::Answer answer = test::answer_to(query);
    INFO(query);
    REQUIRE(answer.ok);
    const Estimate whole = estimate(answer.scenario);
    REQUIRE(static_cast<std::int64_t>(whole.ranks.size()) == answer.scenario.strategy.pipeline_parallel);
    for (std::size_t rank = 0; rank < whole.ranks.size(); ++rank) {
      const Estimate alone = estimate_rank(answer.scenario, static_cast<std::int64_t>(rank));
      CHECK(whole.ranks[rank].total == alone.at_peak().total);
      CHECK(whole.ranks[rank].moment == alone.at_peak().moment);
      if (static_cast<std::int64_t>(rank) != whole.rank) continue;
      for (std::size_t i = 0; i < whole.moments.size(); ++i) {
        CHECK(whole.moments[i].total == alone.moments[i].total);
        CHECK(whole.moments[i].parts == alone.moments[i].parts);
        CHECK(whole.moments[i].first_step == alone.moments[i].first_step);
      }
    }
  }
}

TEST_CASE("a scenario beyond 64 bits is refused, not wrapped around") {
  io::Request request;
  for (const Field& field : fields())
    if (field.kind == FieldKind::integer && field.tasks == kAllTasks && field.name != "learned_positions" && field.name != "sliding_layers")
      request.set(field.name, std::to_string(field.max));
  request.set("tensor_parallel", "1");
  request.set("model", "custom");
  const io::Answer huge = io::answer(test::catalog(), request);
  CHECK(!huge.ok);
  CHECK(has_errors(huge.issues));
}
