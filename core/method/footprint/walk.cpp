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

Walk::Walk(const Scenario& scenario, const Pieces& pieces, const AllocatorSettings& settings, std::optional<Bytes> capacity)
    : scenario_(scenario), pieces_(pieces), allocator_(settings, capacity), ends_at_failure_(capacity.has_value()), lifetimes_(moments::lifetimes_of(scenario)) {
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) held_[i].resize(pieces.blocks[i].places.size());
  if (!trains(scenario.workload.task) || !memory::state_plan(scenario).by_unit) return;
  const ShardingProfile& sharding = scenario.profile.training.states.sharding;
  if (sharding.gathers_on_own_stream) gathered_ = kGathered;
  if (sharding.reduces_on_own_stream) reduced_ = kReduced;
}

Stream Walk::stream_of(Lifetime block) const noexcept {
  return contains(gathered_, block) ? kGatherStream : contains(reduced_, block) ? kReduceStream : Stream{0};
}

void Walk::run(std::span<const std::int64_t> eighths) {
  for (const std::int64_t each : eighths) {
    if (trains(scenario_.workload.task)) train(each);
    else serve();
  }
}

LifetimeSet Walk::set_at(Moment moment, moments::Lifetimes lifetimes) const {
  LifetimeSet alive = moments::alive_at(moment, lifetimes); // what stands outside the allocator has no pieces
  if (!stepped_) alive &= ~set_of({states});
  return alive;
}

void Walk::train(std::int64_t eighths) {
  eighths_ = eighths;
  moments::Lifetimes first = lifetimes_; // no gradients of earlier micro-batches are there
  first.accumulates = false;
  for (Moment moment : moments::of(scenario_)) // what a composition does before the step
    if (moment == Moment::rollout || moment == Moment::scoring) become(set_at(moment, lifetimes_));
  run_micro_batch(first);
  if (lifetimes_.accumulates) run_micro_batch(lifetimes_); // all later ones are like the second
  stepped_ = true;
  become(set_at(Moment::optimizer_step, lifetimes_));
  become(set_at(Moment::between_steps, lifetimes_));
}

void Walk::run_micro_batch(moments::Lifetimes lifetimes) {
  const LifetimeSet forward = set_at(Moment::forward_end, lifetimes);
  become(forward & set_of({resident, states, gradients_head, gradients_final_norm, gradients_layers, gradients_ends, head_gradient}));
  for (std::size_t place = 0; place < pieces_.places; ++place)
    for (Lifetime block : {layers, copies_layers, copies_cached})
      if (contains(forward & kByLayer, block)) make(block, place);
  become(forward);
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
  for (std::size_t place = pieces_.places - 1; place > 0; --place) {
    if (place == pieces_.remaining) continue;
    for (Lifetime block : {recomputed_layer, temporaries, working_gradient, copies_recomputed}) drop(block);
    drop(layers, place);
    drop(copies_layers, place);
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
  for (std::size_t i = 0; i < moments::kLifetimes; ++i) {
    const auto block = static_cast<Lifetime>(i);
    if (contains(alive, block) && block != gradients_but_one) make(block);
  }
  if (!all_but_one) return;
  for (std::size_t place = 0; place < pieces_.places; ++place)
    if (place != pieces_.remaining && place != 0) make(gradients_layers, place);
}

void Walk::make(Lifetime block) {
  for (std::size_t place = 0; place < pieces_.places; ++place) make(block, place);
}

void Walk::make(Lifetime block, std::size_t place) {
  const BlockPieces& from = pieces_.blocks[static_cast<std::size_t>(block)];
  Place& held = held_[static_cast<std::size_t>(block)][place];
  if (!held.empty() || ended_) return;
  for (const Bytes bytes : from.places[place]) {
    const std::int64_t wanted = from.by_tokens && eighths_ < 8 ? bytes.value / 8 * eighths_ : bytes.value;
    if (const auto allocation = allocator_.allocate(Bytes{wanted}, stream_of(block))) held.push_back(*allocation);
    else if (ends_at_failure_) {
      ended_ = true;
      return;
    }
  }
}

void Walk::drop(Lifetime block) {
  for (std::size_t place = 0; place < pieces_.places; ++place) drop(block, place);
}

void Walk::drop(Lifetime block, std::size_t place) {
  if (ended_) return;
  Place& held = held_[static_cast<std::size_t>(block)][place];
  for (const Allocation allocation : held) allocator_.free(allocation);
  held.clear();
}

} // namespace plimsoll::footprint_detail
