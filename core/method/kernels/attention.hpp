#pragma once
// Attention's core. A prompt: each multiprocessor takes a block of queries of one head, or of all heads that share a cached one, and walks over
// the keys before it; what the last one began takes as long as its keys are many. A decode step: each takes a stretch of the cache of one
// sequence and one head of keys, which its query heads share, as many as the kernel takes at once. Dao, FlashAttention-2, 2023 (arXiv 2307.08691),
// section 3; Flash-Decoding, 2023. Heads are packed by FlashAttention (hopper/heuristics.h, should_pack_gqa; csrc/flash_attn/flash_api.cpp,
// seqlenq_ngroups_swapped: not with a window) and FlashInfer, not by TensorRT-LLM's kernels of prompts.

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
    packed,   ///< share of the heads of one cached head whose queries are in one block, at most 1: kernels pack all of them or none
    edge,     ///< keys that a block walks over beside its window
    outside,  ///< share of the keys outside a window that it walks over all the same, at most 1
    stored,   ///< times that the new keys and values go through memory besides
    count
  };
};

/// Nanoseconds of attention over a prompt.
inline double prompt_attention_ns(const Attending& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double unit = per_ns(gpu.flop * with[PromptNumber::compute] / gpu.units);
  const double pair = 2 * (of.key_width + of.value_width) / unit + 1 / with[PromptNumber::scores];
  const double block = with[PromptNumber::block];
  const double packed = 1 + std::min(with[PromptNumber::packed], 1.0) * (of.heads / of.cached_heads - 1);
  const double deep = block / packed; // queries of one head in a block
  const double tasks = of.sequences * of.heads / packed * parts_of(of.fresh * packed, block);
  const double keys = of.before + of.fresh, reach = reach_of(of);
  const bool slides = reach < keys;
  const double outside = slides ? std::min(with[PromptNumber::outside], 1.0) : 0.0;
  const double beside = slides ? with[PromptNumber::edge] : 0.0;
  const double masked = std::min(of.fresh, deep) * 0.5; // keys of a block's walk that one of its queries does not see, on average
  const double all = of.before + (of.fresh + 1) / 2 + masked;
  const double walked = std::min(pairs_of(of) / of.fresh + masked + beside, all) * (1 - outside) + all * outside + with[PromptNumber::start];
  const double longest = block * (std::min(reach + beside, keys) * (1 - outside) + keys * outside + with[PromptNumber::start]) * pair;
  const double whole = tasks * block * walked * pair / gpu.units;
  const double work = tasks <= gpu.units ? longest : whole + longest * 0.5;
  const double kept = std::min(keys, of.window > 0 ? of.window + of.fresh : keys);
  const double bytes = of.sequences * (of.fresh * of.heads * (of.key_width + of.value_width) * 2 + kept * of.cached_heads * of.cached_bytes);
  const double read = ns_of(bytes, gpu.memory * with[PromptNumber::memory]);
  const double added = of.sequences * of.fresh; // tokens
  const double stored = ns_of(added * of.cached_heads * (of.key_width + of.value_width) * 2 * with[PromptNumber::stored], gpu.memory);
  return with[PromptNumber::launch] + added * with[PromptNumber::token] / 1e3 + stored + together(work, read, with[PromptNumber::unhidden]);
}

struct DecodeNumber {
  enum : std::size_t {
    launch,   ///< ns before the first byte
    memory,   ///< share of the memory's rate
    compute,  ///< share of the matrix units' rate
    unhidden, ///< of the shorter of both
    feed,     ///< bytes/s that one multiprocessor reads, in thousandths of the memory's rate
    stretch,  ///< cached tokens that one task takes at least
    rows,     ///< query heads that are multiplied at once at least
    group,    ///< ns for each task whose query heads share a cached head
    tile,     ///< cached tokens that are multiplied at once
    outside,  ///< share of the tokens outside a window that are read all the same, at most 1
    channel,  ///< ns for each task and channel
    merge,    ///< ns of putting together a sequence that several tasks read
    most,     ///< query heads at most that share a cached head: where it has more, each reads it by itself
    windowed, ///< the same where a window is asked for
    resident, ///< tasks that a multiprocessor works on at once
    swift,    ///< times as fast as from memory that the cache is read
    alone,    ///< ns for each task of a query head that reads by itself
    count
  };
};

/// Nanoseconds of attention in a decode step.
inline double decode_attention_ns(const Attending& of, const Gpu& gpu, const Numbers& with) noexcept {
  const double all = of.before + of.fresh, reach = reach_of(of), outside = std::min(with[DecodeNumber::outside], 1.0);
  const double keys = reach + (all - reach) * outside;
  const double sharing = of.heads / of.cached_heads;
  const double shared = sharing > with[of.window > 0 ? DecodeNumber::windowed : DecodeNumber::most] ? 1.0 : sharing; // heads of a task
  const double groups = of.sequences * parts_of(of.heads, shared);
  const double rows = parts_of(shared * of.fresh, with[DecodeNumber::rows]) * with[DecodeNumber::rows];
  const double places = std::max(1.0, gpu.units * with[DecodeNumber::resident]);
  const double splits = std::max(1.0, std::min(places / groups, parts_of(keys, with[DecodeNumber::stretch])));
  const double tasks = groups * splits, rounds = parts_of(tasks, places), busy = std::min(tasks, places);
  const double width = of.key_width + of.value_width;
  const double bytes = groups * keys * of.cached_bytes + 2 * of.sequences * of.fresh * of.heads * width;
  const double feed = per_ns(gpu.memory * with[DecodeNumber::feed]) / 1e3;
  const double read = std::max(read_ns(bytes, gpu, with[DecodeNumber::memory], with[DecodeNumber::swift]), bytes / busy / feed);
  const double unit = per_ns(gpu.flop * with[DecodeNumber::compute] / gpu.units);
  const double tile = with[DecodeNumber::tile];
  const double work = tasks * parts_of(keys / splits, tile) * tile * rows * 2 * width / unit / busy;
  const double each = with[shared > 1 ? DecodeNumber::group : DecodeNumber::alone] + with[DecodeNumber::channel] * width;
  const double merged = splits > 1 ? with[DecodeNumber::merge] : 0.0;
  return with[DecodeNumber::launch] + merged + rounds * each + together(work, read, with[DecodeNumber::unhidden]);
}

} // namespace plimsoll::kernels
