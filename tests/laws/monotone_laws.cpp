// More work never needs less memory, and sharing it never needs more.
#include "plimsoll/method/explain.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

Bytes at(Moment moment, const std::string& query) {
  const Estimate estimate = test::answer_to(query).estimate;
  for (std::size_t i = 0; i < estimate.moments.size(); ++i)
    if (estimate.moments[i].moment == moment) return estimate.moments[i].total;
  return Bytes{0};
}

Bytes at_step(const std::string& query) { return at(Moment::optimizer_step, query); }

/// The inputs of layers that run again, of whichever group.
Bytes layer_inputs(const Component& tree) {
  if (tree.id.starts_with("memory.activations.checkpoints")) return Bytes{tree.amount};
  Bytes sum;
  for (const Component& part : tree.parts) sum += layer_inputs(part);
  return sum;
}

Bytes peak(const std::string& query) { return test::answer_to(query).estimate.at_peak().total; }

std::string value_of(const std::string& query, const char* field) {
  const io::Answer answer = test::answer_to(query);
  return text_of(*find_field(field), find_field(field)->get(answer.inputs));
}

std::string times(const std::string& number, std::int64_t factor) { return std::to_string(std::stoll(number) * factor); }

} // namespace

TEST_CASE("a larger batch never needs less") {
  for (const std::string& query : test::valid_queries(100)) {
    INFO(query);
    CHECK(peak(query) <= peak(test::with(query, "batch", times(value_of(query, "batch"), 2))));
  }
}

TEST_CASE("a longer context never needs less") {
  for (const std::string& query : test::valid_queries(100)) {
    INFO(query);
    const bool has_means = query.find("lengths=sharegpt") != std::string::npos; // of 499 tokens in all
    const std::string shorter = test::with(query, "context_tokens", has_means ? "499" : "64");
    const std::int64_t positions = test::answer_to(shorter).inputs.model.learned_positions.value; // CLIP has a table of 77
    CHECK(peak(shorter) <= peak(test::with(query, "context_tokens", positions > 0 && positions < 512 ? "72" : "512")));
  }
}

TEST_CASE("sequences without padding never need more than padded ones, and no less when all are as long as the longest") {
  int compared = 0;
  for (const std::string& query : test::valid_queries(100)) {
    const std::string long_ones = test::with(query, "context_tokens", "512"), padded = test::with(long_ones, "batching", "padded");
    const std::string row = test::with(long_ones, "batching", "padding_free");
    if (!io::answer_query(test::catalog(), row).ok || !trains(test::answer_to(padded).inputs.workload.task)) continue;
    INFO(query);
    const std::string same = test::with(row, "mean_tokens", "512"), shorter = test::with(row, "mean_tokens", "100");
    CHECK(peak(shorter) <= peak(same));
    CHECK(peak(same) <= peak(padded));
    const bool copies_layouts = test::answer_to(padded).scenario.profile.training.attention.output_copies.value > 0;
    if (!copies_layouts) CHECK(peak(same) == peak(padded));
    const std::string alone = test::with(shorter, "batch", "1");
    const bool pairs = test::answer_to(alone).scenario.workload.batch > 1; // of a preference method
    if (!pairs) CHECK(peak(alone) == peak(test::with(same, "batch", "1"))); // the longest comes alone
    ++compared;
  }
  CHECK(compared > 100);
}

TEST_CASE("packed rows are as padded ones, but for a mask where the kernel makes scores") {
  for (const std::string base : {"model=llama-3-8b&task=finetune&batch=2&context_tokens=512", "model=gpt-2-124m&task=pretrain&batch=2&context_tokens=512"})
    for (const Choice& kernel : find_field("attention")->choices) {
      const std::string query = base + "&attention=" + std::string{kernel.name};
      INFO(query);
      const bool scores = kernel.name == "eager" || kernel.name == "fused_softmax";
      const Bytes mask = Count{2 * 512 * 512} * Bytes{kernel.name == "eager" ? 2 : 1};
      CHECK(at(Moment::forward_end, query + "&batching=packed") - at(Moment::forward_end, query) == (scores ? mask : Bytes{0}));
    }
}

TEST_CASE("splitting a replica over more GPUs never needs more on any of them") {
  for (const std::string& query : test::valid_queries(100)) {
    INFO(query);
    const std::string one = test::with(query, "tensor_parallel", "1"), two = test::with(query, "tensor_parallel", "2");
    if (!io::answer_query(test::catalog(), two).ok || !io::answer_query(test::catalog(), one).ok) continue;
    // Two GPUs need communicators, outside the framework's allocator. SOAP has no matrix for a side of more than 10,000 numbers, and one
    // for each half of it.
    if (test::answer_to(one).scenario.strategy.optimizer == Optimizer::soap) continue;
    CHECK(test::answer_to(two).estimate.at_peak().requested < test::answer_to(one).estimate.at_peak().requested);
    CHECK(test::answer_to(two).facts.parameters_per_gpu < test::answer_to(one).facts.parameters_per_gpu);
    CHECK(test::answer_to(two).facts.parameters == test::answer_to(one).facts.parameters);
  }
}

