#include "plimsoll/method/estimate.hpp"

#include "allocations.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <new>

using namespace plimsoll;

TEST_CASE("an estimate takes nothing from the heap") {
  for (const char* query : {"model=llama-3-8b&task=inference", "model=gemma-2-9b", "model=llama-3-8b&task=finetune&tensor_parallel=2&data_parallel=4", "model=llama-3-8b&task=pretrain"}) {
    const io::Answer answer = test::answer_to(query);
    const std::uint64_t before = test::allocations();
    const Estimate result = estimate(answer.scenario);
    const std::uint64_t after = test::allocations();
    CHECK(result.moment_count > 0);
    CHECK(after == before);
  }
  const std::uint64_t before = test::allocations();
  ::operator delete(::operator new(4)); // called by name: a compiler may leave out a new-expression
  CHECK(test::allocations() == before + 1); // the counter counts
}

TEST_CASE("serving has two moments, training eight, and moments differ") {
  CHECK(test::answer_to("model=llama-3-8b&task=inference").estimate.moment_count == 2);
  const Estimate training = test::answer_to("model=llama-3-8b&task=finetune").estimate;
  CHECK(training.moment_count == 8);
  CHECK(training.at_peak().moment == Moment::loss_backward);
  // With full recomputation, few tokens and foreach AdamW the step itself is the peak: no fixed sum of categories could tell.
  CHECK(test::answer_to("model=llama-3-8b&task=finetune&recompute=full&context_tokens=64&optimizer=adamw_foreach").estimate.at_peak().moment ==
        Moment::optimizer_step);
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
