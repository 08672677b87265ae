#include "method/moments/lifetimes.hpp"

#include "method/memory/buffers/buffers.hpp"
#include "method/memory/optimizers.hpp"
#include "plimsoll/method/scenario.hpp"

#include <algorithm>
#include <bit>

namespace plimsoll::moments {

namespace {

using enum Lifetime;

// With S what is resident, A what the layers keep and G gradients:
//   forward_end           S + A + loss forward
//   loss_backward         S + A + loss backward
//   head_backward         S + A + loss + G of the head + what flows back from it
//   last_layer_backward   S + A + that layer's temporaries + G so far
//   first_layer_backward  S + A of one layer + its temporaries + G of all other layers
//   backward_end          S + all G + what flows into the embedding
//   optimizer_step        S + all G + copies made by the step
// Between the last and the first layer the total changes linearly, so the two ends decide.
constexpr LifetimeSet kAllGradients = set_of({gradients_head, gradients_final_norm, gradients_layers, gradients_ends});
constexpr LifetimeSet kStays = set_of({resident, states, process, managed}); // also while answers are generated
constexpr LifetimeSet kAlways = kStays | set_of({trainer_weights, trainer_states, trainer_gradients});
constexpr LifetimeSet kStep = kAlways | set_of({former_buckets});
constexpr LifetimeSet kPasses = kStep | set_of({gathered_root, last_unit, kept_units}); // until the backward pass takes layers apart
constexpr LifetimeSet kForward = kPasses | set_of({layers, last_operations, head_input, copies_layers, copies_head, loss_waiting});

constexpr Moment kServingMoments[] = {Moment::prefill, Moment::decode};
constexpr Moment kTrainingMoments[] = {Moment::forward_end,          Moment::loss_backward, Moment::head_backward,
                                       Moment::last_layer_backward,  Moment::first_layer_backward,
                                       Moment::backward_end,         Moment::optimizer_step, Moment::between_steps};

// Before the training step, what the composition needs: rollout and scoring, scoring alone, or neither.
constexpr Moment kComposedMoments[] = {Moment::rollout,             Moment::scoring,              Moment::forward_end,
                                       Moment::loss_backward,       Moment::head_backward,        Moment::last_layer_backward,
                                       Moment::first_layer_backward, Moment::backward_end,        Moment::optimizer_step,
                                       Moment::between_steps};
static_assert(std::size(kComposedMoments) <= kMaxMoments);

} // namespace

namespace {

constexpr LifetimeSet alive_in_one_micro_batch(Moment moment) noexcept {
  switch (moment) {
    case Moment::prefill: return set_of({resident, process, cache, prefill_pass}); // its activations are gone when answers are sampled
    case Moment::decode: return set_of({resident, process, cache, decode_pass, sampling});
    case Moment::rollout: return kStays | set_of({cache, prefill_pass, sampling, engine, loss_after});
    case Moment::scoring: return kAlways | set_of({scoring_pass, loss_after});
    case Moment::forward_end: return kForward | set_of({loss_forward, copies_cached, teacher_logits, gathered_forward, gathered_waiting, former_inputs, former_loss});
    case Moment::loss_backward: return kForward | set_of({loss_backward, teacher_logits, gathered_waiting});
    case Moment::head_backward: return kForward | set_of({loss_head, gradients_head, head_gradient, gathered_waiting, root_gradients, buckets});
    case Moment::last_layer_backward:
      return kStep | set_of({gathered_root, kept_units, gathered_backward, root_gradients, buckets, step_copies_early}) |
             set_of({layers, recomputed_layer, loss_waiting, temporaries, exchange, working_gradient, copies_layers, copies_recomputed, loss_after,
                     gradients_head, gradients_final_norm});
    case Moment::first_layer_backward:
      return kStep | set_of({gathered_root, gathered_backward, root_gradients, buckets, step_copies_early}) |
             set_of({remaining_layer, temporaries, exchange, working_gradient, copies_remaining, loss_after, gradients_head,
                     gradients_final_norm, gradients_but_one});
    case Moment::backward_end: return kAllGradients | kStep | set_of({head_gradient, gradients_tied, loss_after, reduced_root, buckets, step_copies_early});
    case Moment::optimizer_step: return kAllGradients | kStep | set_of({loss_after, step_copies, cast_gradients});
    case Moment::between_steps: return kAlways | set_of({loss_after, cast_gradients});
  }
  return 0;
}

constexpr bool in_passes(Moment moment) noexcept {
  return moment != Moment::optimizer_step && moment != Moment::between_steps && moment != Moment::prefill && moment != Moment::decode &&
         moment != Moment::rollout && moment != Moment::scoring;
}

constexpr LifetimeSet alive_in(Moment moment, const Lifetimes& lifetimes) noexcept {
  LifetimeSet alive = alive_in_one_micro_batch(moment);
  if (lifetimes.whole_gradients && in_passes(moment)) alive |= set_of({whole_stage});
  if (lifetimes.accumulates && in_passes(moment)) alive = (alive & ~set_of({gradients_but_one})) | kAllGradients;
  if (moment == Moment::rollout && lifetimes.states_leave) alive &= ~set_of({states, managed});
  if (lifetimes.head_gradient_early && in_passes(moment)) alive |= set_of({gradients_head, head_gradient, root_gradients});
  if (lifetimes.scores_in_step && moment == Moment::scoring) {
    alive |= kForward | set_of({loss_kept, copies_cached});
    if (lifetimes.accumulates) alive |= kAllGradients;
  }
  if (lifetimes.frees_gradients) { // what exists is what was made last; a table that is the head too waits for its second part
    LifetimeSet gone = set_of({gradients_final_norm, gradients_layers, gradients_but_one});
    if (moment == Moment::optimizer_step) gone |= set_of({gradients_ends});
    const bool early = moment == Moment::head_backward || (lifetimes.head_gradient_early && moment < Moment::last_layer_backward);
    if (!early && (!lifetimes.tied || moment == Moment::optimizer_step)) gone |= set_of({gradients_head});
    alive &= ~gone;
  }
  return alive;
}

constexpr Course course_of(std::span<const Moment> order, const Lifetimes& lifetimes) noexcept {
  Course course{};
  for (const Moment moment : order)
    for (LifetimeSet left = alive_in(moment, lifetimes); left != 0; left &= left - 1) course.alive[static_cast<std::size_t>(std::countr_zero(left))] |= set_of(moment);
  for (std::size_t block = 0; block < kLifetimes; ++block) {
    const unsigned alive = course.alive[block] == 0 ? set_of(order.front()) : course.alive[block];
    const int come = std::countr_zero(alive), gone = come + std::popcount(alive);
    const bool once = alive >> come == (1u << (gone - come)) - 1;
    if (!once) course.comes_again |= LifetimeSet{1} << block;
    course.spans[block] = {static_cast<std::uint8_t>(come), static_cast<std::uint8_t>(once && course.alive[block] != 0 ? gone : come)};
  }
  return course;
}

/// Which moments there are.
enum class Order : unsigned char { serving, training, scored, composed };

constexpr std::span<const Moment> moments_of(Order order) noexcept {
  switch (order) {
    case Order::serving: return kServingMoments;
    case Order::training: return kTrainingMoments;
    case Order::scored: return std::span{kComposedMoments}.subspan(1);
    case Order::composed: break;
  }
  return kComposedMoments;
}

Order order_of(const Scenario& scenario) noexcept {
  if (!trains(scenario.workload.task)) return Order::serving;
  if (has_role(scenario.composition, Role::engine)) return Order::composed; // who generates also scores
  const bool scores = std::ranges::any_of(scenario.auxiliary_models, [](const AuxiliaryModel& auxiliary) { return auxiliary.scores; });
  return scores ? Order::scored : Order::training;
}

/// What nearly all scenarios come to: serving or training of one model, whole gradients and accumulation, or not.
constexpr auto kUsual = [] {
  std::array<std::array<Course, 4>, 2> usual{};
  for (std::size_t order = 0; order < usual.size(); ++order)
    for (std::size_t i = 0; i < 4; ++i) {
      Lifetimes lifetimes;
      lifetimes.whole_gradients = (i & 1) != 0;
      lifetimes.accumulates = (i & 2) != 0;
      usual[order][i] = course_of(moments_of(static_cast<Order>(order)), lifetimes);
    }
  return usual;
}();

} // namespace

Lifetimes::Lifetimes(const Scenario& scenario) noexcept {
  const bool frees = memory::steps_each(scenario.strategy);
  whole_gradients = memory::keeps_stage_whole(scenario);
  accumulates = scenario.workload.micro_batches > 1 && !frees && !whole_gradients;
  head_gradient_early = scenario.profile.training.loss.head_gradient_in_forward;
  scores_in_step = plimsoll::scores_in_step(scenario.composition.method);
  frees_gradients = frees && !scenario.profile.training.states.preallocated_gradients;
  states_leave = scenario.composition.trainer_offload != TrainerOffload::none;
  tied = scenario.model.tied_embeddings;
}

LifetimeSet alive_at(Moment moment, const Lifetimes& lifetimes) noexcept { return alive_in(moment, lifetimes); }

std::span<const Moment> of(const Scenario& scenario) noexcept { return moments_of(order_of(scenario)); }

Moments::Moments(const Scenario& scenario) noexcept : lifetimes_(scenario) {
  const Order order = order_of(scenario);
  order_ = moments_of(order);
  const Lifetimes& of = lifetimes_;
  const bool usual = order <= Order::training && !of.head_gradient_early && !of.scores_in_step && !of.frees_gradients && !of.states_leave;
  course_ = usual ? &kUsual[static_cast<std::size_t>(order)][(of.whole_gradients ? 1u : 0u) + (of.accumulates ? 2u : 0u)] : &unusual_;
  if (!usual) unusual_ = course_of(order_, of);
}

} // namespace plimsoll::moments
