#include "method/footprint/step_replay.hpp"

#include "method/memory/states.hpp"

namespace plimsoll::footprint_detail {

namespace {

using enum moments::Lifetime;
using moments::Lifetime;
using moments::LifetimeSet;
using moments::contains;
using moments::set_of;

constexpr LifetimeSet kByLayer = set_of({layers, copies_layers, copies_cached});
/// What each layer's backward makes anew.
constexpr LifetimeSet kOfOneLayer = set_of({recomputed_layer, temporaries, working_gradient, copies_recomputed});

// What communicates under FSDP is allocated while the communication's stream is current: all-gather outputs and sharded gradients.
// PyTorch source, torch/distributed/fsdp/_runtime_utils.py (unshard stream, post-backward stream) and
// _fully_shard/_fsdp_collectives.py, foreach_reduce (reduce-scatter stream).
constexpr LifetimeSet kGathered = set_of({gathered_forward, gathered_waiting, gathered_backward, gathered_root, kept_units, last_unit});
constexpr LifetimeSet kReduced = set_of({gradients_head, gradients_final_norm, gradients_layers, gradients_but_one, gradients_ends});

constexpr std::size_t kLayersAtOnce = 16; ///< a millisecond or less

constexpr Stream kGatherStream = 1, kReduceStream = 2;

} // namespace

StepReplay::StepReplay(const Scenario& scenario, const TensorSizes& sizes, const AllocatorSettings& settings)
    : scenario_(&scenario), sizes_(&sizes), allocator_(settings), lifetimes_(scenario), first_lifetimes_(lifetimes_) {
  first_lifetimes_.accumulates = false; // no gradients of earlier micro-batches are there
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    held_[i].tensors.resize(sizes.blocks[i].bytes.size());
    if (!held_[i].tensors.empty()) held_[i].places.resize(sizes.places);
  }
  if (!trains(scenario.workload.task) || !memory::goes_by_unit(scenario)) return;
  const ShardingProfile& sharding = scenario.profile.training.states.sharding;
  if (sharding.gathers_on_own_stream) gathered_ = kGathered;
  if (sharding.reduces_on_own_stream) reduced_ = kReduced;
}

void StepReplay::limit(Bytes capacity) {
  allocator_.limit(capacity);
  ends_at_failure_ = true;
}

void StepReplay::record(MemoryTimeline& timeline) {
  timeline_ = &timeline;
  allocator_.record(&timeline.calls);
}

void StepReplay::begin(Moment moment) {
  if (timeline_ != nullptr) timeline_->phases.push_back({moment, step_, timeline_->calls.size()});
}

void StepReplay::enter_moment(Moment moment, moments::Lifetimes lifetimes) {
  begin(moment);
  enter(set_at(moment, lifetimes));
}

Stream StepReplay::stream_of(Lifetime block) const noexcept {
  return contains(gathered_, block) ? kGatherStream : contains(reduced_, block) ? kReduceStream : Stream{0};
}

bool StepReplay::advance(std::span<const std::int64_t> eighths) {
  if (step_ == eighths.size() || ended_) return false;
  length_eighths_ = eighths[step_];
  if (trains(scenario_->workload.task)) train(part_);
  else serve();
  if (backward_at_ > 0) return true; // layers are left
  const bool last = part_ == PartOfStep::end || !trains(scenario_->workload.task);
  part_ = last ? PartOfStep::before : static_cast<PartOfStep>(static_cast<int>(part_) + 1);
  if (last) ++step_;
  return true;
}

LifetimeSet StepReplay::set_at(Moment moment, moments::Lifetimes lifetimes) const {
  LifetimeSet alive = moments::alive_at(moment, lifetimes); // what stands outside the allocator has no tensors
  if (!stepped_) alive &= ~set_of({states});
  return alive;
}

void StepReplay::train(PartOfStep part) {
  switch (part) {
    case PartOfStep::before:
      for (Moment moment : moments::of(*scenario_)) // what a composition does before the step
        if (moment == Moment::rollout || moment == Moment::scoring) enter_moment(moment, lifetimes_);
      return;
    case PartOfStep::first_forward: return run_forward(first_lifetimes_);
    case PartOfStep::first_backward: return run_backward(first_lifetimes_);
    case PartOfStep::later_forward: // all later ones are like the second
      if (lifetimes_.accumulates) run_forward(lifetimes_);
      return;
    case PartOfStep::later_backward:
      if (lifetimes_.accumulates) run_backward(lifetimes_);
      return;
    case PartOfStep::end:
      stepped_ = true;
      enter_moment(Moment::optimizer_step, lifetimes_);
      enter_moment(Moment::between_steps, lifetimes_);
      return;
  }
}

