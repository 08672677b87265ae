#pragma once
// Attention's core. A prompt: each multiprocessor takes a block of queries of one head and walks over the keys before it; what the last one
// began takes as long as its keys are many. A decode step: each takes a stretch of the cache of one sequence and one head of keys, which all
// its query heads share. Dao, FlashAttention-2, 2023 (arXiv 2307.08691), section 3; Flash-Decoding, 2023.

#include "method/kernels/gpu.hpp"

namespace plimsoll::kernels {

/// Attention of `sequences` that each add `fresh` tokens behind `before`.
struct Attending {
  double sequences = 1;
  double fresh = 1;        ///< tokens of each: 1 in a decode step
  double before = 0;       ///< tokens in the cache already
  double heads = 1;        ///< of queries
  double cached_heads = 1; ///< of keys and values
  double key_width = 128, value_width = 128;
  double cached_bytes = 512; ///< of one token in one head of the cache, keys and values
  double window = 0;       ///< tokens that a query looks back; 0 = all
};

/// Query and key pairs of one head of one sequence.
constexpr double pairs_of(const Attending& of) noexcept {
  const double all = of.fresh * of.before + of.fresh * (of.fresh + 1) / 2;
  if (of.window <= 0 || of.before + of.fresh <= of.window) return all;
  const double growing = std::max(0.0, of.window - of.before); // queries that still see all
  return growing * of.before + growing * (growing + 1) / 2 + (of.fresh - growing) * of.window;
}

/// Keys that the last query looks at.
constexpr double reach_of(const Attending& of) noexcept {
  const double all = of.before + of.fresh;
  return of.window > 0 ? std::min(all, of.window) : all;
}

struct PromptNumber {
  enum : std::size_t {
    launch,   ///< ns before the first byte
    memory,   ///< share of the memory's rate
    compute,  ///< share of the matrix units' rate
    unhidden, ///< of the shorter of both
    scores,   ///< pairs of query and key for which one multiprocessor takes the exponential, per ns
    block,    ///< queries that a multiprocessor takes at once
    start,    ///< keys that a block's beginning and end cost
    token,    ///< ns for each thousand tokens, side by side with nothing
  };
};

/// Nanoseconds of attention over a prompt.
inline double prompt_attention_ns(const Attending& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double unit = per_ns(gpu.flop * with[PromptNumber::compute] / gpu.units);
  const double block = with[PromptNumber::block], blocks = parts_of(of.fresh, block);
  const double pair = 2 * (of.key_width + of.value_width) / unit + 1 / with[PromptNumber::scores];
  const double rows = std::max(of.fresh, std::min(block, of.fresh * of.heads / of.cached_heads)); // short prompts share a block among heads
  const double widened = of.fresh < block ? std::max(1.0, block / std::max(rows, 1.0)) : 1.0;
  const double each = pairs_of(of) + of.fresh * with[PromptNumber::start];
  const double whole = of.sequences * of.heads * each * pair * widened / gpu.units;
  const double longest = block * (reach_of(of) + with[PromptNumber::start]) * pair;
  const double tasks = of.sequences * of.heads * blocks;
  const double work = tasks <= gpu.units ? longest : whole + longest * 0.5;
  const double kept = std::min(of.before + of.fresh, of.window > 0 ? of.window + of.fresh : of.before + of.fresh);
  const double bytes = of.sequences * (of.fresh * of.heads * (of.key_width + of.value_width) * 2 + kept * of.cached_heads * of.cached_bytes);
  const double read = ns_of(bytes, gpu.memory * with[PromptNumber::memory]);
  return with[PromptNumber::launch] + of.sequences * of.fresh * with[PromptNumber::token] / 1e3 + together(work, read, with[PromptNumber::unhidden]);
}

struct DecodeNumber {
  enum : std::size_t {
    launch,   ///< ns before the first byte
    memory,   ///< share of the memory's rate
    compute,  ///< share of the matrix units' rate
    unhidden, ///< of the shorter of both
    feed,     ///< bytes/s that one multiprocessor reads, in thousandths of the memory's rate
    stretch,  ///< cached tokens that one multiprocessor takes at least
    rows,     ///< query heads that are multiplied at once at least
    sequence, ///< ns for each sequence and head of keys on a multiprocessor
  };
};

/// Nanoseconds of attention in a decode step.
inline double decode_attention_ns(const Attending& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double keys = reach_of(of);
  const double groups = of.sequences * of.cached_heads;
  const double rows = parts_of(of.heads / of.cached_heads * of.fresh, with[DecodeNumber::rows]) * with[DecodeNumber::rows];
  const double bytes = groups * keys * of.cached_bytes + 2 * of.sequences * of.fresh * of.heads * (of.key_width + of.value_width);
  const double stretches = parts_of(keys, with[DecodeNumber::stretch]);
  const double tasks = groups * stretches;
  const double rounds = parts_of(tasks, gpu.units);
  const double busy = std::min(tasks, gpu.units);
  const double feed = per_ns(gpu.memory * with[DecodeNumber::feed]) / 1e3;
  const double unit = per_ns(gpu.flop * with[DecodeNumber::compute] / gpu.units);
  const double work = groups * keys * rows * 2 * (of.key_width + of.value_width) / unit / busy;
  const double read = std::max(ns_of(bytes, gpu.memory * with[DecodeNumber::memory]), bytes / busy / feed);
  return with[DecodeNumber::launch] + rounds * with[DecodeNumber::sequence] + together(work, read, with[DecodeNumber::unhidden]);
}

} // namespace plimsoll::kernels
