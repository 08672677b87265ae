#include "plimsoll/method/format.hpp"
#include "plimsoll/method/rules.hpp"
#include "results/result_json.hpp"

namespace plimsoll::io {

Json component_result(const Catalog& catalog, const Component& component) {
  Json symbols = Json::array();
  for (const Symbol& symbol : component.symbols)
    symbols.push_back({{"name", symbol.name}, {"value", symbol.value}, {"text", format_count(Count{symbol.value})},
                       {"unit", symbol.unit}, {"meaning", symbol.meaning}, {"field", symbol.field}});
  Json citation = nullptr;
  if (const CitationRow* row = catalog.find_citation(component.citation))
    citation = {{"id", row->id}, {"text", row->text}, {"url", row->url}};
  Json parts = Json::array();
  for (const Component& part : component.parts) parts.push_back(component_result(catalog, part));
  return {{"id", component.id},
          {"label", component.label},
          {"unit", component.unit},
          {"amount", component.amount},
          {"low", component.low},
          {"high", component.high},
          {"text", format_amount(component.amount, component.unit)},
          {"exact", format_exact(component.amount, component.unit)},
          {"formula", component.formula},
          {"symbols", std::move(symbols)},
          {"citation", std::move(citation)},
          {"basis", name_of(component.basis)},
          {"parts", std::move(parts)}};
}

Json explanation_result(const Catalog& catalog, const Explanation& explanation) {
  Json facts = Json::array();
  for (const Component& fact : explanation.facts) facts.push_back(component_result(catalog, fact));
  return {{"memory", component_result(catalog, explanation.memory)},
          {"parameters", component_result(catalog, explanation.parameters)},
          {"facts", std::move(facts)}};
}

Json rules_result(const Catalog& catalog, const Scenario& scenario, const Estimate& estimate) {
  Json rules = Json::array();
  for (const RuleOfThumb& rule : rules_of_thumb(scenario, estimate))
    rules.push_back({{"rule", component_result(catalog, rule.rule)},
                     {"against", rule.against},
                     {"estimate", rule.estimate},
                     {"estimate_text", format_amount(rule.estimate, rule.rule.unit)},
                     {"permille", rule.permille},
                     {"leaves_out", rule.leaves_out}});
  return rules;
}

} // namespace plimsoll::io
