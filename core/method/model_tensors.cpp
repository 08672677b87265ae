#include "plimsoll/method/model_tensors.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace plimsoll {

namespace {

int halvings_of(Count count) noexcept { return std::countr_zero(static_cast<std::uint64_t>(count.value)); }

void add(TensorRun& run, const Tensor& tensor) noexcept {
  const Count numbers = elements(tensor);
  run.copies += tensor.copies;
  run.copy_halvings = std::min(run.copy_halvings, halvings_of(tensor.copies));
  if (tensor.split == Split::none) {
    run.whole += numbers;
  } else {
    const int units = tensor.units == Count{0} ? 0 : halvings_of(tensor.units);
    run.divided += numbers;
    run.halvings = std::min({run.halvings, units, halvings_of(tensor.split == Split::columns ? tensor.columns : tensor.rows)});
  }
  const bool alike = is_expert(tensor) == is_routed(run.kind); // experts of prediction layers are divided as experts are, the rest of these layers is not
  run.summed = run.summed && alike && !(run.whole + run.divided).saturated() && !run.copies.saturated();
}

} // namespace

void ModelTensors::sum_up() {
  runs_.clear();
  for (std::size_t at = 0; at < all_.size();) {
    const ModelTensor& first = all_[at];
    TensorRun run{.kind = first.tensor.kind, .halvings = 64, .copy_halvings = 64, .group = first.group, .layers = first.layers, .first = at};
    for (; at < all_.size() && all_[at].group == run.group && all_[at].tensor.kind == run.kind; ++at) add(run, all_[at].tensor);
    run.last = at;
    runs_.push_back(run);
  }
}

} // namespace plimsoll
