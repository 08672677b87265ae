#pragma once
// One kernel of linear attention or a state space: it reads and writes its channels, and walks along a sequence piece by piece.

#include "method/kernels/gpu.hpp"

namespace plimsoll::kernels {

struct Recurrent {
  double sequences = 1;
  double fresh = 1;    ///< tokens of each
  double channels = 1;
};

struct RecurrenceNumber {
  enum : std::size_t {
    launch, ///< ns before the first byte
    moved,  ///< bytes moved for each token and channel
    kept,   ///< bytes moved for each sequence and channel
    walk,   ///< ns for each thousand tokens of a sequence
    count
  };
};

/// Nanoseconds.
inline double recurrence_ns(const Recurrent& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double bytes = of.sequences * of.channels * (of.fresh * with[RecurrenceNumber::moved] + with[RecurrenceNumber::kept]);
  return with[RecurrenceNumber::launch] + ns_of(bytes, gpu.memory) + of.fresh * with[RecurrenceNumber::walk] / 1e3;
}

} // namespace plimsoll::kernels
