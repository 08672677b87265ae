#include "method/explain/tree.hpp"

#include "method/term.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/model.hpp"
#include "plimsoll/method/profile.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

std::string join(std::string_view a, std::string_view dot, std::string_view b) {
  std::string joined{a};
  if (!b.empty()) joined.append(dot).append(b);
  return joined;
}

} // namespace

Component component_of(const Term& term) {
  const FormulaText& formula = term.formula->written();
  Component leaf;
  const std::string_view part = term.of == nullptr ? "" : term.of->written().id.substr(term.of->written().id.find('.') + 1); // "parameters.mlp" -> "mlp"
  const std::string_view tensor = term.tensor == nullptr ? std::string_view{} : term.tensor->name;
  leaf.id = join(join(join(join(formula.id, ".", part), ".", term.group == nullptr ? "" : term.group->id), ".", tensor), ".", term.variant);
  if (term.role != nullptr) leaf.id = join(join("memory.models.", "", term.role->id), ".", leaf.id.substr(leaf.id.find('.') + 1));
  leaf.label = label_of(term);
  leaf.unit = formula.unit;
  leaf.amount = term.amount;
  leaf.low = term.low;
  leaf.high = term.high;
  leaf.formula = formula.text;
  for (std::size_t i = 0; i < kMaxSymbols && !formula.symbols[i].name.empty(); ++i) {
    const SymbolText& text = formula.symbols[i];
    leaf.symbols.push_back({text.name, term.values[i], text.unit, text.meaning, text.field});
  }
  leaf.citation = term.provenance == nullptr ? formula.citation : std::string_view{term.provenance->citation};
  leaf.basis = term.provenance == nullptr ? formula.basis : term.provenance->basis;
  return leaf;
}

Component sum_of(std::string id, std::string label, std::string_view unit) {
  Component sum;
  sum.id = std::move(id);
  sum.label = std::move(label);
  sum.unit = unit;
  return sum;
}

void add_amounts(Component& sum, const Component& leaf) {
  const auto plus = [](std::int64_t a, std::int64_t b) { return (Count{a} + Count{b}).value; };
  sum.amount = plus(sum.amount, leaf.amount);
  sum.low = plus(sum.low, leaf.low);
  sum.high = plus(sum.high, leaf.high);
  if (sum.basis < leaf.basis) sum.basis = leaf.basis;
}

void add_part(Component& sum, Component leaf) {
  add_amounts(sum, leaf);
  // Tensors that one layer has twice under one name are told apart by a number.
  const auto taken = [&](const std::string& id) { return std::ranges::any_of(sum.parts, [&](const Component& part) { return part.id == id; }); };
  if (taken(leaf.id)) {
    int number = 2;
    while (taken(leaf.id + "_" + std::to_string(number))) ++number;
    leaf.id += "_" + std::to_string(number);
  }
  sum.parts.push_back(std::move(leaf));
}

void collapse_single(Component& sum) {
  if (sum.parts.size() != 1) return;
  Component only = std::move(sum.parts.front());
  only.id = std::move(sum.id);
  only.label = std::move(sum.label);
  sum = std::move(only);
}

} // namespace plimsoll
