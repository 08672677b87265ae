// Combinations of training's fields that cannot run, or of which a part has no effect.
#include "plimsoll/method/validate.hpp"

#include "plimsoll/method/fields.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

using namespace plimsoll;

namespace {

/// llama-3-8b has 32 layers of 4096 channels; mixtral-8x7b 8 experts.
Issues issues_of(const std::string& query) { return io::answer_query(test::catalog(), query).issues; }

/// The only issue, or a failure.
Issue only_issue(const std::string& query) {
  const Issues issues = issues_of(query);
  CAPTURE(query);
  REQUIRE(issues.size() == 1);
  CHECK(!issues.front().message.empty());
  CHECK(!issues.front().remedy.empty());
  return issues.front();
}

void refuses(const std::string& field, const std::string& query) {
  const Issue issue = only_issue(query);
  CAPTURE(query, issue.message);
  CHECK(issue.field == field);
  CHECK(issue.severity == Severity::error);
}

void warns(const std::string& field, const std::string& query) {
  const Issue issue = only_issue(query);
  CAPTURE(query, issue.message);
  CHECK(issue.field == field);
  CHECK(issue.severity == Severity::warning);
}

void accepts(const std::string& query) {
  CAPTURE(query);
  CHECK(issues_of(query).empty());
}

const std::string kTrain = "model=llama-3-8b&task=finetune&";
const std::string kExperts = "model=mixtral-8x7b&task=finetune&";

} // namespace

TEST_CASE("stages divide the layers that no number is stated for") {
  accepts(kTrain + "pipeline_parallel=4");
  refuses("pipeline_parallel", kTrain + "pipeline_parallel=64");
  refuses("pipeline_parallel", kTrain + "pipeline_parallel=5");
  accepts(kTrain + "pipeline_parallel=5&first_stage_layers=8"); // 24 over 4
  accepts(kTrain + "pipeline_parallel=4&first_stage_layers=7&last_stage_layers=5"); // 20 over 2
  refuses("first_stage_layers", kTrain + "pipeline_parallel=5&first_stage_layers=7");
  refuses("first_stage_layers", kTrain + "pipeline_parallel=4&first_stage_layers=31");
  refuses("last_stage_layers", kTrain + "pipeline_parallel=4&last_stage_layers=40");
  refuses("first_stage_layers", kTrain + "pipeline_parallel=2&first_stage_layers=10&last_stage_layers=10");
  accepts(kTrain + "pipeline_parallel=2&first_stage_layers=12&last_stage_layers=20");
  accepts(kTrain + "pipeline_parallel=17&embedding_in_split=true&loss_in_split=true"); // 34 over 17
  refuses("pipeline_parallel", kTrain + "pipeline_parallel=4&embedding_in_split=true");
}

TEST_CASE("chunks divide the layers of every stage, and only 1F1B interleaves them") {
  const std::string piped = kTrain + "pipeline_parallel=4&micro_batches=8&";
  accepts(piped + "virtual_stages=8");
  refuses("virtual_stages", piped + "virtual_stages=3");
  refuses("virtual_stages", piped + "virtual_stages=2&first_stage_layers=5&last_stage_layers=5&pipeline_schedule=1f1b");
  refuses("virtual_stages", piped + "virtual_stages=2&pipeline_schedule=gpipe");
  refuses("virtual_stages", kTrain + "virtual_stages=2");
}

TEST_CASE("interleaved micro-batches come in groups of at least as many as stages") {
  const std::string interleaved = kTrain + "pipeline_parallel=4&virtual_stages=2&";
  accepts(interleaved + "micro_batches=4");
  refuses("micro_batches", interleaved + "micro_batches=2");
  refuses("micro_batches", interleaved + "micro_batches=6");
  accepts(interleaved + "micro_batches=11&microbatch_group=7"); // a last group of 4
  refuses("micro_batches", interleaved + "micro_batches=9&microbatch_group=7");
  refuses("microbatch_group", interleaved + "micro_batches=8&microbatch_group=2");
  refuses("microbatch_group", interleaved + "micro_batches=8&microbatch_group=16");
  accepts(kTrain + "pipeline_parallel=4&micro_batches=6"); // not interleaved
}

TEST_CASE("DualPipe needs an even number of stages") {
  accepts(kTrain + "pipeline_parallel=4&pipeline_schedule=dualpipe");
  refuses("pipeline_schedule", "model=llama-3.2-3b&task=finetune&pipeline_parallel=7&pipeline_schedule=dualpipe"); // 28 layers
}

TEST_CASE("experts are divided evenly, by groups of which a stage's GPUs can be made") {
  accepts(kExperts + "expert_parallel=8&data_parallel=8");
  refuses("expert_parallel", kExperts + "expert_parallel=3&data_parallel=3");
  refuses("expert_parallel", kExperts + "expert_parallel=8&data_parallel=4");
  accepts(kExperts + "expert_parallel=4&expert_tensor_parallel=1&tensor_parallel=2&data_parallel=2");
  refuses("expert_parallel", kExperts + "expert_parallel=4&tensor_parallel=2&data_parallel=2"); // 4 × 2 of 4
  refuses("expert_parallel", kTrain + "expert_parallel=8&data_parallel=8");
}

