// The memory of single operators against integers worked out by hand from what autograd keeps, each of which a published
// measurement confirms to the byte or to the tensors too small to count (Liger-Kernel, benchmark/data/all_benchmark_data.csv).
#include "plimsoll/evidence/operators.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace plimsoll;

namespace {

constexpr Bytes kWorkspace{8'519'680}; // of an A100

std::int64_t peak(std::string_view id, std::string_view implementation, const OperatorShape& shape) {
  const Operator* op = find_operator(id, implementation);
  REQUIRE(op != nullptr);
  return operator_memory(*op, shape).peak.value;
}

} // namespace

TEST_CASE("head and cross-entropy, 16 bits: two heads and a gradient, three tensors of logits, input and its gradient") {
  // 3 · 2VH + 3 · 2nV + 2 · 2nH + 2 workspaces + 8n
  const auto shape = [](std::int64_t tokens) {
    return OperatorShape{.tokens = Count{tokens}, .hidden = Count{4096}, .vocabulary = Count{128256},
                         .idle_parameters = Count{128256 * 4096}, .workspace = kWorkspace};
  };
  CHECK(peak("linear_cross_entropy", "eager", shape(4096)) == 6'388'220'928 - 1024);
  CHECK(peak("linear_cross_entropy", "eager", shape(8192)) == 9'607'382'016 - 1024);
  CHECK(peak("linear_cross_entropy", "eager", shape(16384)) == 16'045'704'192 - 1024);
}

TEST_CASE("cross-entropy on fp32 logits: 20 bytes per logit with the gradient of the step before") {
  OperatorShape shape{.tokens = Count{16384}, .vocabulary = Count{4096}, .element_bytes = 4};
  CHECK(peak("cross_entropy", "eager", shape) == 1'342'308'352);
  shape.vocabulary = Count{131072};
  CHECK(peak("cross_entropy", "eager", shape) == 42'949'804'032);
  shape.old_gradients = false;
  CHECK(peak("cross_entropy", "eager", shape) == std::int64_t{16} * 16384 * 131072 + 8 * 16384);
}

TEST_CASE("eager gated MLP: seven inner tensors at the multiplication, or six and a weight gradient") {
  const auto shape = [](std::int64_t tokens) {
    return OperatorShape{.tokens = Count{tokens}, .hidden = Count{4096}, .intermediate = Count{11008}, .workspace = kWorkspace};
  };
  CHECK(peak("gated_mlp", "eager", shape(4 * 4096)) == 3'619'946'496);
  CHECK(peak("gated_mlp", "eager", shape(4 * 1024)) == 1'357'119'488);
}

TEST_CASE("layer norm: five tensors, two numbers per row, eight vectors of which two belong to an idle module") {
  const OperatorShape shape{.tokens = Count{4096}, .hidden = Count{1024}, .element_bytes = 4, .idle_parameters = Count{2 * 1024},
                            .multiprocessors = Count{108}};
  CHECK(peak("layer_norm", "eager", shape) == 83'951'616);
  CHECK(peak("layer_norm", "fused", shape) == 84'836'352);
}

TEST_CASE("eager RMSNorm in 16 bits: 40 bytes per number") {
  const OperatorShape shape{.tokens = Count{2048}, .hidden = Count{1024}};
  // weight, its gradients of two steps; one fp32 number per row
  CHECK(peak("rms_norm", "eager", shape) == std::int64_t{40} * 2048 * 1024 + 3 * 2048 + 4 * 2048);
}

TEST_CASE("without a backward pass no gradient exists") {
  OperatorShape shape{.tokens = Count{1024}, .hidden = Count{4096}, .intermediate = Count{14336}, .workspace = Bytes{33'554'432}};
  shape.mode = OperatorMode::forward;
  CHECK(peak("gated_mlp", "fused", shape) == 524'288'000); // measured on a B200
  shape.mode = OperatorMode::full;
  CHECK(peak("gated_mlp", "fused", shape) == 1'040'187'392);
}

TEST_CASE("tensors take whole blocks of 512 bytes") {
  CHECK(allocated_block(Bytes{1}) == Bytes{512});
  CHECK(allocated_block(Bytes{513}) == Bytes{1024});
  // Five tensors of 256 bytes: measured as 2560.
  CHECK(peak("relu_squared", "fused", {.tokens = Count{1}, .hidden = Count{128}}) == 5 * 512);
  CHECK(peak("relu_squared", "eager", {.tokens = Count{1}, .hidden = Count{128}}) == 8 * 512);
}

TEST_CASE("every implementation has a source, and its peak is the fullest of its moments") {
  const OperatorShape shape{.tokens = Count{4096}, .hidden = Count{1024}, .intermediate = Count{2048}, .vocabulary = Count{32000},
                            .sequence = Count{4096}, .heads = Count{16}, .query_width = Count{1024}, .key_width = Count{256}, .head = Count{64}, .experts = Count{8},
                            .top_k = Count{2}, .channels = Count{32}, .groups = Count{8}, .workspace = kWorkspace};
  for (const Operator& op : operators()) {
    CAPTURE(op.id, op.implementation);
    CHECK_FALSE(op.citation.empty());
    CHECK(find_operator(op.id, op.implementation) == &op);
    const OperatorMemory memory = operator_memory(op, shape);
    CHECK(memory.peak > Bytes{0});
    Bytes sum, most;
    for (int moment = 0; moment < kOperatorMoments; ++moment) {
      sum = Bytes{0};
      for (const Lifetime& tensor : memory.tensors)
        if (tensor.first <= moment && moment <= tensor.last) sum += tensor.bytes;
      most = max(most, sum);
    }
    CHECK(memory.peak == most);
    OperatorShape larger = shape;
    larger.tokens = Count{2} * shape.tokens;
    CHECK(operator_memory(op, larger).peak > memory.peak);
  }
}

TEST_CASE("an unknown operator is nothing") { CHECK(find_operator("gated_mlp", "unheard_of") == nullptr); }
