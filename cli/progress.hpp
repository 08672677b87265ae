#pragma once
// How far a long command is, on a terminal: standard error, one line that is written over.

#include <chrono>
#include <cstdint>

namespace plimsoll::cli {

class Progress {
public:
  /// `of` 0 = nobody knows. `done` were there before.
  Progress(std::uint64_t done, std::uint64_t of);
  ~Progress(); ///< clears the line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void show(std::uint64_t done);

private:
  using Clock = std::chrono::steady_clock;
  bool is_shown_;
  std::uint64_t before_, of_;
  Clock::time_point start_, last_;
};

} // namespace plimsoll::cli
