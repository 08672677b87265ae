#include "plimsoll/method/format.hpp"
#include "plimsoll/questions/solve.hpp"
#include "plimsoll/request/request_text.hpp"
#include "text/issues_json.hpp"

namespace plimsoll::io {

namespace {

Json step_result(const std::optional<SolvedStep>& step, const Field* field) {
  if (!step) return nullptr;
  const Trial& trial = step->trial;
  const bool number = field != nullptr ? field->kind == FieldKind::integer : step->value.find_first_not_of("0123456789") == std::string::npos;
  Json result{{"value", number ? Json(std::stoll(step->value)) : Json(step->value)}, {"verdict", name_of(trial.verdict())}};
  if (trial.verdict() == Verdict::invalid) {
    result["issues"] = issues_result(trial.issues);
    return result;
  }
  const Bytes headroom = trial.usable - trial.needs;
  result["needs_bytes"] = trial.needs.value;
  result["needs_text"] = format_bytes(trial.needs);
  result["usable_bytes"] = trial.usable.value;
  result["usable_text"] = format_bytes(trial.usable);
  result["headroom_bytes"] = headroom.value;
  result["headroom_text"] = format_bytes(headroom);
  result["pool_sequences"] = trial.judgement.pool.exists ? Json(trial.judgement.pool.sequences.value) : Json(nullptr);
  return result;
}

/// An unknown goal is an issue like any other.
std::optional<Goal> goal_of(std::string_view text) {
  if (text == "largest") return Goal::largest;
  return text == "smallest" ? std::optional{Goal::smallest} : std::nullopt;
}

std::string answered(const Catalog& catalog, const Request& request, std::string_view goal, std::string_view field, Issues issues) {
  const std::optional<Goal> wanted = goal_of(goal);
  if (wanted) return solve_json(solve(catalog, request, {*wanted, std::string{field}}, std::move(issues)));
  Solved refused;
  refused.question.field = field;
  refused.issues = std::move(issues);
  refused.issues.push_back({Severity::error, "", quoted(goal) + " is no goal.", "Write \"largest\" or \"smallest\"."});
  return solve_json(refused);
}

} // namespace

std::string solve_json(const Solved& solved) {
  const Field* const field = find_field(solved.question.field);
  return dump(Json{{"ok", solved.ok()},
                   {"issues", issues_result(solved.issues)},
                   {"field", solved.question.field},
                   {"goal", solved.question.goal == Goal::largest ? "largest" : "smallest"},
                   {"method", name_of(solved.method)},
                   {"tried", solved.tried},
                   {"query", solved.query},
                   {"answer", step_result(solved.answer, field)},
                   {"next", step_result(solved.next, field)}});
}

std::string solve_json(const Catalog& catalog, std::string_view scenario, bool is_json, std::string_view goal, std::string_view field) {
  Issues issues;
  const Request request = request_from_text(scenario, is_json, issues);
  return answered(catalog, request, goal, field, std::move(issues));
}

} // namespace plimsoll::io
