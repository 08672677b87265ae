#include "plimsoll/method/sharding.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

LayerGroup group_of(const Layer& layer) {
  Architecture architecture;
  architecture.layers = {layer};
  return make_model(architecture).groups.front();
}

LayerShare share(std::int64_t query_heads, std::int64_t kv_heads, std::int64_t degree) {
  Layer layer;
  layer.attention = {.query_heads = Count{query_heads}, .kv_heads = Count{kv_heads}, .head_dim = Count{128}};
  layer.mlp.intermediate_size = Count{14336};
  Strategy strategy;
  strategy.tensor_parallel = degree;
  return layer_share(group_of(layer), strategy);
}

} // namespace

TEST_CASE("heads and MLP channels are split") {
  const LayerShare half = share(32, 8, 2);
  CHECK(half.query_heads == Count{16});
  CHECK(half.query_width == Count{16 * 128});
  CHECK(half.key_width == Count{4 * 128});
  CHECK(half.intermediate == Count{7168});
}

TEST_CASE("KV heads are copied when there are more GPUs than heads") {
  CHECK(share(64, 8, 8).key_width == Count{128});
  CHECK(share(64, 8, 16).key_width == Count{128});
  CHECK(share(64, 8, 16).query_heads == Count{4});
}

TEST_CASE("the vocabulary is padded to equal shares") {
  Tensor table;
  table.rows = table.units = Count{50257};
  table.columns = Count{768};
  table.split = Split::rows;
  Strategy strategy;
  strategy.tensor_parallel = 4;
  CHECK(tensor_share(table, strategy).rows == Count{12565});
  CHECK(tensor_share(table, strategy).columns == Count{768});
  CHECK(tensor_share(table, kUnsharded).rows == Count{50257});
}

TEST_CASE("the latent vector of latent attention is cached whole on every GPU") {
  Layer layer;
  layer.latent = {.heads = Count{128}, .query_rank = Count{1536}, .kv_rank = Count{512}, .nope_dim = Count{128}, .rope_dim = Count{64},
                  .value_dim = Count{128}};
  const LayerGroup group = group_of(layer);
  Strategy strategy;
  strategy.tensor_parallel = 8;
  CHECK(layer_share(group, strategy).query_heads == Count{16});
  CHECK(layer_share(group, strategy).cached_width == Count{576});
  CHECK(layer_share(group, kUnsharded).cached_width == Count{576});
}

TEST_CASE("the GPUs of a strategy are its degrees multiplied") {
  Strategy strategy;
  strategy.tensor_parallel = 4, strategy.data_parallel = 8;
  CHECK(gpu_count(strategy) == Count{32});
  CHECK(has_replicas(strategy));
  CHECK(!has_replicas(kUnsharded));
}

TEST_CASE("tokens of a micro-batch: padded and packed rows are as long as the longest sequence, a row without padding as all together") {
  const Strategy one, halves = [] {
    Strategy strategy;
    strategy.context_parallel = 2;
    return strategy;
  }();
  const auto tokens = [](Batching batching, std::int64_t mean, const Strategy& strategy) {
    Workload workload{.task = Task::finetune, .context_tokens = 4096, .batch = 4};
    workload.batching = batching, workload.mean_tokens = mean;
    return token_share(workload, strategy).inside.value;
  };
  CHECK(tokens(Batching::padded, 1000, one) == 4 * 4096);
  CHECK(tokens(Batching::packed, 0, one) == 4 * 4096);
  CHECK(tokens(Batching::padding_free, 1000, one) == 4096 + 3 * 1000); // the batch that has the longest sequence
  CHECK(tokens(Batching::padding_free, 0, one) == 4 * 4096);
  CHECK(tokens(Batching::padding_free, 4096, one) == 4 * 4096);
  CHECK(tokens(Batching::padding_free, 1001, halves) == 2048 + 3 * 501); // each sequence is divided by itself
  Workload work{.task = Task::finetune, .context_tokens = 4096, .batch = 4};
  work.batching = Batching::padding_free, work.mean_tokens = 1001;
  CHECK(sequence_tokens(work) == Count{4096 + 3 * 1001}); // what keys and values are gathered of
}
