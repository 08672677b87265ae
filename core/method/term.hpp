#pragma once
// How formula functions build their Term.

#include "plimsoll/method/formula.hpp"
#include "plimsoll/method/profile.hpp"

#include <string>
#include <utility>

namespace plimsoll {

/// What a term is about, besides its formula.
struct About {
  const Formula* of = nullptr;
  const LayerGroup* group = nullptr;
  const Constant* provenance = nullptr; ///< of the profile: its source and basis stand for the formula's
};

/// The values of a formula's first N symbols, in its order.
template <std::size_t N> using SymbolValues = const std::int64_t (&)[N];

template <std::size_t N, std::size_t... at>
constexpr std::array<std::int64_t, kMaxSymbols> symbol_values(SymbolValues<N> values, std::index_sequence<at...>) noexcept { return {values[at]...}; }
/// The same, once for all N.
inline std::array<std::int64_t, kMaxSymbols> symbol_values(const std::int64_t* values, std::size_t count) noexcept {
  std::array<std::int64_t, kMaxSymbols> all{};
  for (std::size_t i = 0; i < count; ++i) all[i] = values[i];
  return all;
}

/// A term with the symbols that `values()` gives. Written member by member, once: a term that is cleared first, or put together elsewhere and
/// copied, takes longer than its formula.
template <class Values> constexpr Term written_term(const Formula& formula, std::int64_t amount, const About& about, Values&& values) noexcept {
  return {.formula = &formula,
          .of = about.of,
          .group = about.group,
          .tensor = nullptr,
          .role = nullptr,
          .variant = {},
          .provenance = about.provenance,
          .amount = amount,
          .low = amount,
          .high = amount,
          .values = values()};
}

/// make_term(), once for all N and units.
inline Term make_term(const Formula& formula, std::int64_t amount, const std::int64_t* values, std::size_t count, About about) noexcept {
  return written_term(formula, amount, about, [&] { return symbol_values(values, count); });
}

/// Whether the file is compiled for size rather than for speed.
#ifdef __OPTIMIZE_SIZE__
static constexpr bool kSmall = true;
#else
static constexpr bool kSmall = false;
#endif

template <class Unit, std::size_t N, bool small = kSmall>
constexpr Term make_term(const Formula& formula, Quantity<Unit> amount, SymbolValues<N> values, About about = {}) noexcept {
  static_assert(N <= kMaxSymbols);
  if constexpr (small) return make_term(formula, amount.value, values, N, about);
  else return written_term(formula, amount.value, about, [&] { return symbol_values<N>(values, std::make_index_sequence<N>{}); });
}

/// The same of a formula without symbols.
template <class Unit> constexpr Term make_term(const Formula& formula, Quantity<Unit> amount, About about) noexcept { return make_term(formula, amount, {0}, about); }

/// What there is not: copied in a few moves, where clearing a term takes a loop.
extern const Term kNoTerm;

/// Terms that come and go together, added up: for those who look at bytes only, since there is no formula. `term` was made of kNoTerm.
inline const Term& put_sum(Term& term, Bytes amount, Bytes low, Bytes high) noexcept {
  term.amount = amount.value;
  term.low = low.value;
  term.high = high.value;
  return term;
}
inline const Term& put_sum(Term& term, Bytes amount) noexcept { return put_sum(term, amount, amount, amount); }

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
