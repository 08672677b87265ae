#pragma once
// A moment of a step is a set of blocks: bytes that come and go together. Each block is computed once and stands in every
// moment at which it is alive, so estimate() adds and explain() lists the same terms.

#include "plimsoll/method/estimate.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace plimsoll::moments {

enum class Lifetime : unsigned char {
  resident,             ///< from the first moment of a step to the last: weights, buckets, runtime
  states,               ///< likewise, but made in the first optimizer step: optimizer states
  process,              ///< likewise, but outside the framework's allocator: driver context, communicators
  managed,              ///< optimizer states in managed memory: likewise
  trainer_weights,      ///< weights that train and leave the device while answers are generated
  trainer_states,       ///< main weights and states that are made at the start, likewise
  trainer_gradients,    ///< gradient buffers, likewise
  host,                 ///< in the host's memory: at no moment on the device
  nvme,                 ///< on the host's drives, likewise
  cache,                ///< serving: keys and values
  prefill_pass,         ///< serving: activations of a pass over a prompt
  decode_pass,          ///< serving: activations of a pass over one token per sequence
  sampling,             ///< serving: logits and what sampling makes of them
  layers,               ///< training: what all layers keep, or with full recomputation their inputs
  last_operations,      ///< with recomputation by operation: what the layer that goes backward first keeps, until it runs again
  head_input,           ///< the final norm and the input of the output head
  recomputed_layer,     ///< with full recomputation: the layer that was run again
  remaining_layer,      ///< what the first layer, the last one to go backward, still keeps
  temporaries,          ///< of one layer's backward
  exchange,             ///< what that layer exchanges with other GPUs
  working_gradient,     ///< the weight gradient that layer is making
  head_gradient,        ///< what flows back from the head
  loss_forward,
  loss_backward,
  loss_head,
  loss_after,
  loss_waiting,         ///< of the micro-batches that wait for their backward pass
  gradients_head,       ///< of the output head, or of the table it shares with the embedding
  gradients_final_norm,
  gradients_layers,
  gradients_but_one,    ///< of all layers but the one that goes backward last
  gradients_ends,       ///< of embedding and positions
  gradients_tied,       ///< further gradients of a table that is both embedding and head
  copies_layers,        ///< autocast's low-precision matrices inside layers, kept for their backward
  copies_cached,        ///< the same with full recomputation: kept by autocast's cache until the forward pass ends
  copies_recomputed,    ///< of the layer that was run again
  copies_remaining,     ///< of the last layer to go backward
  copies_head,
  cast_gradients,       ///< of 16-bit gradients to fp32: from the optimizer's step to the next step
  step_copies,          ///< what the optimizer makes while it steps
  engine,               ///< weights that are there only while answers are generated
  scoring_pass,         ///< of the model whose pass without gradients needs the most
  loss_kept,            ///< what the loss keeps for its backward pass while another model scores
  teacher_logits,       ///< kept from the teacher's pass to the backward of the loss
  step_copies_early,    ///< the same where it steps in the backward pass
  gathered_forward,     ///< sharded weights: gathered for the forward pass, until the backward pass begins
  gathered_waiting,     ///< what of it is still there when the layers are done
  gathered_backward,    ///< gathered for a layer's backward, and its gradients on their way
  gathered_root,        ///< what belongs to no layer, from its first use to the end of the backward pass
  whole_stage,          ///< in a pipeline: a stage's gathered layers and its whole gradients, until they are reduced
  kept_units,           ///< layers that are not dropped between the passes, but the last one
  last_unit,            ///< the last layer likewise; in its backward it is gathered_backward's
  root_gradients,       ///< of the head, whole, until they are reduced at the end of the backward pass
  reduced_root,         ///< all gradients outside layers while they are reduced
  buckets,              ///< gradients on their way from the first of a backward pass to the last
  former_buckets,       ///< those of the first step, which live through the second
  former_loss,          ///< logits of the micro-batch before, likewise
  former_inputs,        ///< of the micro-batch before, until this one's loss takes the place of its loss
};
inline constexpr std::size_t kLifetimes = 58;
static_assert(kLifetimes == static_cast<std::size_t>(Lifetime::former_inputs) + 1 && kLifetimes <= 64);

