#include "method/footprint/walk.hpp"

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

constexpr Stream kGatherStream = 1, kReduceStream = 2;

} // namespace

Walk::Walk(const Scenario& scenario, const Pieces& pieces, const AllocatorSettings& settings)
    : scenario_(&scenario), pieces_(&pieces), allocator_(settings), lifetimes_(moments::lifetimes_of(scenario)), first_lifetimes_(lifetimes_) {
  first_lifetimes_.accumulates = false; // no gradients of earlier micro-batches are there
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    held_[i].tensors.resize(pieces.blocks[i].bytes.size());
    if (!held_[i].tensors.empty()) held_[i].places.resize(pieces.places);
  }
  if (!trains(scenario.workload.task) || !memory::state_plan(scenario).by_unit) return;
  const ShardingProfile& sharding = scenario.profile.training.states.sharding;
  if (sharding.gathers_on_own_stream) gathered_ = kGathered;
  if (sharding.reduces_on_own_stream) reduced_ = kReduced;
}

void Walk::limit(Bytes capacity) {
  allocator_.limit(capacity);
  ends_at_failure_ = true;
}

Stream Walk::stream_of(Lifetime block) const noexcept {
  return contains(gathered_, block) ? kGatherStream : contains(reduced_, block) ? kReduceStream : Stream{0};
}

bool Walk::advance(std::span<const std::int64_t> eighths) {
  if (step_ == eighths.size() || ended_) return false;
  eighths_ = eighths[step_];
  if (trains(scenario_->workload.task)) train(part_);
  else serve();
  const bool last = part_ == PartOfStep::end || !trains(scenario_->workload.task);
  part_ = last ? PartOfStep::before : static_cast<PartOfStep>(static_cast<int>(part_) + 1);
  if (last) ++step_;
  return true;
}

LifetimeSet Walk::set_at(Moment moment, moments::Lifetimes lifetimes) const {
  LifetimeSet alive = moments::alive_at(moment, lifetimes); // what stands outside the allocator has no pieces
  if (!stepped_) alive &= ~set_of({states});
  return alive;
}

void Walk::train(PartOfStep part) {
  switch (part) {
    case PartOfStep::before:
      for (Moment moment : moments::of(*scenario_)) // what a composition does before the step
        if (moment == Moment::rollout || moment == Moment::scoring) become(set_at(moment, lifetimes_));
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
      become(set_at(Moment::optimizer_step, lifetimes_));
      become(set_at(Moment::between_steps, lifetimes_));
      return;
  }
}

void Walk::run_forward(moments::Lifetimes lifetimes) {
  const LifetimeSet forward = set_at(Moment::forward_end, lifetimes);
  become(forward & set_of({resident, states, gradients_head, gradients_final_norm, gradients_layers, gradients_ends, head_gradient}));
  for (std::size_t place = 0; place < pieces_->places; ++place)
    for (Lifetime block : {layers, copies_layers, copies_cached})
      if (contains(forward & kByLayer, block)) make(block, place);
  become(forward);
}

void Walk::run_backward(moments::Lifetimes lifetimes) {
  become(set_at(Moment::loss_backward, lifetimes));
  become(set_at(Moment::head_backward, lifetimes));
  const LifetimeSet last = set_at(Moment::last_layer_backward, lifetimes);
  become(last);
  run_layers_backward(last);
  become(set_at(Moment::first_layer_backward, lifetimes));
  become(set_at(Moment::backward_end, lifetimes));
}

void Walk::run_layers_backward(LifetimeSet alive) {
  const bool gradients_come = !contains(alive, gradients_layers) && !lifetimes_.frees_gradients;
  for (std::size_t place = pieces_->places - 1; place > 0 && !ended_; --place) {
    if (place == pieces_->remaining) continue;
    for (Lifetime block : {recomputed_layer, temporaries, working_gradient, copies_recomputed}) drop(block);
    drop(layers, place);
    drop(copies_layers, place);
    free_dropped();
    if (gradients_come) make(gradients_layers, place);
    for (Lifetime block : {recomputed_layer, temporaries, working_gradient, copies_recomputed})
      if (contains(alive & kOfOneLayer, block)) make(block);
  }
}

void Walk::serve() {
  for (Moment moment : {Moment::prefill, Moment::decode}) become(set_at(moment, lifetimes_));
}

void Walk::become(LifetimeSet alive) {
  // Gradients of all layers but one are those of all layers without that one's: one set of tensors, not two.
  const bool all_but_one = contains(alive, gradients_but_one);
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    const auto block = static_cast<Lifetime>(i);
    if (contains(alive, block) || (block == gradients_layers && all_but_one)) continue;
    drop(block);
  }
  free_dropped();
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    const auto block = static_cast<Lifetime>(i);
    if (contains(alive, block) && block != gradients_but_one) make(block);
  }
  if (!all_but_one) return;
  for (std::size_t place = 0; place < pieces_->places; ++place)
    if (place != pieces_->remaining && place != 0) make(gradients_layers, place);
}

void Walk::make(Lifetime block) {
  if (held_[static_cast<std::size_t>(block)].there == pieces_->places) return;
  for (std::size_t place = 0; place < pieces_->places; ++place) make(block, place);
}

void Walk::make(Lifetime block, std::size_t place) {
  const BlockPieces& from = pieces_->blocks[static_cast<std::size_t>(block)];
  Held& held = held_[static_cast<std::size_t>(block)];
  if (from.bytes.empty() || held.places[place] || ended_) return;
  for (std::size_t i = from.first[place]; i < from.first[place + 1]; ++i) {
    const std::int64_t bytes = from.bytes[i].value;
    const std::int64_t wanted = from.by_tokens && eighths_ < 8 ? bytes / 8 * eighths_ : bytes;
    const auto allocation = allocator_.allocate(Bytes{wanted}, stream_of(block));
    ended_ = !allocation && ends_at_failure_;
    if (ended_) return;
    held.tensors[i] = allocation.value_or(Allocation{});
    if (!allocation || held.places[place]) continue;
    held.places[place] = true;
    ++held.there;
  }
}

void Walk::drop(Lifetime block) {
  if (held_[static_cast<std::size_t>(block)].there == 0) return;
  for (std::size_t place = 0; place < pieces_->places; ++place) drop(block, place);
}

void Walk::drop(Lifetime block, std::size_t place) {
  const BlockPieces& of = pieces_->blocks[static_cast<std::size_t>(block)];
  Held& held = held_[static_cast<std::size_t>(block)];
  if (ended_ || held.there == 0 || !held.places[place]) return;
  dropped_.insert(dropped_.end(), held.tensors.begin() + static_cast<std::ptrdiff_t>(of.first[place]), held.tensors.begin() + static_cast<std::ptrdiff_t>(of.first[place + 1]));
  held.places[place] = false;
  --held.there;
}

void Walk::free_dropped() {
  allocator_.free(dropped_);
  dropped_.clear();
}

} // namespace plimsoll::footprint_detail
