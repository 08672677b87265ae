// Dividing training states among GPUs: what holds for every model and framework.
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

const std::vector<std::string> kModels{"llama-3-8b", "gpt-2-124m", "mixtral-8x7b", "gemma-2-9b", "qwen3-0.6b", "mamba-2-2.7b"};
const std::vector<std::string> kSharding{"none", "optimizer", "gradients", "parameters"};

std::vector<std::string> training_profiles() {
  std::vector<std::string> ids;
  for (const io::Catalog::ProfileRow& row : test::catalog().profiles())
    if (row.for_training) ids.push_back(row.id);
  return ids;
}

/// Weights, gradients and optimizer states that stay for the step; not what is made on the way.
std::int64_t states(const std::string& query) {
  const io::Answer answer = test::answer_to(query);
  const Component tree = explain_moment(answer.scenario, Moment::optimizer_step);
  const auto amount = [&](const char* id) {
    const Component* found = find_component(tree, id);
    return found == nullptr ? 0 : found->amount;
  };
  return amount("memory.weights") + amount("memory.gradients") + amount("memory.optimizer") - amount("memory.weights.persistent") -
         amount("memory.optimizer.step_gradients") - amount("memory.optimizer.step_copies");
}

} // namespace

TEST_CASE("each stage of sharding keeps at most what the stage before keeps, and more GPUs never keep more") {
  for (const std::string& profile : training_profiles())
    for (const std::string& model : kModels) {
      const std::string query = "model=" + model + "&task=pretrain&profile=" + profile + "&precision=master_bf16&data_parallel=";
      std::int64_t before = states(query + "8&sharding=none");
      for (const std::string& stage : kSharding) {
        INFO(query + "8&sharding=" + stage);
        const std::int64_t eight = states(query + "8&sharding=" + stage);
        CHECK(eight <= before);
        CHECK(states(query + "16&sharding=" + stage) <= eight);
        if (stage == "parameters") CHECK(eight < before);
        before = eight;
      }
    }
}

TEST_CASE("every divisor of the GPUs is a shard group, and a larger group never keeps more") {
  for (const char* profile : {"fsdp2", "deepspeed"}) {
    const std::string query = std::string{"model=llama-3-8b&task=pretrain&sharding=parameters&data_parallel=24&profile="} + profile;
    std::int64_t before = states(query + "&shard_group=1");
    for (const char* group : {"2", "3", "4", "6", "8", "12", "24"}) {
      INFO(profile << " " << group);
      const std::int64_t now = states(query + "&shard_group=" + group);
      CHECK(now < before);
      before = now;
    }
    CHECK(before == states(query));
    CHECK(!io::answer_query(test::catalog(), query + "&shard_group=5").ok);
  }
}

TEST_CASE("offloading moves states to the host: never more on the device, something on the host") {
  for (const std::string& profile : training_profiles())
    for (const char* offload : {"optimizer", "parameters"}) {
      const std::string query = "model=llama-3-8b&task=pretrain&precision=master_bf16&recompute=full&profile=" + profile; // one program offloads activations by itself
      INFO(query << " " << offload);
      const io::Answer moved = test::answer_to(query + "&offload=" + offload);
      CHECK(states(query + "&offload=" + offload) < states(query));
      CHECK(moved.estimate.host > Bytes{0});
      CHECK(test::answer_to(query).estimate.host == Bytes{0});
    }
}

TEST_CASE("stepping in the backward pass, and dropping layers between the passes, never need more") {
  for (const std::string& model : kModels) {
    const std::string base = "model=" + model + "&task=pretrain&optimizer=sgd_momentum";
    const auto peak = [](const std::string& query) { return test::answer_to(query).estimate.at_peak().total; };
    INFO(base);
    CHECK(peak(base + "&optimizer_in_backward=true") <= peak(base));
    const std::string shards = "model=" + model + "&task=pretrain&profile=fsdp2&sharding=parameters&data_parallel=8&precision=sharded_bf16";
    CHECK(peak(shards) <= peak(shards + "&reshard_after_forward=false"));
  }
}
