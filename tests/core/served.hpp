#pragma once
// What loads are asked of.

#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace plimsoll::test {

/// The scenario of a query that serves and must have no errors.
inline Scenario served(const std::string& query) {
  io::Answer answer = answer_to("task=inference&" + query);
  REQUIRE(answer.ok);
  return answer.scenario;
}

} // namespace plimsoll::test
