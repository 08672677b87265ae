#pragma once
// Searches for plans and devices, which go on a little in every frame.

#include "plimsoll/questions/devices.hpp"
#include "plimsoll/questions/load.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/serving_plan.hpp"

#include <string>
#include <vector>

namespace plimsoll::app {

struct PlanSearch {
  std::string query;       ///< the question that it began with, canonical
  io::PlanSession session; ///< refers to the app's catalogue and prices
  io::PlanAnswer answer;   ///< what is found so far
  bool running = true;
  std::vector<std::string> rests_on = {}; ///< once it is done
};

struct ServingSearch {
  std::string query;              ///< the question that it began with, canonical
  io::ServingPlanSession session; ///< refers to the app's catalogue and prices
  io::ServingPlan plan;           ///< what is found so far
  bool running = true;
  std::vector<std::string> rests_on = {}; ///< once it is done
};

/// What the present question's load comes to.
struct LoadSearch {
  std::string query;       ///< the question, canonical
  io::LatencyLimits limits;
  io::LoadSession session; ///< refers to the app's catalogue and prices
  bool running = true;
};

/// Which devices run the question.
struct DeviceSearch {
  std::string query;          ///< the question, canonical
  io::DevicesSession session; ///< refers to the app's catalogue and prices
  io::DeviceOrder order = io::DeviceOrder::cheapest;
  std::vector<io::DeviceChoice> choices; ///< once it is done, in that order
  bool running = true;
};

} // namespace plimsoll::app
