#pragma once
// How formula functions build their Term.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/profile.hpp"

#include <initializer_list>
#include <string>

namespace plimsoll {

template <class Unit>
constexpr Term make_term(const Formula& formula, Quantity<Unit> amount, std::initializer_list<std::int64_t> values) noexcept {
  Term term;
  term.formula = &formula;
  term.amount = term.low = term.high = amount.value;
  std::size_t i = 0;
  for (std::int64_t value : values) term.values[i++] = value;
  return term;
}

/// The same term with the source and basis of the profile's constant that decides it.
inline Term with_provenance(Term term, const Constant& constant) noexcept {
  term.provenance = &constant;
  return term;
}

/// What people read of it: the tensors it is about, or its formula's label, and the layers.
std::string label_of(const Term& term);

inline Term in_group(Term term, const LayerGroup& group) noexcept {
  term.group = &group;
  return term;
}

} // namespace plimsoll
