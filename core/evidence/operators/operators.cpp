// The table of implementations, and what they need to know of a GPU.
#include "evidence/operators/timeline.hpp"

#include <array>

namespace plimsoll {

namespace {

/// Multiprocessors: NVIDIA's architecture white papers and product pages. Workspaces: PyTorch, aten/src/ATen/cuda/
/// CublasHandlePool.cpp, parseChosenWorkspaceSize: 32 MiB from compute capability 9.0 on, else 4096 KiB × 2 + 16 KiB × 8.
struct Gpu {
  std::string_view part; ///< of the name
  Count multiprocessors;
  Bytes workspace;
};

constexpr Bytes kLarge{33'554'432};
constexpr Bytes kSmall{8'519'680};
constexpr std::array kGpus{
    Gpu{"B200", Count{148}, kLarge},          Gpu{"H100 PCIe", Count{114}, kLarge},    Gpu{"H100", Count{132}, kLarge},
    Gpu{"H200", Count{132}, kLarge},          Gpu{"A100", Count{108}, kSmall},         Gpu{"RTX 4090", Count{128}, kSmall},
    Gpu{"RTX 3090", Count{82}, kSmall},
};

const Gpu* gpu_of(std::string_view name) noexcept {
  for (const Gpu& gpu : kGpus)
    if (name.find(gpu.part) != std::string_view::npos) return &gpu;
  return nullptr;
}

std::vector<Operator> all_operators() {
  std::vector<Operator> all;
  for (const std::span<const Operator> family : {norm_operators(), mlp_operators(), activation_operators(), loss_operators(),
                                                 linear_loss_operators(), attention_operators(), rope_operators(), table_operators()})
    all.insert(all.end(), family.begin(), family.end());
  return all;
}

} // namespace

std::span<const Operator> operators() noexcept {
  static const std::vector<Operator> all = all_operators();
  return all;
}

const Operator* find_operator(std::string_view id, std::string_view implementation) noexcept {
  for (const Operator& op : operators())
    if (op.id == id && op.implementation == implementation) return &op;
  return nullptr;
}

OperatorMemory operator_memory(const Operator& op, const OperatorShape& shape) {
  Timeline timeline{shape};
  op.live(shape, timeline);
  timeline.resident("tensors from before", Count{shape.earlier_tensors.value}, 1);
  return std::move(timeline).result();
}

Count multiprocessors_of(std::string_view gpu) noexcept {
  const Gpu* known = gpu_of(gpu);
  return known ? known->multiprocessors : Count{0};
}

Bytes cublas_workspace_of(std::string_view gpu) noexcept {
  const Gpu* known = gpu_of(gpu);
  return known ? known->workspace : Bytes{0};
}

} // namespace plimsoll
