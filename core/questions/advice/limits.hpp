#pragma once

#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/solve.hpp"
#include "questions/advice/replay.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace plimsoll::io {

/// How many inputs a scenario that fits is asked about: how far those that people raise may rise, and GPUs fall.
inline constexpr std::size_t kLimits = 6;

/// The search for one of them, in steps.
class LimitSession {
public:
  /// `index` is below kLimits; `catalog` and `answer`, which is ok, must outlive it.
  LimitSession(const Catalog& catalog, const Answer& answer, std::size_t index);
  /// A step of one value's replay more. False once all is done.
  bool advance();
  /// Whole once all is done; nothing where that input means nothing here.
  const std::optional<InputLimit>& limit() const noexcept { return limit_; }

private:
  void begin_largest(const Field& field);
  void begin_fewest(const Field& field);
  void take(const Solved& solved);
  void try_fewer();
  bool tell_fewer();

  const Catalog* catalog_;
  const Answer* answer_;
  std::optional<InputLimit> limit_;
  std::optional<SolveSession> solving_; ///< of what people raise
  Answer there_;                        ///< with fewer GPUs
  AnswerReplay replay_;                 ///< of that
  std::int64_t value_ = 0;              ///< how many there; 0 = none are tried
};

/// The nearest first.
void sort_limits(std::vector<InputLimit>& limits);

} // namespace plimsoll::io
