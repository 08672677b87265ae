#pragma once
// The requests of one replica: how long they are and when they come.

#include "plimsoll/method/serving.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/workload.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll::timing {

struct Request {
  std::int64_t prompt = 1; ///< tokens
  std::int64_t answer = 1; ///< tokens; passes that give them, where the scheduler has the request (AnswerPasses)
  std::int64_t added = 1;  ///< tokens of its own, where it goes on with a conversation
  std::int64_t turn = 0;   ///< of its conversation; 0 is the first
  std::int64_t before = -1; ///< the request before it in its conversation, where that has left it a place in the cache; -1 = none
  std::int64_t cached = 0; ///< of the prompt, which an earlier request left in the cache
  std::int64_t brought = 0; ///< of the prompt, which comes back from the host's memory or from drives …
  bool from_drives = false; ///< … of these
  double on_the_way = 0;    ///< ns that this takes
  double arrival = 0;  ///< ns; of a closed load, when the request before it in its slot ended
  double ready = 0;    ///< when the scheduler has it: requests pass the front end one after the other
  // what happens to it
  std::int64_t read = 0;  ///< tokens of the prompt (and of what was answered before a preemption) that are in the cache
  std::int64_t given = 0; ///< passes that gave it tokens of the answer
  double first = 0, last = 0; ///< ns of the first and of the last token
  std::int64_t found = 0; ///< tokens of the prompt that were in a cache
  std::int64_t asked_prompt = 0, asked_answer = 0; ///< tokens as it came

  /// The server has it.
  void enters(const class AnswerPasses& passes) noexcept;
};

/// Answers in passes: the first token comes with the prompt's last pass, and where drafts are checked each further pass gives more than one.
class AnswerPasses {
public:
  /// `accepted`: thousandths of tokens that a pass gives; at least 1000.
  explicit AnswerPasses(std::int64_t accepted) noexcept : accepted_(accepted < kOne ? kOne : accepted) {}

  std::int64_t tokens(std::int64_t passes) const noexcept { return accepted_ == kOne || passes <= 1 ? passes : 1 + (passes - 1) * accepted_ / kOne; }
  std::int64_t passes(std::int64_t tokens) const noexcept { return accepted_ == kOne || tokens <= 1 ? tokens : 1 + ((tokens - 1) * kOne + accepted_ - 1) / accepted_; }
  std::int64_t most() const noexcept { return (accepted_ + kOne - 1) / kOne; } ///< tokens that one pass may give
  double each() const noexcept { return static_cast<double>(accepted_) / static_cast<double>(kOne); }

private:
  static constexpr std::int64_t kOne = 1000;
  std::int64_t accepted_;
};

/// Thousandths of requests that find the shared beginning of their prompt, by where it is.
struct Hits {
  std::int64_t gpu = 0, host = 0, drives = 0;
};
Hits hits_of(const Traffic& traffic, const Serving& serving) noexcept;

/// Of prompts or answers, the mean of their squares over the square of their mean: a pass sees long ones more often than short ones. 1 where all are
/// alike. That of an even spread is left out: a twelfth of it squared.
double squares_of(const Traffic& traffic) noexcept;

struct RequestPlan {
  std::vector<Request> requests; ///< in the order in which they come
  std::int64_t at_once = 0; ///< of a closed load; 0 = they come by a rate
  std::int64_t begin = 0;   ///< requests that come by themselves; each other one when another has ended
  std::int64_t turns = 1;   ///< of a conversation
  std::int64_t context = 0; ///< tokens at which a conversation ends, where lengths have no longest; 0 = none
  double think = 0;         ///< ns from an answer to the next turn

  /// Makes `next` the turn that follows `ended`, the request at `index`, where its conversation has one; whether it has. A conversation that has no room
  /// for it begins anew.
  bool goes_on(Request& next, const Request& ended, std::int64_t index) const noexcept;
  std::int64_t measured_from = 0;  ///< the first request that counts
  std::int64_t measured_until = 0; ///< the first that counts no more: later ones are there so that the load stays as it is
};
/// Of one replica of those that the strategy has: of a trace, every so manieth request. None that is drawn is longer than the workload's context.
RequestPlan requests_of(const Workload& workload, const Serving& serving, const Strategy& strategy);

} // namespace plimsoll::timing
