#pragma once
// The requests of one replica: how long they are and when they come.

#include "plimsoll/method/serving.hpp"
#include "plimsoll/method/strategy.hpp"
#include "plimsoll/method/workload.hpp"

#include <cstdint>
#include <vector>

namespace plimsoll::timing {

struct Request {
  std::int64_t prompt = 1, answer = 1; ///< tokens
  std::int64_t cached = 0; ///< of the prompt, which an earlier request left in the cache
  std::int64_t brought = 0; ///< of the prompt, which comes back from the host's memory or from drives …
  bool from_drives = false; ///< … of these
  double on_the_way = 0;    ///< ns that this takes
  double arrival = 0;  ///< ns; of a closed load, when the request before it in its slot ended
  double ready = 0;    ///< when the scheduler has it: requests pass the front end one after the other
  // what happens to it
  std::int64_t read = 0;  ///< tokens of the prompt (and of what was answered before a preemption) that are in the cache
  std::int64_t given = 0; ///< tokens of the answer
  double first = 0, last = 0; ///< ns of the first and of the last token
};

struct RequestPlan {
  std::vector<Request> requests;
  std::int64_t at_once = 0; ///< of a closed load; 0 = they come by a rate
  std::int64_t measured_from = 0; ///< the first request that counts
};
/// Of one replica of those that the strategy has: of a trace, every so manieth request.
RequestPlan requests_of(const Traffic& traffic, const Serving& serving, const Strategy& strategy);

} // namespace plimsoll::timing
