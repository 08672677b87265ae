#pragma once
// From entries to what a search over ways of serving must know.

#include "plimsoll/questions/serving_plan.hpp"
#include "questions/plan/serving_layouts.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace plimsoll::io {

struct ReadServing {
  std::vector<Request> setups;    ///< the scenario on each device with each engine, without what is varied
  std::vector<std::int64_t> gpus;
  ServingDegrees stated;
  std::vector<std::int64_t> batches;
  bool weights_stated = false, cache_stated = false;
  ServingObjective objective = ServingObjective::throughput;
  Count least_rate;               ///< thousandths of a token per second; 0 = any
  Nanoseconds most_first;         ///< 0 = any
  std::int64_t sequences = 0;
  std::size_t most = 10;
  PriceKind kind = PriceKind::on_demand;
  std::string cloud;              ///< in lower case
  Issues issues;                  ///< with errors the question is not to be searched
};
ReadServing read_serving(const Catalog& catalog, const Request& request, Issues carried);

} // namespace plimsoll::io
