// The whole way from text to an answer.
#include "broken.hpp"
#include "catalogue.hpp"
#include "invariants.hpp"
#include "targets.hpp"

#include "plimsoll/answer/costs.hpp"
#include "text/json.hpp"

namespace plimsoll::fuzz::targets {

std::string answer(std::string_view text) { return broken_by_query(catalog(), text); }

std::string scenario(std::string_view text) { return broken_by_scenario(catalog(), text); }

std::string cost(std::string_view text) {
  return guarded([&]() -> std::string {
    Issues issues;
    const io::Request request = io::request_from_query(text, issues);
    io::CostQuestion question = io::cost_question(catalog(), request, issues);
    const io::CostAnswer answer = io::answer_cost(catalog(), built_in_prices(), std::move(question), std::move(issues));
    if (answer.ok == has_errors(answer.issues)) return "ok and the issues disagree";
    for (std::size_t i = 1; i < answer.options.size(); ++i)
      if (answer.options[i].option.total < answer.options[i - 1].option.total) return "a dearer offer stands before a cheaper one";
    if (once_in(64, text) && !io::parse_json(io::cost_json(catalog(), answer)).ok) return "cost_json did not return JSON";
    return broken_issues(answer.issues);
  });
}

} // namespace plimsoll::fuzz::targets
