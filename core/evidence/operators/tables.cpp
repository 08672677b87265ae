// Lookups by token: embedding tables, and experts chosen by a router.
//
// Embedding: PyTorch, tools/autograd/derivatives.yaml (embedding keeps the ids; its gradient is as large as the table).
// Experts in one kernel: Liger-Kernel, src/liger_kernel/ops/fused_moe.py: keeps gate and up, makes the activation again.
#include "evidence/operators/timeline.hpp"

namespace plimsoll {

namespace {

constexpr std::int64_t kInt64 = 8, kInt32 = 4, kFp32 = 4;

void embedding(const OperatorShape& shape, Timeline& into) {
  const Count table = shape.vocabulary * shape.hidden, rows = shape.tokens * shape.hidden;
  into.leaf("table", table, shape.element_bytes);
  into.idle(shape.element_bytes);
  into.resident("ids", shape.tokens, kInt64);
  into.resident("rows", rows, shape.element_bytes);
  into.hold("rows' gradient", rows, shape.element_bytes, kBackward, kEnd);
  into.at(kBackward, "table's gradient", table, shape.element_bytes);
}

/// With more ids than the simple kernel takes, the gradient is summed from segments of sorted ids: one for each id, and one more for
/// every ten. PyTorch, aten/src/ATen/native/cuda/EmbeddingBackwardKernel.cu, embedding_backward_cuda_kernel; Embedding.cu.
constexpr Count kSimpleKernelIds{3072}, kIdsOfOneThread{10};

void embedding_eager(const OperatorShape& shape, Timeline& into) {
  embedding(shape, into);
  if (shape.tokens <= kSimpleKernelIds) return;
  const Count segments = min(shape.tokens, shape.vocabulary) + ceil_div(shape.tokens, kIdsOfOneThread);
  into.at(kBackward, "sorted ids and where they came from", Count{2} * shape.tokens, kInt64);
  into.at(kBackward, "gradient of each segment", segments * shape.hidden, kFp32);
}

constexpr Count kTileRows{64}; // tokens that one block of the kernel takes
constexpr int kRun = kBackward, kScaleDown = kBackward + 1, kScaleUp = kBackward + 2;

/// Its benchmark's weights are a scaled copy of the leaf, so leaf, copy and the leaf's gradient exist, and the copy's gradient is
/// scaled once more on its way back, the down projections' first.
void experts_fused(const OperatorShape& shape, Timeline& into) {
  const std::int64_t bytes = shape.element_bytes;
  const Count up = Count{2} * (shape.experts * (shape.intermediate * shape.hidden)), down = shape.experts * (shape.intermediate * shape.hidden);
  const Count pairs = shape.tokens * shape.top_k, rows = shape.tokens * shape.hidden;
  into.workspaces(2); // of the matrix products that the benchmark made before
  into.leaf("gate_up_proj before scaling", up, bytes);
  into.leaf("down_proj before scaling", down, bytes);
  into.leaf("input", rows, bytes);
  into.leaf("router weights", pairs, bytes);
  into.resident("gate_up_proj", up, bytes);
  into.resident("down_proj", down, bytes);
  into.resident("experts of each token", pairs, kInt32);
  into.resident("orders of the pairs of token and expert", Count{3} * pairs, kInt32);
  into.resident("tiles", Count{2} * (ceil_div(pairs, kTileRows) + shape.experts), kInt32);
  into.resident("output", rows, bytes);
  into.resident("gate, up", Count{2} * (pairs * shape.intermediate), bytes);
  into.at(kForward, "activation", pairs * shape.intermediate, bytes);
  into.at(kForward, "output of each pair", pairs * shape.hidden, bytes);
  into.hold("output's gradient", rows, bytes, kBackward, kEnd);
  into.at(kRun, "gradients of gate, up", Count{2} * (pairs * shape.intermediate), bytes);
  into.at(kRun, "weighted activation", pairs * shape.intermediate, bytes);
  into.at(kRun, "input's gradient of each pair", pairs * shape.hidden, bytes);
  into.at(kRun, "input's gradient", rows, bytes);
  into.at(kRun, "router weights' gradient", pairs, bytes);
  into.hold("down_proj's gradient", down, bytes, kRun, kScaleDown);
  into.hold("gate_up_proj's gradient", up, bytes, kRun, kScaleUp);
  into.at(kScaleDown, "down_proj's gradient scaled", down, bytes);
  into.at(kScaleUp, "gate_up_proj's gradient scaled", up, bytes);
}

constexpr std::array kOperators{
    Operator{.id = "embedding", .implementation = "eager", .citation = "pytorch_embedding", .basis = Basis::counted, .live = embedding_eager},
    Operator{.id = "embedding", .implementation = "compiled", .citation = "pytorch_derivatives", .basis = Basis::counted, .live = embedding},
    Operator{.id = "embedding", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = embedding},
    Operator{.id = "experts", .implementation = "fused", .citation = "liger_ops", .basis = Basis::counted, .live = experts_fused},
};

} // namespace

std::span<const Operator> table_operators() noexcept { return kOperators; }

} // namespace plimsoll
