#pragma once
// A search for plans that goes on a little in every frame.

#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"

#include <string>

namespace plimsoll::app {

struct PlanSearch {
  std::string query;       ///< the question that it began with, canonical
  io::PlanSession session; ///< refers to the app's catalogue and prices
  io::PlanAnswer answer;   ///< what is found so far
  bool running = true;
};

struct ServingSearch {
  std::string query;              ///< the question that it began with, canonical
  io::ServingPlanSession session; ///< refers to the app's catalogue and prices
  io::ServingPlan plan;           ///< what is found so far
  bool running = true;
};

} // namespace plimsoll::app
