#include "dense_decoder.hpp"
#include "plimsoll/method/parameters.hpp"
#include "plimsoll/method/sharding.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;
using test::DenseDecoder;
using test::model_of;

namespace {

std::int64_t count(const DenseDecoder& spec) { return count_parameters(model_of(spec)).value; }

/// A model small enough to count by hand: width 8, one layer, 2 heads of 4, MLP 16, 10 words.
DenseDecoder tiny() {
  DenseDecoder spec;
  spec.hidden_size = 8, spec.layers = 1, spec.query_heads = 2, spec.kv_heads = 1, spec.head_dim = 4;
  spec.intermediate_size = 16, spec.vocab_size = 10;
  return spec;
}

constexpr std::int64_t kTiny = 8 * 10            // embedding
                               + 8 * 8 + 2 * 8 * 4 + 8 * 8 // query, key and value, output
                               + 3 * 8 * 16       // gate, up, down
                               + 2 * 8 + 8        // two norms and the final one
                               + 8 * 10;          // head

} // namespace

TEST_CASE("a tiny model, counted by hand") { CHECK(count(tiny()) == kTiny); }

TEST_CASE("each fact of a model adds exactly its own tensors") {
  const auto changed = [](auto change) {
    DenseDecoder spec = tiny();
    change(spec);
    return count(spec) - kTiny;
  };
  CHECK(changed([](DenseDecoder& m) { m.tied_embeddings = true; }) == -80);
  CHECK(changed([](DenseDecoder& m) { m.head_bias = true; }) == 10);
  CHECK(changed([](DenseDecoder& m) { m.tied_embeddings = true, m.head_bias = true; }) == -80 + 10);
  CHECK(changed([](DenseDecoder& m) { m.learned_positions = 5; }) == 40);
  CHECK(changed([](DenseDecoder& m) { m.qkv_bias = true; }) == 8 + 4 + 4);
  CHECK(changed([](DenseDecoder& m) { m.output_bias = true; }) == 8);
  CHECK(changed([](DenseDecoder& m) { m.mlp_bias = true; }) == 16 + 16 + 8);
  CHECK(changed([](DenseDecoder& m) { m.mlp_kind = MlpKind::plain; }) == -8 * 16);
  CHECK(changed([](DenseDecoder& m) { m.mlp_kind = MlpKind::plain, m.mlp_bias = true; }) == -8 * 16 + 16 + 8);
  CHECK(changed([](DenseDecoder& m) { m.norm = NormKind::layernorm; }) == 3 * 8);
  CHECK(changed([](DenseDecoder& m) { m.norms_per_layer = 4; }) == 2 * 8);
  CHECK(changed([](DenseDecoder& m) { m.qk_norm = QkNorm::per_head; }) == 2 * 4);
  CHECK(changed([](DenseDecoder& m) { m.kv_heads = 2; }) == 2 * 8 * 4);
  CHECK(changed([](DenseDecoder& m) { m.layers = 2, m.sliding_layers = 1, m.sliding_window = 4; }) ==
        8 * 8 + 2 * 8 * 4 + 8 * 8 + 3 * 8 * 16 + 2 * 8);
}

TEST_CASE("on two GPUs matrices are halved; norms, positions and row-parallel biases are whole") {
  DenseDecoder spec = tiny();
  spec.kv_heads = 2, spec.output_bias = true, spec.qkv_bias = true, spec.learned_positions = 3;
  Strategy two;
  two.tensor_parallel = 2;
  const std::int64_t halved = 8 * 5 + 8 * 4 + 2 * 8 * 4 + 4 * 8 + 3 * 8 * 8 + (4 + 4 + 4) + 8 * 5;
  const std::int64_t whole = 3 * 8 + 3 * 8 + 8;
  const Model model = model_of(spec);
  CHECK(parameters_per_gpu(model, two, Stage{model, two, {}, 0}) == Count{halved + whole});
}

namespace {

/// Parameters of one layer of `layer` and nothing else, and those that one token meets.
struct OneLayer {
  std::int64_t all, active;
};
OneLayer layer_of(const Layer& layer, std::int64_t hidden) {
  Architecture architecture;
  architecture.hidden_size = Count{hidden};
  architecture.vocab_size = Count{0};
  architecture.final_norm = false;
  architecture.layers = {layer};
  const Model model = make_model(architecture);
  return {count_parameters(model).value, count_active_parameters(model).value};
}

} // namespace

TEST_CASE("latent attention of DeepSeek-V3 has 187,105,280 numbers in its matrices and 2,048 in its norms") {
  Layer layer;
  layer.norms = Count{0};
  layer.latent = {.heads = Count{128}, .query_rank = Count{1536}, .kv_rank = Count{512}, .nope_dim = Count{128},
                  .rope_dim = Count{64}, .value_dim = Count{128}};
  CHECK(layer_of(layer, 7168).all == 187'105'280 + 2'048);
}

TEST_CASE("experts, shared experts and router of one DeepSeek-V3 layer; a token meets 8 of 256") {
  Layer layer;
  layer.norms = Count{0};
  layer.moe = {.experts = Count{256}, .per_token = Count{8}, .expert_size = Count{2048}, .shared_size = Count{2048}, .correction_bias = true};
  const std::int64_t expert = 3 * 7168 * 2048, router = 7168 * 256 + 256;
  CHECK(layer_of(layer, 7168).all == 257 * expert + router);
  CHECK(layer_of(layer, 7168).active == 9 * expert + router);
}

TEST_CASE("one layer of Mamba-2 2.7B") {
  Layer layer;
  layer.norms = Count{1};
  layer.recurrence = Mamba2{.heads = Count{80}, .head_dim = Count{64}, .state = Count{128}, .groups = Count{1}};
  const std::int64_t h = 2560, inner = 5120, mixed = inner + 2 * 128;
  CHECK(layer_of(layer, h).all == h * (2 * inner + 2 * 128 + 80) + mixed * 5 + 3 * 80 + inner + inner * h + h);
}

TEST_CASE("equal layers are one group wherever they stand") {
  test::DenseDecoder spec;
  spec.layers = 6, spec.sliding_layers = 3, spec.sliding_window = 16;
  Architecture architecture = test::architecture_of(spec);
  std::swap(architecture.layers[0], architecture.layers[5]);
  const Model model = make_model(architecture);
  REQUIRE(model.groups.size() == 2);
  CHECK(model.pattern == std::vector<std::uint16_t>{0, 1, 1, 0, 0, 1});
  CHECK(model.groups[0].id == "sliding");
  CHECK(model.groups[0].layers == Count{3});
  CHECK(model.groups[1].id == "full");
}