void StepReplay::run_forward(moments::Lifetimes lifetimes) {
  begin(Moment::forward_end);
  const LifetimeSet forward = set_at(Moment::forward_end, lifetimes);
  enter(forward & set_of({resident, states, trainer_weights, trainer_states, trainer_gradients, gradients_head, gradients_final_norm, gradients_layers, gradients_ends, head_gradient}));
  for (std::size_t place = 0; place < sizes_->places; ++place)
    for (Lifetime block : {layers, copies_layers, copies_cached})
      if (contains(forward & kByLayer, block)) allocate(block, place);
  enter(forward);
}

void StepReplay::run_backward(moments::Lifetimes lifetimes) {
  const LifetimeSet last = set_at(Moment::last_layer_backward, lifetimes);
  if (backward_at_ == 0) {
    enter_moment(Moment::loss_backward, lifetimes);
    enter_moment(Moment::head_backward, lifetimes);
    begin(Moment::last_layer_backward);
    enter(last);
    backward_at_ = sizes_->places - 1;
  }
  run_layers_backward(last);
  if (backward_at_ > 0) return;
  enter_moment(Moment::first_layer_backward, lifetimes);
  enter_moment(Moment::backward_end, lifetimes);
}

void StepReplay::run_layers_backward(LifetimeSet alive) {
  const bool gradients_come = !contains(alive, gradients_layers) && !lifetimes_.frees_gradients;
  std::size_t left = kLayersAtOnce;
  for (; backward_at_ > 0 && left > 0; --backward_at_, --left) {
    const std::size_t place = backward_at_;
    if (place == sizes_->remaining || ended_) continue;
    for (Lifetime block : {recomputed_layer, temporaries, working_gradient, copies_recomputed}) free_later(block);
    free_later(layers, place);
    free_later(copies_layers, place);
    free_now();
    if (gradients_come) allocate(gradients_layers, place);
    for (Lifetime block : {recomputed_layer, temporaries, working_gradient, copies_recomputed})
      if (contains(alive & kOfOneLayer, block)) allocate(block);
  }
}

void StepReplay::serve() {
  for (Moment moment : {Moment::prefill, Moment::decode}) enter_moment(moment, lifetimes_);
}

void StepReplay::enter(LifetimeSet alive) {
  // Gradients of all layers but one are those of all layers without that one's: one set of tensors, not two.
  const bool all_but_one = contains(alive, gradients_but_one);
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    const auto block = static_cast<Lifetime>(i);
    if (contains(alive, block) || (block == gradients_layers && all_but_one)) continue;
    free_later(block);
  }
  free_now();
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    const auto block = static_cast<Lifetime>(i);
    if (contains(alive, block) && block != gradients_but_one) allocate(block);
  }
  if (!all_but_one) return;
  for (std::size_t place = 0; place < sizes_->places; ++place)
    if (place != sizes_->remaining && place != 0) allocate(gradients_layers, place);
}

void StepReplay::allocate(Lifetime block) {
  if (held_[static_cast<std::size_t>(block)].count == sizes_->places) return;
  for (std::size_t place = 0; place < sizes_->places; ++place) allocate(block, place);
}

void StepReplay::allocate(Lifetime block, std::size_t place) {
  const LifetimeTensors& from = sizes_->blocks[static_cast<std::size_t>(block)];
  Held& held = held_[static_cast<std::size_t>(block)];
  if (from.bytes.empty() || held.places[place] || ended_) return;
  for (std::size_t i = from.first[place]; i < from.first[place + 1]; ++i) {
    const std::int64_t bytes = from.bytes[i].value;
    const std::int64_t wanted = from.by_tokens && length_eighths_ < 8 ? bytes / 8 * length_eighths_ : bytes;
    const auto allocation = allocator_.allocate(Bytes{wanted}, stream_of(block));
    if (timeline_ != nullptr && allocation) timeline_->purposes.resize(timeline_->calls.size(), from.names[i]);
    ended_ = !allocation && ends_at_failure_;
    if (ended_) return;
    held.tensors[i] = allocation.value_or(Allocation{});
    if (!allocation || held.places[place]) continue;
    held.places[place] = true;
    ++held.count;
  }
}

void StepReplay::free_later(Lifetime block) {
  if (held_[static_cast<std::size_t>(block)].count == 0) return;
  for (std::size_t place = 0; place < sizes_->places; ++place) free_later(block, place);
}

void StepReplay::free_later(Lifetime block, std::size_t place) {
  const LifetimeTensors& of = sizes_->blocks[static_cast<std::size_t>(block)];
  Held& held = held_[static_cast<std::size_t>(block)];
  if (ended_ || held.count == 0 || !held.places[place]) return;
  to_free_.insert(to_free_.end(), held.tensors.begin() + static_cast<std::ptrdiff_t>(of.first[place]), held.tensors.begin() + static_cast<std::ptrdiff_t>(of.first[place + 1]));
  held.places[place] = false;
  --held.count;
}

void StepReplay::free_now() {
  allocator_.free(to_free_);
  to_free_.clear();
}

} // namespace plimsoll::footprint_detail
