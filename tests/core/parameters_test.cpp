#include "plimsoll/parameters.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

std::int64_t count(const ModelSpec& spec) { return count_parameters(model_of(spec)).value; }

/// A model small enough to count by hand: width 8, one layer, 2 heads of 4, MLP 16, 10 words.
ModelSpec tiny() {
  ModelSpec spec;
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
    ModelSpec spec = tiny();
    change(spec);
    return count(spec) - kTiny;
  };
  CHECK(changed([](ModelSpec& m) { m.tied_embeddings = true; }) == -80);
  CHECK(changed([](ModelSpec& m) { m.head_bias = true; }) == 10);
  CHECK(changed([](ModelSpec& m) { m.tied_embeddings = true, m.head_bias = true; }) == -80 + 10);
  CHECK(changed([](ModelSpec& m) { m.learned_positions = 5; }) == 40);
  CHECK(changed([](ModelSpec& m) { m.qkv_bias = true; }) == 8 + 4 + 4);
  CHECK(changed([](ModelSpec& m) { m.output_bias = true; }) == 8);
  CHECK(changed([](ModelSpec& m) { m.mlp_bias = true; }) == 16 + 16 + 8);
  CHECK(changed([](ModelSpec& m) { m.mlp_kind = MlpKind::plain; }) == -8 * 16);
  CHECK(changed([](ModelSpec& m) { m.mlp_kind = MlpKind::plain, m.mlp_bias = true; }) == -8 * 16 + 16 + 8);
  CHECK(changed([](ModelSpec& m) { m.norm = NormKind::layernorm; }) == 3 * 8);
  CHECK(changed([](ModelSpec& m) { m.norms_per_layer = 4; }) == 2 * 8);
  CHECK(changed([](ModelSpec& m) { m.qk_norm = QkNorm::per_head; }) == 2 * 4);
  CHECK(changed([](ModelSpec& m) { m.kv_heads = 2; }) == 2 * 8 * 4);
  CHECK(changed([](ModelSpec& m) { m.layers = 2, m.sliding_layers = 1, m.sliding_window = 4; }) ==
        8 * 8 + 2 * 8 * 4 + 8 * 8 + 3 * 8 * 16 + 2 * 8);
}

TEST_CASE("on two GPUs matrices are halved; norms, positions and row-parallel biases are whole") {
  ModelSpec spec = tiny();
  spec.kv_heads = 2, spec.output_bias = true, spec.qkv_bias = true, spec.learned_positions = 3;
  Strategy two;
  two.tensor_parallel = 2;
  const std::int64_t halved = 8 * 5 + 8 * 4 + 2 * 8 * 4 + 4 * 8 + 3 * 8 * 8 + (4 + 4 + 4) + 8 * 5;
  const std::int64_t whole = 3 * 8 + 3 * 8 + 8;
  CHECK(count_parameters_per_gpu(model_of(spec), two) == Count{halved + whole});
}
