#pragma once
// The parameters of a model, tensor by tensor, and what their counts on one GPU have in common whatever the strategy.

#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/tensor.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace plimsoll {

/// Tensors of the model: `tensor` once in each layer of a group, or once when it stands outside layers.
struct ModelTensor {
  static constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);
  Tensor tensor;
  std::size_t group = kNoGroup; ///< index into Model::groups
  Count layers{1};              ///< of that group
};

/// Tensors of one kind in one group, or outside layers, that stand together.
struct TensorRun {
  TensorKind kind = TensorKind::mlp;
  bool summed = true;     ///< false: every tensor has to be counted by itself, as sums leave the range or some tensors are divided otherwise
  int halvings = 0;       ///< so often all divided ones can be halved along the dimension that tensor parallelism divides
  int copy_halvings = 0;  ///< likewise the copies of each tensor
  std::size_t group = ModelTensor::kNoGroup;
  Count layers{1};
  Count copies{0};        ///< of all tensors, in one layer
  Count whole{0};         ///< numbers in one layer of those that tensor parallelism leaves whole
  Count divided{0};       ///< of those that it divides
  std::size_t first = 0;  ///< index of the first of them
  std::size_t last = 0;   ///< and of what follows the last
};

/// Every parameter of a model. Its runs never disagree with it.
class ModelTensors {
public:
  ModelTensors() = default;
  explicit ModelTensors(std::vector<ModelTensor> all) : all_(std::move(all)) { sum_up(); }

  const ModelTensor* begin() const noexcept { return all_.data(); }
  const ModelTensor* end() const noexcept { return all_.data() + all_.size(); }
  const ModelTensor* data() const noexcept { return all_.data(); }
  std::size_t size() const noexcept { return all_.size(); }
  bool empty() const noexcept { return all_.empty(); }
  /// `at` < size().
  const ModelTensor& operator[](std::size_t at) const noexcept { return all_[at]; }

  /// In the order of the tensors.
  std::span<const TensorRun> runs() const noexcept { return runs_; }

  /// change(std::vector<ModelTensor>&).
  template <class Change> void edit(Change&& change) {
    change(all_);
    sum_up();
  }

private:
  void sum_up();

  std::vector<ModelTensor> all_;
  std::vector<TensorRun> runs_;
};

} // namespace plimsoll