TEST_CASE("shard groups divide the GPUs that hold copies") {
  const std::string sharded = kTrain + "data_parallel=4&context_parallel=2&sharding=parameters&";
  accepts(sharded + "shard_group=4&secondary_group=2");
  refuses("shard_group", sharded + "shard_group=3");
  refuses("secondary_group", sharded + "secondary_group=16");
  warns("secondary_group", kTrain + "data_parallel=4&sharding=gradients&secondary_group=2");
  warns("reshard_after_forward", kTrain + "data_parallel=4&sharding=gradients&reshard_after_forward=false");
  warns("shard_group", kTrain + "data_parallel=4&shard_group=2");
  warns("sharding", kTrain + "sharding=optimizer");
  accepts(kTrain + "sharding=optimizer&context_parallel=2"); // copies of the weights, too
}

TEST_CASE("a context that a ring cannot divide into equal chunks is a warning") {
  accepts(kTrain + "context_parallel=4&context_tokens=4096");
  warns("context_parallel", kTrain + "context_parallel=4&context_tokens=4092"); // 4 chunks, but not 8
  accepts(kTrain + "context_parallel=4&context_tokens=4092&context_method=all_gather");
  warns("context_parallel", kTrain + "context_parallel=4&context_tokens=4095&context_method=ulysses");
}

TEST_CASE("numbers, optimizer and recomputation that do not go together are refused") {
  accepts(kTrain + "fp8=compute");
  refuses("fp8", kTrain + "fp8=compute&precision=fp32");
  accepts(kTrain + "optimizer_in_backward=true");
  refuses("optimizer_in_backward", kTrain + "optimizer_in_backward=true&micro_batches=2");
  accepts(kTrain + "recompute=block&recompute_layers=32");
  refuses("recompute_layers", kTrain + "recompute=block&recompute_layers=33");
}

TEST_CASE("an adapter is narrower than the model, and learned tokens need positions") {
  accepts(kTrain + "method=lora&rank=4096");
  refuses("rank", kTrain + "method=lora&rank=4097");
  const std::string gpt_2 = "model=gpt-2-124m&task=finetune&method=prompt";
  accepts(gpt_2); // the default context leaves room
  accepts(gpt_2 + "&context_tokens=1004");
  refuses("virtual_tokens", gpt_2 + "&context_tokens=1005");
  accepts("model=gpt-2-124m&task=finetune&method=lora&context_tokens=1024");
}

TEST_CASE("a value that other inputs leave without effect gets a warning") {
  warns("sequence_parallel", kTrain + "sequence_parallel=true");
  accepts(kTrain + "sequence_parallel=true&tensor_parallel=2");
  warns("optimizer_rank", kTrain + "optimizer_rank=64");
  accepts(kTrain + "optimizer_rank=64&optimizer=galore");
  warns("rank", kTrain + "rank=64");
  warns("pipeline_schedule", kTrain + "pipeline_schedule=gpipe");
  const io::Answer answer = io::answer_query(test::catalog(), kTrain);
  CHECK(answer.find_field("sequence_parallel")->idle);
  CHECK(!answer.find_field("tensor_parallel")->idle);
  CHECK(!io::answer_query(test::catalog(), kTrain + "tensor_parallel=2").find_field("sequence_parallel")->idle);
  for (const Field& field : fields()) {
    if (field.needs.holds == nullptr) continue;
    INFO(field.name);
    CHECK(!remedy_of(field).empty());
    // The default is never worth a warning: forms would open with one.
    CHECK(std::ranges::none_of(answer.issues, [&](const Issue& issue) { return issue.field == field.name; }));
  }
}

TEST_CASE("what the task does not ask is not checked") {
  const Issues issues = issues_of("model=llama-3-8b&pipeline_parallel=5&sharding=optimizer");
  CHECK(std::ranges::all_of(issues, [](const Issue& issue) { return issue.severity == Severity::note; }));
}

TEST_CASE("a mean length fits the context, and sequences share a row where the kernel is told where each begins") {
  accepts(kTrain + "batching=packed");
  accepts(kTrain + "batching=padding_free&mean_tokens=512");
  accepts(kTrain + "mean_tokens=4096");
  refuses("mean_tokens", kTrain + "mean_tokens=4097");
  refuses("mean_tokens", kTrain + "mean_tokens=-1");
  warns("mean_tokens", kTrain + "batching=packed&mean_tokens=512");
  accepts(kTrain + "batching=padding_free&attention=cudnn");
  refuses("batching", kTrain + "batching=padding_free&attention=eager");
  refuses("batching", kTrain + "batching=padding_free&attention=fused_softmax");
  refuses("batching", kTrain + "batching=padding_free&profile=megatron_local"); // whose own kernel keeps the softmax
  accepts(kTrain + "batching=padding_free&profile=megatron_local&attention=flash");
  refuses("batching", kTrain + "batching=padding_free&precision=fp32");
  refuses("batching", "model=t5-small&task=finetune&batching=padding_free");
}
