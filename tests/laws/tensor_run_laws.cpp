// What a GPU holds of a run of tensors is what it holds of each of them, however both are divided.
#include "plimsoll/method/sharding.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>

using namespace plimsoll;

namespace {

/// Sizes with few factors of two, experts, a shared expert, biases.
Model odd_model() {
  Architecture architecture;
  architecture.hidden_size = Count{96};
  architecture.vocab_size = Count{50257};
  architecture.head_bias = true;
  Layer layer;
  layer.norms = Count{2};
  layer.attention = {.query_heads = Count{24}, .kv_heads = Count{6}, .head_dim = Count{4}, .qkv_bias = true};
  layer.mlp.intermediate_size = Count{344};
  architecture.layers.assign(2, layer);
  layer.mlp.intermediate_size = Count{0};
  layer.moe = {.experts = Count{12}, .per_token = Count{2}, .expert_size = Count{88}, .shared_size = Count{124}};
  architecture.layers.push_back(layer);
  return make_model(architecture);
}

/// Of the tensors from the run's first to its last that are of its kind and group: all of them are.
HeldTensor one_by_one(const Model& model, const TensorRun& run, const Strategy& strategy) {
  HeldTensor sum;
  for (std::size_t i = run.first; i < run.last; ++i) {
    const Tensor& tensor = model.tensors[i].tensor;
    if (tensor.kind != run.kind || model.tensors[i].group != run.group) continue;
    sum.copies += copies_per_gpu(tensor, strategy);
    sum.numbers += elements_per_gpu(tensor, strategy);
  }
  return sum;
}

void check_order(const Model& model) {
  std::size_t next = 0;
  for (const TensorRun& run : model.tensors.runs()) {
    CHECK(run.first == next);
    CHECK(run.last > run.first);
    next = run.last;
  }
  CHECK(next == model.tensors.size());
}

void check(const Model& model, const Strategy& strategy) {
  for (const TensorRun& run : model.tensors.runs()) {
    const HeldTensor held = held_per_gpu(model.tensors, run, strategy), sum = one_by_one(model, run, strategy);
    if (held.copies == sum.copies && held.numbers == sum.numbers) continue;
    FAIL_CHECK(strategy.tensor_parallel << " x " << strategy.expert_parallel << ", experts and MLPs by " << strategy.dense_tensor_parallel << ", vocabulary in "
                                        << strategy.vocab_multiple << ": the run at " << run.first << " has " << held.numbers.value << ", its tensors " << sum.numbers.value);
  }
}

void check_all_degrees(const Model& model) {
  check_order(model);
  for (const std::int64_t tensor : {1, 2, 3, 4, 6, 8, 16, 64})
    for (const std::int64_t experts : {1, 2, 3, 4, 8, 256})
      for (const std::int64_t dense : {0, 1, 2})
        for (const std::int64_t multiple : {1, 64, 128}) {
          Strategy strategy;
          strategy.tensor_parallel = tensor;
          strategy.expert_parallel = experts;
          strategy.expert_tensor_parallel = strategy.dense_tensor_parallel = dense;
          strategy.vocab_multiple = multiple;
          check(model, strategy);
        }
}

} // namespace

TEST_CASE("a GPU holds of a run what it holds of its tensors: sizes that hardly halve") { check_all_degrees(odd_model()); }

TEST_CASE("a GPU holds of a run what it holds of its tensors: every model of the catalogue") {
  for (const io::ModelRow& row : test::catalog().models()) {
    INFO(row.id);
    check_all_degrees(*io::import_model(row).model);
  }
}

TEST_CASE("a GPU holds of a run what it holds of its tensors: beyond the range") {
  Model model = odd_model();
  model.tensors.edit([](std::vector<ModelTensor>& tensors) {
    tensors.front().tensor.rows = Count{std::int64_t{1} << 62};
    tensors.back().tensor.copies = Count{Count::kMax};
    tensors[2].tensor.units = Count{0};
  });
  check_all_degrees(model);
}
