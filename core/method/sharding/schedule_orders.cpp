// Orders of passes:
//   GPipe         Huang et al. 2019 (arXiv 1811.06965), figure 2
//   1F1B          Narayanan et al. 2021 (arXiv 2104.04473), figure 4; interleaved in the order of Megatron-LM,
//                 megatron/core/pipeline_parallel/schedules.py, get_schedule_table
//   ZB-H1, ZB-H2  Qi et al. 2023 (arXiv 2401.10241), figures 2 and 3: what a rank saves in warm-up it spends on weights' gradients that wait
//   ZB-V          Qi et al. 2024 (arXiv 2405.15362); the order as pytorch/pytorch, torch/distributed/pipelining/schedules.py,
//                 ScheduleZBVZeroBubble has it
//   DualPipe, DualPipe-V   deepseek-ai/DualPipe, dualpipe/dualpipe.py and dualpipev.py: eight steps, the same in both
#include "method/sharding/schedule_orders.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace plimsoll::schedule {

namespace {

/// Passes one behind the other; of each chunk and kind the next micro-batch.
class Order {
public:
  void add(PassKind kind, std::int64_t chunk) { add(kind, chunk, next_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(chunk)]++); }
  void add(PassKind kind, std::int64_t chunk, std::int64_t micro_batch) { passes_.push_back({.micro_batch = micro_batch, .chunk = chunk, .kind = kind}); }
  void forward(std::int64_t chunk) { add(PassKind::forward, chunk); }
  void split_backward(std::int64_t chunk) { add(PassKind::input_gradient, chunk), add(PassKind::weight_gradient, chunk); }
  std::int64_t done(PassKind kind, std::int64_t chunk) const { return next_[static_cast<std::size_t>(kind)][static_cast<std::size_t>(chunk)]; }
  std::vector<Pass>& passes() { return passes_; }

private:
  std::vector<Pass> passes_;
  std::array<std::array<std::int64_t, 2>, 4> next_{}; // only schedules with at most two chunks count this way
};

/// Chunks take `group` micro-batches in turn; the last group may be smaller.
std::vector<Pass> in_turn(std::int64_t micro_batches, std::int64_t chunks, std::int64_t group, PassKind kind) {
  std::vector<Pass> passes;
  for (std::int64_t from = 0; from < micro_batches; from += group)
    for (std::int64_t i = 0; i < chunks; ++i)
      for (std::int64_t micro_batch = from; micro_batch < std::min(micro_batches, from + group); ++micro_batch)
        passes.push_back({.micro_batch = micro_batch, .chunk = kind == PassKind::forward ? i : chunks - 1 - i, .kind = kind});
  return passes;
}

} // namespace

std::vector<Pass> gpipe(std::int64_t micro_batches, std::int64_t chunks) {
  return one_f_one_b(micro_batches, chunks, micro_batches, micro_batches * chunks);
}

std::vector<Pass> one_f_one_b(std::int64_t micro_batches, std::int64_t chunks, std::int64_t group, std::int64_t warm_up) {
  const std::vector<Pass> forward = in_turn(micro_batches, chunks, group, PassKind::forward), backward = in_turn(micro_batches, chunks, group, PassKind::backward);
  const auto first = static_cast<std::size_t>(std::min<std::int64_t>(warm_up, std::ssize(forward)));
  std::vector<Pass> passes(forward.begin(), forward.begin() + static_cast<std::ptrdiff_t>(first));
  for (std::size_t i = 0; i < backward.size(); ++i) {
    passes.push_back(backward[i]);
    if (first + i < forward.size()) passes.push_back(forward[first + i]);
  }
  return passes;
}

