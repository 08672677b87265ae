#pragma once
// Searches for plans, to their end, and what they say where it is opened as a question.

#include "scenarios.hpp"

#include "plimsoll/method/time.hpp"
#include "plimsoll/questions/plan.hpp"

#include <catch2/catch_test_macros.hpp>

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

/// Its time, its memory and its link hold there. Gives the answer to it, with its footprint.
inline io::Answer check_opens(const io::PlannedWay& way) {
  INFO(way.query);
  io::Answer there = answer_to(way.query);
  io::add_footprint(there);
  CHECK(io::canonical_query(there) == way.query);
  CHECK(there.footprint->fits);
  CHECK(there.footprint->process.expected == way.process);
  CHECK(there.estimate.at_peak().total == way.planned.needs);
  CHECK(step_time(there.scenario).total.expected == way.planned.step.expected);
  return there;
}

} // namespace plimsoll::test
