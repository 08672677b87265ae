// Questions beside each other, as text.
#include "plimsoll/questions/compare.hpp"
#include "plimsoll/results/api.hpp"
#include "text/issues_json.hpp"
#include "text/json.hpp"

#include <string>
#include <utility>
#include <vector>

namespace plimsoll::io {

namespace {

Json json_of(const ComparedCell& cell) {
  if (!cell.known) return nullptr;
  return {{"amount", cell.amount}, {"text", cell.text}, {"difference", cell.difference}, {"share", cell.share}};
}

Json json_of(const ComparedRow& row) {
  Json cells = Json::array();
  for (const ComparedCell& cell : row.cells) cells.push_back(json_of(cell));
  return {{"id", row.id}, {"label", row.label}, {"unit", std::string{row.unit}}, {"more_is_better", row.more_is_better}, {"cells", std::move(cells)}};
}

} // namespace

std::string compare_json(const Catalog& catalog, std::span<const std::string> queries, std::string_view devices) {
  std::vector<Answer> answers;
  Json questions = Json::array(), rows = Json::array();
  bool ok = queries.size() >= 1 && queries.size() <= kMostCompared;
  for (std::size_t i = 0; ok && i < queries.size(); ++i) {
    Answer& answer = answers.emplace_back(devices.empty() ? answer_query(catalog, queries[i]) : answer_with_devices(catalog, queries[i], false, devices));
    add_footprint(answer);
  }
  std::vector<const Answer*> all;
  for (const Answer& answer : answers) {
    all.push_back(&answer);
    questions.push_back({{"query", answer.ok ? canonical_query(answer) : queries[questions.size()]}, {"ok", answer.ok}, {"model", answer.inputs.model.name}, {"device", answer.inputs.hardware.name},
                         {"differs", all.size() > 1 ? differing_inputs(catalog, answers.front(), answer) : std::string{}}});
  }
  for (const ComparedRow& row : compare(all)) rows.push_back(json_of(row));
  Issues issues;
  if (!ok)
    issues.push_back({Severity::error, "", std::to_string(queries.size()) + " questions were given.",
                      "Compare from 1 to " + std::to_string(kMostCompared) + " questions."});
  return dump({{"ok", ok}, {"issues", issues_result(issues)}, {"questions", std::move(questions)}, {"rows", std::move(rows)}});
}

} // namespace plimsoll::io
