#pragma once
// Searches for plans, to their end.

#include "scenarios.hpp"

#include "plimsoll/questions/plan.hpp"

#include <string_view>

namespace plimsoll::test {

/// What the whole search finds for a query, at the prices that are built in.
inline io::PlanAnswer plan_for(std::string_view query) {
  static const io::Prices kPrices = io::Prices::load(catalog());
  Issues issues;
  io::PlanSession session{catalog(), kPrices, io::request_from_query(query, issues), issues};
  session.finish(1);
  return session.answer();
}

} // namespace plimsoll::test