TEST_CASE("what is split or copied adds up to at least the whole") {
  for (const std::string& query : test::valid_queries(100)) {
    const io::Answer answer = test::answer_to(query);
    const std::int64_t stages = answer.scenario.strategy.pipeline_parallel;
    Count held;
    for (std::int64_t rank = 0; rank < stages; ++rank) held += facts_of(answer.scenario, rank).parameters_per_gpu;
    INFO(query);
    CHECK(answer.estimate.gpus * held >= Count{stages} * answer.facts.parameters);
  }
}

TEST_CASE("recomputing never needs more than the one layer input that a layer otherwise drops") {
  // Where the first layer's backward is the peak there is nothing left to save, and eager norms keep an fp32 copy beside it.
  for (const std::string& query : test::valid_queries(0))
    for (const char* const choice : {"full", "selective", "every_k", "per_op", "offloaded"}) { // not segments of layers, which run again at once
      const std::string kept = test::with(query, "recompute", "none"), again = test::with(query, "recompute", choice);
      if (std::string_view{choice} == "offloaded" && !test::answer_to(kept).scenario.profile.training.offload.inputs) continue; // which the framework has not
      const io::Answer answer = test::answer_to(again);
      if (!trains(answer.inputs.workload.task)) continue;
      const Component first = explain_moment(answer.scenario, Moment::first_layer_backward);
      INFO(again);
      CHECK(answer.estimate.at_peak().total <= peak(kept) + layer_inputs(first));
    }
}

TEST_CASE("wider numbers never need less") {
  for (const io::ModelRow& model : test::catalog().models()) {
    const std::string serve = "model=" + model.id, train = serve + "&task=finetune";
    INFO(model.id);
    const Bytes narrow = peak(serve + "&kv_dtype=fp8"), middle = peak(serve + "&kv_dtype=bf16"), wide = peak(serve + "&kv_dtype=fp32");
    const bool caches = test::answer_to(serve).facts.kv_cache_per_token > Bytes{0}; // encoders and state spaces do not
    CHECK((caches ? narrow < middle : narrow <= middle));
    CHECK((caches ? middle < wide : middle <= wide));
    CHECK(peak(serve + "&weight_dtype=fp16") < peak(serve + "&weight_dtype=fp32"));
    CHECK(peak(train + "&precision=bf16") < peak(train + "&precision=fp32"));
    CHECK(peak(train + "&precision=bf16") < peak(train + "&precision=mixed_bf16"));
    CHECK(peak(train + "&optimizer=sgd") <= peak(train + "&optimizer=sgd_momentum"));
    // The fused step keeps small counters on the GPU, and makes no copies.
    CHECK(at_step(train + "&optimizer=adamw_fused") <= at_step(train + "&optimizer=adamw_foreach"));
  }
}

TEST_CASE("a higher rank never needs less, more adapters and more virtual tokens neither") {
  for (const Choice& method : find_field("method")->choices) {
    const std::string query = "model=llama-3-8b&task=finetune&method=" + std::string{method.name};
    INFO(query);
    if (method.name == "randlora") continue; // its rank is the size of one of its bases: the larger, the fewer
    for (const char* const field : {"rank", "virtual_tokens", "adapters", "adapter_vectors", "coefficients"})
      CHECK(peak(query + "&" + field + "=8") <= peak(query + "&" + field + "=16"));
  }
}

TEST_CASE("frozen weights, their gradients and states never need more than those that train") {
  for (const io::ModelRow& model : test::catalog().models()) {
    const std::string train = "model=" + model.id + "&task=finetune";
    const auto at_step = [](const std::string& query) {
      const Component tree = explain_moment(test::answer_to(query).scenario, Moment::optimizer_step);
      return Bytes{find_component(tree, "memory.weights")->amount};
    };
    INFO(model.id);
    const io::Answer lora = test::answer_to(train + "&method=lora&rank=1");
    CHECK(lora.estimate.at_peak().parts[static_cast<std::size_t>(Part::optimizer)] <=
          test::answer_to(train).estimate.at_peak().parts[static_cast<std::size_t>(Part::optimizer)]);
    CHECK(at_step(train + "&method=norms&weight_dtype=bf16") == at_step(train));
    CHECK(at_step(train + "&method=norms&weight_dtype=nf4") <= at_step(train + "&method=norms&weight_dtype=int8_bnb"));
  }
}

TEST_CASE("the device changes what fits, never what is needed besides its runtime") {
  for (const io::DeviceRow& device : test::catalog().devices()) {
    const std::string query = "model=llama-3-8b&device=" + device.hardware.id;
    INFO(query);
    const Estimate estimate = test::answer_to(query).estimate, standard = test::answer_to("model=llama-3-8b").estimate;
    const auto runtime = static_cast<std::size_t>(Part::runtime);
    CHECK(estimate.usable == Bytes{device.hardware.usable_bytes});
    CHECK(estimate.at_peak().total - estimate.at_peak().parts[runtime] == standard.at_peak().total - standard.at_peak().parts[runtime]);
  }
}