std::vector<Pass> zero_bubble(std::int64_t micro_batches, std::int64_t warm_up, std::int64_t delay) {
  Order order;
  for (std::int64_t i = 0; i < std::min(micro_batches, warm_up); ++i) order.forward(0);
  for (std::int64_t i = 0; i < micro_batches; ++i) {
    order.add(PassKind::input_gradient, 0);
    if (i >= delay) order.add(PassKind::weight_gradient, 0);
    if (order.done(PassKind::forward, 0) < micro_batches) order.forward(0);
  }
  while (order.done(PassKind::weight_gradient, 0) < micro_batches) order.add(PassKind::weight_gradient, 0);
  return std::move(order.passes());
}

std::vector<Pass> zero_bubble_v(std::int64_t micro_batches, std::int64_t ranks, std::int64_t rank) {
  using enum PassKind;
  const std::int64_t all = std::max(2 * ranks - 1, micro_batches); // with fewer, those that are not there are left out below
  Order order;
  for (std::int64_t i = 0; i < 2 * (ranks - rank) - 1; ++i) order.forward(0);
  for (std::int64_t i = 0; i < rank; ++i) order.forward(1), order.forward(0);
  for (std::int64_t i = 0; i < ranks - rank; ++i) order.forward(1), order.split_backward(1);
  while (order.done(forward, 1) < order.done(forward, 0) || order.done(forward, 0) < all) {
    if (order.done(forward, 0) < all) order.forward(0);
    order.split_backward(0);
    order.forward(1);
    order.split_backward(1);
  }
  for (std::int64_t i = 0; i < rank; ++i) order.add(input_gradient, 0), order.add(input_gradient, 1);
  for (std::int64_t i = 0; i < ranks - rank; ++i) order.split_backward(0);
  for (const std::int64_t chunk : {1, 0})
    while (order.done(weight_gradient, chunk) < order.done(input_gradient, chunk)) order.add(weight_gradient, chunk);
  std::erase_if(order.passes(), [&](const Pass& pass) { return pass.micro_batch >= micro_batches; });
  return std::move(order.passes());
}

std::vector<Pass> both_ways(const BothWays& way) {
  using enum PassKind;
  Order order;
  std::vector<std::pair<std::int64_t, std::int64_t>> waiting; // weights' gradients, first in, first out
  std::size_t ran = 0;
  const std::int64_t towards = way.places - way.place - 1;
  const auto forward_of = [&](std::int64_t chunk) { order.forward(chunk); };
  const auto weight = [&] {
    order.add(weight_gradient, waiting[ran].first, waiting[ran].second);
    ++ran;
  };
  const auto backward_of = [&](std::int64_t chunk, bool split = false) {
    const std::int64_t micro_batch = order.done(backward, chunk);
    order.add(backward, chunk);
    if (!split) return;
    order.passes().back().kind = input_gradient;
    waiting.emplace_back(chunk, micro_batch);
  };
  for (std::int64_t i = 0; i < 2 * towards; ++i) forward_of(way.first);
  for (std::int64_t i = 0; i < way.place + 1; ++i) forward_of(way.first), forward_of(way.other);
  for (std::int64_t i = 0; i < towards; ++i) backward_of(way.other, true), weight(), forward_of(way.other);
  for (std::int64_t i = 0; i < way.micro_batches - 2 * way.places + way.place + 1; ++i)
    forward_of(way.first), backward_of(way.other), forward_of(way.other), backward_of(way.first);
  for (std::int64_t i = 0; i < towards; ++i) backward_of(way.other), forward_of(way.other), backward_of(way.first);
  bool split = false;
  for (std::int64_t i = 0; i < way.place + 1; ++i) { // the second half of them leaves weights' gradients for the end
    const bool turns = i == (way.place + 1) / 2;
    split = split || (turns && way.place % 2 == 1);
    backward_of(way.other, split);
    split = split || turns;
    backward_of(way.first, split);
  }
  for (std::int64_t i = 0; i < towards; ++i) weight(), backward_of(way.first, true);
  while (ran < waiting.size()) weight();
  for (Pass& pass : order.passes())
    if (pass.chunk == 1) pass.micro_batch += way.second_from;
  return std::move(order.passes());
}

} // namespace plimsoll::schedule
