#pragma once

#include "plimsoll/answer/answer.hpp"

#include <optional>

namespace plimsoll::io {

/// An answer's footprint, in the steps of FootprintSession.
class AnswerReplay {
public:
  /// False once the answer has it; at once where it is there, or where the answer has errors.
  bool advance(Answer& answer) {
    if (!answer.ok || answer.footprint) return false;
    if (!steps_) steps_.emplace(answer.scenario, answer.estimate.rank);
    if (steps_->advance()) return true;
    add_footprint(answer, steps_->footprint());
    steps_.reset();
    return false;
  }

private:
  std::optional<FootprintSession> steps_;
};

} // namespace plimsoll::io
