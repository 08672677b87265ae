#pragma once
// What an engine has of conversations between two of their turns. Pages of an answered request stay until others need the room: those of the request
// that was answered longest ago go first, and of each the last ones (vllm-project/vllm, vllm/v1/core/block_pool.py, free_blocks; sgl-project/sglang,
// python/sglang/srt/mem_cache/radix_cache.py, evict, takes the ends of branches likewise). An engine with a slot for each sequence keeps what its slots
// last held: ggml-org/llama.cpp, tools/server/server-context.cpp, get_available_slot. What leaves the GPUs goes to the host, and from there to drives,
// as far as these have room for it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

namespace plimsoll::timing {

class Histories {
public:
  enum Place : unsigned char { gpu, host, drives, kPlaces };
  using Kept = std::array<std::int64_t, kPlaces>; ///< tokens of one conversation, its beginning first
  static constexpr std::int64_t kAnyNumber = std::numeric_limits<std::int64_t>::max();

  /// Of so many requests; tokens that the host and the drives have room for.
  Histories(std::size_t requests, std::int64_t on_host, std::int64_t on_drives) : kept_(requests), room_{kAnyNumber, on_host, on_drives} {}

  std::int64_t on_gpu() const noexcept { return held_[gpu]; }
  const Kept& of(std::int64_t request) const noexcept { return kept_[static_cast<std::size_t>(request)]; }

  /// A request was answered, and leaves so many tokens.
  void keep(std::int64_t request, std::int64_t tokens) {
    add(gpu, request, tokens);
    conversations_ += tokens > 0 ? 1 : 0;
  }

  /// Its conversation goes on: nothing waits for it any more.
  void take(std::int64_t request) noexcept {
    Kept& kept = kept_[static_cast<std::size_t>(request)];
    conversations_ -= kept[gpu] > 0 ? 1 : 0;
    for (std::size_t place = 0; place < kPlaces; ++place) held_[place] -= kept[place];
    kept = {};
  }

  /// What is not on the GPUs goes back to them with its conversation.
  void fetch(std::int64_t request) noexcept {
    Kept& kept = kept_[static_cast<std::size_t>(request)];
    for (const auto place : {host, drives}) {
      held_[place] -= kept[place];
      kept[place] = 0;
    }
  }

  /// Leaves so many tokens of so many conversations on the GPUs, at most.
  void shrink(std::int64_t tokens, std::int64_t conversations) {
    room_[gpu] = tokens;
    for (std::size_t place = 0; place < kPlaces; ++place)
      while (held_[place] > room_[place] || (place == gpu && conversations_ > conversations)) give_up(place, conversations);
  }

private:
  void add(std::size_t place, std::int64_t request, std::int64_t tokens) {
    std::int64_t& kept = kept_[static_cast<std::size_t>(request)][place];
    if (kept == 0) oldest_[place].push_back(request);
    kept += tokens;
    held_[place] += tokens;
  }

  void give_up(std::size_t place, std::int64_t conversations) {
    const std::int64_t request = oldest_[place].front();
    std::int64_t& kept = kept_[static_cast<std::size_t>(request)][place];
    const bool whole = place == gpu && conversations_ > conversations;
    const std::int64_t gone = whole || kept < held_[place] - room_[place] ? kept : held_[place] - room_[place];
    kept -= gone;
    held_[place] -= gone;
    if (kept == 0) {
      oldest_[place].pop_front();
      if (place == gpu && gone > 0) --conversations_;
    }
    if (gone > 0 && place + 1 < kPlaces) add(place + 1, request, gone);
  }

  std::vector<Kept> kept_;
  Kept room_, held_{};
  std::array<std::deque<std::int64_t>, kPlaces> oldest_; ///< by the end of their last request; those whose conversation went on have nothing left
  std::int64_t conversations_ = 0;                       ///< with anything on the GPUs
};

} // namespace plimsoll::timing
