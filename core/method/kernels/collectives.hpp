#pragma once
// Collectives among the GPUs of a node. In one shot each GPU reads what all others have; in a ring a message goes round in parts. Both wait
// for the others before the first byte. Thakur, Rabenseifner and Gropp, 2005, section 4.

#include "method/kernels/gpu.hpp"

namespace plimsoll::kernels {

struct Message {
  double bytes = 0; ///< that each GPU has, or gets, of all parts together
  double gpus = 2;  ///< that take part; >= 2
  double rounds = 2; ///< times that all but one part of it goes over the link: 2 in an all-reduce, 1 in a gather, scatter or exchange
};

struct CollectiveNumber {
  enum : std::size_t {
    launch,  ///< ns before the first byte
    link,    ///< share of the link's rate that long messages reach
    shot,    ///< share of it that one shot reaches
    hop,     ///< ns for each further GPU
    shot_launch, ///< ns before the first byte of one shot
    half,    ///< bytes of a ring's beginning and end
    memory,  ///< times that the message goes through memory
    count
  };
};

/// Nanoseconds.
inline double collective_ns(const Message& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double others = of.gpus - 1;
  const double rate = per_ns(gpu.link * with[CollectiveNumber::link]);
  const double sent = of.rounds * of.bytes * others / of.gpus;
  const double through = ns_of(of.bytes * with[CollectiveNumber::memory], gpu.memory);
  const double ring = with[CollectiveNumber::launch] + others * with[CollectiveNumber::hop] + through + (sent + std::min(of.bytes, with[CollectiveNumber::half])) / rate;
  const double shot = with[CollectiveNumber::shot_launch] + ns_of(others * of.bytes, gpu.link * with[CollectiveNumber::shot]);
  return std::min(ring, shot);
}

} // namespace plimsoll::kernels
