// Each line of questions.txt, "name command query", and what searches, solvers and advice answer in expected/name.json: the same natively,
// on any number of threads, and in WebAssembly. Prices are those that the queries state: lists of prices change.
#include "golden.hpp"

#include "plimsoll/io/changes.hpp"
#include "plimsoll/io/plan.hpp"
#include "plimsoll/io/sensitivity.hpp"
#include "plimsoll/io/serving_plan.hpp"
#include "plimsoll/io/solve.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <string>

using namespace plimsoll;

namespace {

std::string answer_to(const std::string& command, const std::string& query) {
  const io::Catalog& catalog = test::catalog();
  if (command == "plan") {
    const io::Prices none{std::vector<io::PriceRow>{}};
    Issues issues;
    io::PlanSession session{catalog, none, io::request_from_query(query, issues), issues};
    session.finish();
    return io::plan_json(session.answer());
  }
  if (command == "serve") return io::serving_plan_json(catalog, query, false);
  if (command == "advise") return io::advise_query_json(catalog, query);
  if (command == "sensitivity") return io::sensitivity_query_json(catalog, query);
  const std::size_t colon = command.find(':');
  return io::solve_query_json(catalog, query, command.substr(0, colon), command.substr(colon + 1));
}

} // namespace

TEST_CASE("golden questions are answered byte for byte") {
  std::ifstream questions{test::kGoldenFolder + "questions.txt"};
  REQUIRE(questions.is_open());
  int count = 0;
  for (std::string name, command, query; questions >> name >> command >> query; ++count) {
    const std::string answer = answer_to(command, query);
    INFO(name);
    CHECK(answer.find("\"ok\":true") != std::string::npos);
    test::check_golden(name, answer + "\n");
  }
  CHECK(count >= 14);
}