using LifetimeSet = std::uint64_t;

constexpr LifetimeSet set_of(std::initializer_list<Lifetime> blocks) noexcept {
  LifetimeSet set = 0;
  for (Lifetime block : blocks) set |= LifetimeSet{1} << static_cast<unsigned>(block);
  return set;
}

constexpr bool contains(LifetimeSet set, Lifetime block) noexcept { return (set >> static_cast<unsigned>(block) & 1u) != 0; }

/// What of a strategy decides which blocks are alive.
struct Lifetimes {
  constexpr Lifetimes() noexcept = default;
  explicit Lifetimes(const Scenario& scenario) noexcept;

  bool whole_gradients = false;     ///< a pipeline's stage has its gradients whole until the last micro-batch
  bool accumulates = false;         ///< gradients of earlier micro-batches are there already
  bool head_gradient_early = false; ///< the loss makes the head's gradients in its forward pass
  bool scores_in_step = false;      ///< another model scores while the activations wait for their backward pass
  bool frees_gradients = false;     ///< each is used and freed as soon as it exists
  bool states_leave = false;        ///< for the host, while answers are generated
  bool tied = false;                ///< the head's gradient is the embedding's too, and waits for it
};

/// What is alive at a moment.
LifetimeSet alive_at(Moment moment, const Lifetimes& lifetimes) noexcept;

/// The moments of a scenario, in order of time.
std::span<const Moment> of(const Scenario& scenario) noexcept;

/// A bit for each moment: bit 0 is Moment::prefill.
using MomentSet = std::uint16_t;
inline constexpr std::size_t kMoments = static_cast<std::size_t>(Moment::between_steps) + 1;
constexpr MomentSet set_of(Moment moment) noexcept { return static_cast<MomentSet>(1u << static_cast<unsigned>(moment)); }

/// sink(moment) for each of them.
template <class Sink> void each_of(unsigned moments, Sink&& sink) {
  for (; moments != 0; moments &= moments - 1) sink(static_cast<std::size_t>(std::countr_zero(moments)));
}

/// When blocks come and go, of those moments that a scenario has.
struct Course {
  /// Moments [come, gone), as Moment numbers them: after the last of them, what is there to the end is gone.
  struct Span {
    std::uint8_t come, gone;
  };
  std::array<Span, kLifetimes> spans;    ///< of blocks that are never there, and of those that come again, no moment
  std::array<MomentSet, kLifetimes> alive;
  LifetimeSet comes_again;

  /// sink(moment, 1) where the block comes, sink(moment, -1) where it is gone again.
  template <class Sink> void each_change(Lifetime block, Sink&& sink) const {
    const unsigned there = alive[static_cast<std::size_t>(block)];
    each_of(there & ~(there << 1), [&](std::size_t moment) { sink(moment, 1); });
    each_of(~there & (there << 1), [&](std::size_t moment) { sink(moment, -1); });
  }
};

/// The moments of a scenario, with what is alive at each.
class Moments {
public:
  explicit Moments(const Scenario& scenario) noexcept;
  Moments(const Moments&) = delete;
  Moments& operator=(const Moments&) = delete;

  std::span<const Moment> order() const noexcept { return order_; }
  const Lifetimes& lifetimes() const noexcept { return lifetimes_; }
  const Course& course() const noexcept { return *course_; }

private:
  std::span<const Moment> order_;
  Lifetimes lifetimes_;
  const Course* course_;
  Course unusual_; ///< where hardly any strategy has it
};

/// A sink, which may be const, for a function that takes it behind a pointer, with one that turns it back.
template <class Sink> void* untyped(Sink& sink) noexcept { return const_cast<void*>(static_cast<const void*>(&sink)); }

} // namespace plimsoll::moments
