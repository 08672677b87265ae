#pragma once
// From entries to a question for the planner.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/plan.hpp"

#include <optional>
#include <string>
#include <vector>

namespace plimsoll::io {

struct ReadPlan {
  PlanQuestion question;
  std::vector<PlanSetup> setups; ///< of each variant
  std::size_t most = 10;         ///< plans that are shown
  Issues issues;                 ///< with errors the question is not to be searched
};
ReadPlan read_plan(const Catalog& catalog, const Prices& prices, const Request& request, Issues carried);

/// The scenario of a plan, as a request.
Request request_of(const ReadPlan& read, const PlanChoice& choice);

} // namespace plimsoll::io
