// Every formula's text, evaluated with the symbols recorded beside it, gives the number the code gave.
#include "formula_text.hpp"
#include "scenarios.hpp"

#include <catch2/catch_test_macros.hpp>

#include <functional>

using namespace plimsoll;

namespace {

void each_leaf(const Component& component, const std::function<void(const Component&)>& visit) {
  if (component.parts.empty()) visit(component);
  for (const Component& part : component.parts) each_leaf(part, visit);
}

/// All leaves of all moments, of the parameters and of the facts.
void each_leaf(const Scenario& scenario, const Estimate& estimate, const std::function<void(const Component&)>& visit) {
  for (std::size_t i = 0; i < estimate.moments.size(); ++i) each_leaf(explain_moment(scenario, estimate.moments[i].moment, estimate.rank), visit);
  const Explanation explanation = explain(scenario, estimate);
  each_leaf(explanation.parameters, visit);
  for (const Component& fact : explanation.facts) each_leaf(fact, visit);
}

void each_leaf(const io::Answer& answer, const std::function<void(const Component&)>& visit) { each_leaf(answer.scenario, answer.estimate, visit); }

} // namespace

TEST_CASE("the text of every formula evaluates to the code's number") {
  for (const std::string& query : test::valid_queries(200))
    each_leaf(test::answer_to(query), [&](const Component& leaf) {
      INFO(query << "\n" << leaf.id << " = " << leaf.formula);
      CHECK(test::evaluate(leaf.formula, leaf.symbols) == leaf.amount);
    });
}

TEST_CASE("the text of every formula of divided states evaluates to the code's number, and its symbols are used") {
  for (const std::string& query : test::sharding_queries())
    each_leaf(test::answer_to(query), [&](const Component& leaf) {
      INFO(query << "\n" << leaf.id << " = " << leaf.formula);
      CHECK(test::evaluate(leaf.formula, leaf.symbols) == leaf.amount);
      CHECK(test::unused_symbols(leaf.formula, leaf.symbols).empty());
      CHECK(test::catalog().find_citation(leaf.citation) != nullptr);
      CHECK(leaf.low <= leaf.amount);
      CHECK(leaf.amount <= leaf.high);
      for (const Symbol& symbol : leaf.symbols) CHECK((symbol.field.empty() || find_field(symbol.field) != nullptr));
    });
}

TEST_CASE("so does the text of the formula for stages of different sizes") {
  int found = 0;
  each_leaf(test::answer_to("model=llama-3-8b&task=pretrain&profile=megatron&precision=master_bf16&pipeline_parallel=3&micro_batches=6&first_stage_layers=10&last_stage_layers=10"),
            [&](const Component& leaf) {
              INFO(leaf.id << " = " << leaf.formula);
              CHECK(test::evaluate(leaf.formula, leaf.symbols) == leaf.amount);
              CHECK(test::unused_symbols(leaf.formula, leaf.symbols).empty());
              found += leaf.id == "time.pipeline.uneven" ? 1 : 0;
            });
  CHECK(found == 1);
}

TEST_CASE("so does the text of formulas for prediction depths") {
  const Scenario scenario = test::predicting_scenario();
  int found = 0;
  each_leaf(scenario, estimate_rank(scenario, scenario.strategy.pipeline_parallel - 1), [&](const Component& leaf) {
    INFO(leaf.id << " = " << leaf.formula);
    CHECK(test::evaluate(leaf.formula, leaf.symbols) == leaf.amount);
    found += leaf.id.find("prediction") != std::string::npos ? 1 : 0;
  });
  CHECK(found > 0);
}

TEST_CASE("every symbol is used by its formula, has a meaning, and points at an input that exists") {
  for (const std::string& query : test::valid_queries(20))
    each_leaf(test::answer_to(query), [&](const Component& leaf) {
      INFO(leaf.id << " = " << leaf.formula);
      CHECK(test::unused_symbols(leaf.formula, leaf.symbols).empty());
      for (const Symbol& symbol : leaf.symbols) {
        INFO(symbol.name);
        CHECK(!symbol.meaning.empty());
        CHECK((symbol.field.empty() || find_field(symbol.field) != nullptr));
      }
    });
}

TEST_CASE("every leaf cites a source of the catalogue, or confesses that it is assumed") {
  for (const std::string& query : test::valid_queries(50))
    each_leaf(test::answer_to(query), [&](const Component& leaf) {
      INFO(query << "\n" << leaf.id << " cites “" << leaf.citation << "”");
      CHECK((test::catalog().find_citation(leaf.citation) != nullptr || leaf.basis == Basis::assumed));
    });
}

TEST_CASE("the evaluator itself tells right from wrong") {
  const std::vector<Symbol> symbols{{"a", 7, "", "", ""}, {"b", 3, "", "", ""}};
  CHECK(test::evaluate("ceil_div(a, b) * b + max(a, b) - min(a, b) * (2 + 1)", symbols) == 9 + 7 - 9);
  CHECK_THROWS(test::evaluate("a + c", symbols));
  CHECK_THROWS(test::evaluate("a +", symbols));
  CHECK(test::unused_symbols("a * 2", symbols) == std::vector<std::string>{"b"});
}
