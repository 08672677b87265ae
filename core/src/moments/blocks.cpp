#include "moments/blocks.hpp"

#include "plimsoll/scenario.hpp"

namespace plimsoll::moments {

namespace {

using enum Block;

// With S what is resident, A what the layers keep and G gradients:
//   forward_end           S + A + loss forward
//   loss_backward         S + A + loss backward
//   head_backward         S + A + loss + G of the head + what flows back from it
//   last_layer_backward   S + A + that layer's temporaries + G so far
//   first_layer_backward  S + A of one layer + its temporaries + G of all other layers
//   backward_end          S + all G + what flows into the embedding
//   optimizer_step        S + all G + copies made by the step
// Between the last and the first layer the total changes linearly, so the two ends decide.
constexpr BlockSet kAllGradients = set_of({gradients_head, gradients_final_norm, gradients_layers, gradients_ends});
constexpr BlockSet kAlways = set_of({resident, states, process});
constexpr BlockSet kForward = kAlways | set_of({layers, head_input, copies_layers, copies_head, loss_waiting});

constexpr Moment kServingMoments[] = {Moment::prefill, Moment::decode};
constexpr Moment kTrainingMoments[] = {Moment::forward_end,          Moment::loss_backward, Moment::head_backward,
                                       Moment::last_layer_backward,  Moment::first_layer_backward,
                                       Moment::backward_end,         Moment::optimizer_step, Moment::between_steps};
static_assert(std::size(kTrainingMoments) <= kMaxMoments);

} // namespace

namespace {

BlockSet alive_in_one_micro_batch(Moment moment) noexcept {
  switch (moment) {
    case Moment::prefill: return set_of({resident, process, cache, prefill_pass, sampling});
    case Moment::decode: return set_of({resident, process, cache, decode_pass, sampling});
    case Moment::forward_end: return kForward | set_of({loss_forward, copies_cached});
    case Moment::loss_backward: return kForward | set_of({loss_backward});
    case Moment::head_backward: return kForward | set_of({loss_head, gradients_head, head_gradient});
    case Moment::last_layer_backward:
      return kAlways | set_of({layers, recomputed_layer, loss_waiting, temporaries, working_gradient, copies_layers, copies_recomputed, loss_after,
                     gradients_head, gradients_final_norm});
    case Moment::first_layer_backward:
      return kAlways | set_of({remaining_layer, temporaries, working_gradient, copies_remaining, loss_after, gradients_head,
                     gradients_final_norm, gradients_but_one});
    case Moment::backward_end: return kAllGradients | kAlways | set_of({head_gradient, gradients_tied, loss_after});
    case Moment::optimizer_step: return kAllGradients | kAlways | set_of({loss_after, step_copies, cast_gradients});
    case Moment::between_steps: return kAlways | set_of({loss_after, cast_gradients});
  }
  return 0;
}

constexpr bool in_passes(Moment moment) noexcept {
  return moment != Moment::optimizer_step && moment != Moment::between_steps && moment != Moment::prefill && moment != Moment::decode;
}

} // namespace

Lifetimes lifetimes_of(const Scenario& scenario) noexcept {
  const bool frees = scenario.strategy.optimizer_in_backward;
  return {.accumulates = scenario.workload.micro_batches > 1 && !frees,
          .head_gradient_early = scenario.profile.training.loss.head_gradient_in_forward};
}

BlockSet alive_at(Moment moment, Lifetimes lifetimes) noexcept {
  BlockSet alive = alive_in_one_micro_batch(moment);
  if (lifetimes.accumulates && in_passes(moment)) alive = (alive & ~set_of({gradients_but_one})) | kAllGradients;
  if (lifetimes.head_gradient_early && in_passes(moment)) alive |= set_of({gradients_head, head_gradient});
  return alive;
}

std::span<const Moment> of(Task task) noexcept {
  if (trains(task)) return kTrainingMoments;
  return kServingMoments;
}

} // namespace plimsoll::moments
