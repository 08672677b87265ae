#include "explain/tree.hpp"

#include "plimsoll/model.hpp"
#include "plimsoll/profile.hpp"

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
  const Formula& formula = *term.formula;
  Component leaf;
  const std::string_view part = term.of == nullptr ? "" : term.of->id.substr(term.of->id.find('.') + 1); // "parameters.mlp" -> "mlp"
  leaf.id = join(join(formula.id, ".", part), ".", term.group == nullptr ? "" : term.group->id);
  leaf.label = join(term.of == nullptr ? formula.label : term.of->label, ", ", term.group == nullptr ? "" : term.group->label);
  leaf.unit = formula.unit;
  leaf.amount = term.amount;
  leaf.low = term.low;
  leaf.high = term.high;
  leaf.formula = formula.text;
  for (std::size_t i = 0; i < kMaxSymbols && !formula.symbols[i].name.empty(); ++i) {
    const SymbolText& text = formula.symbols[i];
    leaf.symbols.push_back({text.name, term.values[i], text.unit, text.meaning, text.field});
  }
  leaf.citation = term.decisive == nullptr ? formula.citation : std::string_view{term.decisive->citation};
  leaf.basis = term.decisive == nullptr ? formula.basis : term.decisive->basis;
  return leaf;
}

void add_part(Component& sum, Component leaf) {
  const auto plus = [](std::int64_t a, std::int64_t b) { return (Count{a} + Count{b}).value; };
  sum.amount = plus(sum.amount, leaf.amount);
  sum.low = plus(sum.low, leaf.low);
  sum.high = plus(sum.high, leaf.high);
  if (sum.basis < leaf.basis) sum.basis = leaf.basis;
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
