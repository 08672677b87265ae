#pragma once
// Does it run, and does it hold what is asked? One function answers, whoever asks: an estimate, a search for the largest context, a plan,
// a command line that is written. An inference engine that takes its cache at the start has a budget of its own, which ends before the
// device does: it may refuse to start, or start and hold fewer sequences than are asked.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/footprint.hpp"
#include "plimsoll/method/quantity.hpp"
#include "plimsoll/method/scenario.hpp"

#include <cstddef>
#include <string_view>

namespace plimsoll {

/// What is in the way, the first of these that is.
enum class Verdict : unsigned char {
  holds,
  invalid,   ///< validate() refuses the inputs
  start,     ///< the engine does not start: its cache has no room for one sequence of the whole context, or there is no room for a cache
  pool,      ///< the engine starts, and its cache has room for fewer sequences of that context than are asked
  sequences, ///< the engine starts, and takes fewer sequences in a pass than are asked
  device,    ///< more than a process can allocate
  host,      ///< more than the host's memory, where that is stated
};
inline constexpr std::size_t kVerdicts = 7;

std::string_view name_of(Verdict verdict) noexcept; ///< e.g. "cache_pool"

struct Judgement {
  Verdict verdict = Verdict::invalid;
  Count asked{0}; ///< serving: sequences of the whole context at once, each beam one, of one replica; 0 in training
  Count held{0};  ///< of any number, how many there is room for; equal to `asked` where no engine's budget limits them
  CachePool pool; ///< serving: what the engine has for its cache
  Bytes fills;    ///< what the process of one GPU takes once an engine has taken its whole cache, which may leave passes less than they
                  ///< need; 0 where no engine takes one
  Bytes host;     ///< what the GPUs of one node leave to the host's memory

  bool holds() const noexcept { return verdict == Verdict::holds; }
};

/// `scenario` comes from inputs without validate() errors, `estimate` from it. With `whole`, which is of the estimate's rank, the device
/// is judged by the process and its allocator, without by what is alive at the fullest moment.
Judgement judge(const Scenario& scenario, const Estimate& estimate, const Footprint* whole = nullptr) noexcept;

} // namespace plimsoll
