#pragma once
// Many questions at once: a request some of whose inputs take several values in turn.

#include "plimsoll/method/issue.hpp"
#include "plimsoll/request/request.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::io {

/// An input with the values that it takes, as in a query.
struct SweepAxis {
  std::string field;
  std::vector<std::string> values;
};

struct Sweep {
  Request fixed;               ///< what is the same in every question, and the first value of each axis
  std::vector<SweepAxis> axes; ///< in the order of the request
  std::uint64_t count = 0;     ///< questions; 0 with errors
  Issues issues;

  /// The question of that number, from 0 on; the last axis changes fastest.
  Request at(std::uint64_t index) const;
};

/// The most values of one range, and the most questions of a sweep.
inline constexpr std::uint64_t kMostSweepValues = 1'000'000;
inline constexpr std::uint64_t kMostSweepQuestions = 1'000'000'000'000;

/// Reads "a,b,c" as three values, "8k..128k*2" as 8k, 16k, 32k, 64k and 128k, and "1..9:2" as 1, 3, 5, 7 and 9; "1..4" goes up by one. Lists
/// may have ranges in them. Inputs that are lists themselves or a text (targets, config, …) take several values with "|" between them; "|"
/// does so everywhere.
Sweep sweep_of(const Request& request, Issues carried = {});

} // namespace plimsoll::io
