#include "method/term.hpp"

#include "plimsoll/method/model.hpp"

namespace plimsoll {

const Term kNoTerm{};

std::string label_of(const Term& term) {
  std::string label{term.tensor != nullptr ? term.tensor->name : term.of == nullptr ? term.formula->written().label : term.of->written().label};
  if (term.tensor == nullptr && term.group != nullptr && !term.group->label.empty()) label.append(", ").append(term.group->label);
  if (!term.variant.empty()) label.append(" (").append(term.variant).append(")");
  return label;
}

} // namespace plimsoll
