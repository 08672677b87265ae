#include "moments/moments.hpp"

namespace plimsoll::moments {

namespace {

constexpr Moment kServingMoments[] = {Moment::prefill, Moment::decode};
constexpr Moment kTrainingMoments[] = {Moment::forward_end,          Moment::loss_backward, Moment::head_backward,
                                       Moment::last_layer_backward,  Moment::first_layer_backward,
                                       Moment::backward_end,         Moment::optimizer_step};
static_assert(std::size(kTrainingMoments) <= kMaxMoments);

} // namespace

std::span<const Moment> of(Task task) noexcept {
  if (trains(task)) return kTrainingMoments;
  return kServingMoments;
}

std::size_t heaviest_group(const Scenario& scenario) noexcept {
  const bool training = trains(scenario.workload.task);
  std::size_t heaviest = 0;
  Bytes most;
  for (std::size_t i = 0; i < scenario.model.group_count; ++i) {
    const LayerGroup& group = scenario.model.groups[i];
    Bytes need = memory::forward_workspace(scenario, group, Count{1}).bytes();
    if (training) {
      need = memory::backward_temporaries(scenario, group).bytes();
      visit_saved(scenario, group, Count{1}, [&](Part, const Term& term) { need += term.bytes(); });
    }
    if (most < need) most = need, heaviest = i;
  }
  return heaviest;
}

bool has_gradient(Moment moment, Tensors tensors, bool tied) noexcept {
  const bool is_head = tensors == Tensors::head || (tied && tensors == Tensors::embedding); // a tied table gets its first part here
  const bool is_end = tensors == Tensors::embedding || tensors == Tensors::positions;
  switch (moment) {
    case Moment::head_backward: return is_head;
    case Moment::last_layer_backward: return is_head || tensors == Tensors::final_norm;
    case Moment::first_layer_backward: return is_head || !is_end;
    case Moment::backward_end:
    case Moment::optimizer_step: return true;
    default: return false;
  }
}

bool has_autocast_copy(Moment moment, Tensors tensors) noexcept {
  // Only matrices of linear maps are cast; the embedding lookup and the norms are not. The small biases are counted along.
  const bool in_layers = tensors == Tensors::attention || tensors == Tensors::mlp;
  switch (moment) {
    case Moment::forward_end:
    case Moment::loss_backward:
    case Moment::head_backward: return in_layers || tensors == Tensors::head;
    case Moment::last_layer_backward: return in_layers;
    default: return false;
  }
}

} // namespace plimsoll::moments
