// Questions that practitioners ask, as tests of what a person reads: the verdict, the number within the truth's tolerance, the refusal.
// Truths are in questions.json, each with its source.
#include "json.hpp"
#include "scenarios.hpp"

#include "plimsoll/files/import.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace plimsoll;
using io::Json;

namespace {

io::Answer asked(const std::string& query) {
  Issues issues;
  const io::Request request = io::request_from_query(query, issues);
  return io::answer(test::catalog(), request, issues);
}

/// "estimate.cache_pool.tokens"
const Json* at(const Json& json, std::string_view path) {
  const Json* found = &json;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const auto member = found->find(path.substr(0, dot));
    if (member == found->end()) return nullptr;
    found = &*member;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return found;
}

void is_near(double value, const Json& expected) {
  const double truth = expected[0].get<double>(), tolerance = expected[1].get<double>() / 1000;
  INFO(value << " against " << truth);
  CHECK(std::abs(value - truth) <= truth * tolerance);
}

double peak_part(const Json& estimate, std::string_view id) {
  const std::string moment = estimate.at("peak").at("moment").text();
  for (const Json& one : estimate.at("moments")) {
    if (one.at("moment").text() != moment) continue;
    for (const Json& part : one.at("parts"))
      if (part.at("id").text() == id) return static_cast<double>(part.at("bytes").get<std::int64_t>());
  }
  return 0;
}

/// The largest or smallest of an input: a number, or one of several names.
void check_solved(const Json& row) {
  Issues issues;
  const Goal goal = row.at("solve")[0].text() == "largest" ? Goal::largest : Goal::smallest;
  const io::Solved solved = io::solve(test::catalog(), io::request_from_query(row.at("query").text(), issues), {goal, row.at("solve")[1].text()});
  for (const Issue& issue : solved.issues) UNSCOPED_INFO(issue.message);
  REQUIRE(solved.answer);
  INFO(solved.answer->value);
  const Json& expect = row.at("expect");
  if (const auto value = expect.find("value"); value != expect.end()) is_near(std::stod(solved.answer->value), *value);
  if (const auto names = expect.find("answers"); names != expect.end())
    CHECK(std::ranges::any_of(*names, [&](const Json& name) { return name.text() == solved.answer->value; }));
}

/// What a file says, as inputs; numbers as they are written.
void check_file(const Json& row) {
  const std::string file = row.at("file").text();
  const io::ImportText text{.text = file};
  const io::ImportedText read = io::import_texts(test::catalog(), {&text, 1});
  for (const Issue& issue : read.issues) UNSCOPED_INFO(issue.message);
  REQUIRE(read.ok);
  const io::Request resolved = io::answer(test::catalog(), read.request).request;
  for (const auto& [field, expected] : row.at("expect").at("scenario").items()) {
    INFO(field);
    const std::string* const value = resolved.find(field);
    REQUIRE(value != nullptr);
    CHECK(*value == (expected.is_string() ? expected.text() : dump(expected)));
  }
}

void check(const Json& row) {
  const std::string query = row.at("query").text();
  INFO(row.at("id").text() << ": " << row.at("question").text() << "\n" << query << "\ntruth: " << row.at("truth").text());
  if (row.contains("file")) return check_file(row);
  if (row.contains("solve")) return check_solved(row);
  const io::Answer answer = asked(query);
  const Json& expect = row.at("expect");
  if (const auto field = expect.find("refused"); field != expect.end()) {
    CHECK(std::ranges::any_of(answer.issues, [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == field->text() && !issue.remedy.empty(); }));
    return;
  }
  for (const Issue& issue : answer.issues) INFO(issue.message);
  REQUIRE(answer.ok);
  const Json json = test::parsed(io::explain_json(test::catalog(), answer));
  const Json& estimate = json.at("estimate");
  const Json& headline = json.at("headline");
  const std::string said = headline.at("verdict").text() + " " + headline.at("rest").text() + " " + headline.at("detail").text();
  INFO(said);
  if (const auto verdict = expect.find("verdict"); verdict != expect.end()) {
    CHECK(estimate.at("verdict").at("id").text() == verdict->text());
    CHECK(estimate.at("fits").get<bool>() == (verdict->text() == "fits"));
  }
  if (const auto fits = expect.find("fits"); fits != expect.end()) CHECK(estimate.at("fits").get<bool>() == fits->get<bool>());
  if (const auto words = expect.find("says"); words != expect.end()) CHECK(said.find(words->text()) != std::string::npos);
  if (const auto part = expect.find("absent"); part != expect.end()) CHECK(dump(json.at("explanation")).find(part->text()) == std::string::npos);
  if (const auto numbers = expect.find("numbers"); numbers != expect.end())
    for (const auto& [path, expected] : numbers->items()) {
      INFO(path);
      const Json* const value = at(json, path);
      REQUIRE(value != nullptr);
      is_near(static_cast<double>(value->get<std::int64_t>()), expected);
    }
  if (const auto parts = expect.find("parts"); parts != expect.end())
    for (const auto& [id, expected] : parts->items()) is_near(peak_part(estimate, id), expected);
  if (const auto scenario = expect.find("scenario"); scenario != expect.end())
    for (const auto& [field, expected] : scenario->items()) CHECK(dump(json.at("scenario").at(field)) == dump(expected));
}

} // namespace

TEST_CASE("questions that practitioners ask are answered as their sources say") {
  const Json file = test::parsed_file("tests/published/questions.json");
  for (const Json& row : file.at("rows")) check(row);
}
