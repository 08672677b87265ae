#include "answers.hpp"

#include "folder.hpp"
#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/plan.hpp"
#include "plimsoll/questions/sensitivity.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/results/api.hpp"
#include "scenarios.hpp"

#include <sstream>

namespace plimsoll::test {

namespace {

/// Of the searches, solvers and advice. Prices are those that the queries state: lists of prices change.
std::string answer_to_question(const std::string& command, const std::string& query) {
  if (command == "plan") {
    const io::Prices none{std::vector<io::PriceRow>{}};
    Issues issues;
    io::PlanSession session{catalog(), none, io::request_from_query(query, issues), issues};
    session.finish();
    return io::plan_json(session.answer());
  }
  if (command == "serve") return io::serving_plan_json(catalog(), query, false);
  if (command == "advise") return io::advice_json(catalog(), query, false);
  if (command == "sensitivity") return io::sensitivity_json(catalog(), query, false);
  const std::size_t colon = command.find(':');
  return io::solve_json(catalog(), query, false, command.substr(0, colon), command.substr(colon + 1));
}

} // namespace

std::vector<GoldenAnswer> golden_answers() {
  std::vector<GoldenAnswer> answers;
  for (const std::string& line : lines_of_file(kGoldenFolder + "scenarios.txt")) {
    std::string name, query;
    if (std::istringstream{line} >> name >> query)
      answers.push_back({name, false, io::explain_json(catalog(), io::answer_query(catalog(), query))});
  }
  for (const std::string& line : lines_of_file(kGoldenFolder + "questions.txt")) {
    std::string name, command, query;
    if (std::istringstream{line} >> name >> command >> query) answers.push_back({name, true, answer_to_question(command, query)});
  }
  return answers;
}

} // namespace plimsoll::test
