#pragma once
// One table per topic; fields.cpp joins them.

#include "plimsoll/method/fields.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace plimsoll::tables {

std::span<const Field> question() noexcept; ///< task, model, device, profile
std::span<const Field> workload() noexcept;
std::span<const Field> job() noexcept;
std::span<const Field> tuning() noexcept;
std::span<const Field> preference() noexcept;
std::span<const Field> precision() noexcept;
std::span<const Field> serving() noexcept;
std::span<const Field> optimizer() noexcept;
std::span<const Field> recompute() noexcept;
std::span<const Field> parallel() noexcept;
std::span<const Field> pipeline() noexcept;
std::span<const Field> sharding() noexcept;
std::span<const Field> implementation() noexcept;
std::span<const Field> hardware() noexcept;
std::span<const Field> cost() noexcept; ///< money and energy
std::span<const Field> model() noexcept;

/// What people read of a row, or of a choice.
struct Texts {
  std::string_view label, help, remedy;
};

// Of the rows, in their order, then of the choices and parts of each.
std::span<const Texts> question_texts() noexcept;
std::span<const Texts> workload_texts() noexcept;
std::span<const Texts> job_texts() noexcept;
std::span<const Texts> tuning_texts() noexcept;
std::span<const Texts> preference_texts() noexcept;
std::span<const Texts> precision_texts() noexcept;
std::span<const Texts> serving_texts() noexcept;
std::span<const Texts> optimizer_texts() noexcept;
std::span<const Texts> recompute_texts() noexcept;
std::span<const Texts> parallel_texts() noexcept;
std::span<const Texts> pipeline_texts() noexcept;
std::span<const Texts> sharding_texts() noexcept;
std::span<const Texts> implementation_texts() noexcept;
std::span<const Texts> hardware_texts() noexcept;
std::span<const Texts> cost_texts() noexcept;
std::span<const Texts> model_texts() noexcept;

// Rows and choices end with an empty one that nobody reads: the end of those that count is then no other constant's beginning, and a part of a module that
// goes through them is not taken for one that needs what lies behind them (cmake/split/data.mjs).

/// The rows of a table as fields() has them, and what goes apart from them. The table itself is not in the program: it is read while this is compiled.
template <const auto& kTable> constexpr std::size_t kChoicesIn = [] {
  std::size_t count = 0;
  for (const Field& row : kTable) count += row.choices.size() + row.parts.size();
  return count;
}();
template <const auto& kTable> constexpr auto kChoicesOf = [] {
  std::array<Choice, kChoicesIn<kTable> + 1> choices{};
  auto at = choices.begin();
  for (const Field& row : kTable)
    for (const std::span<const Choice> some : {row.choices, row.parts}) at = std::ranges::copy(some, at).out;
  for (Choice& choice : choices) choice.label = choice.help = {};
  return choices;
}();
template <const auto& kTable> constexpr auto kRowsOf = [] {
  std::array<Field, std::size(kTable) + 1> rows{};
  std::ranges::copy(kTable, rows.begin());
  std::size_t at = 0;
  for (Field& row : rows) {
    row.label = row.help = row.needs.remedy = {};
    for (std::span<const Choice>* some : {&row.choices, &row.parts}) {
      *some = std::span<const Choice>{kChoicesOf<kTable>}.subspan(at, some->size());
      at += some->size();
    }
  }
  return rows;
}();
template <const auto& kTable> constexpr std::span<const Field> rows_of() noexcept { return std::span<const Field>{kRowsOf<kTable>}.first(std::size(kTable)); }
template <const auto& kTable> constexpr auto kTextsOf = [] {
  std::array<Texts, std::size(kTable) + kChoicesIn<kTable>> texts{};
  auto at = std::ranges::transform(kTable, texts.begin(), [](const Field& row) { return Texts{row.label, row.help, row.needs.remedy}; }).out;
  for (const Field& row : kTable)
    for (const std::span<const Choice> some : {row.choices, row.parts}) at = std::ranges::transform(some, at, [](const Choice& choice) { return Texts{choice.label, choice.help, {}}; }).out;
  return texts;
}();

/// Accessors of a member of one of the input structs, made once per member.
template <auto Struct, auto Member> constexpr std::int64_t get(const Inputs& inputs) {
  return static_cast<std::int64_t>(inputs.*Struct.*Member);
}
template <auto Struct, auto Member> constexpr void set(Inputs& inputs, std::int64_t value) {
  auto& member = inputs.*Struct.*Member;
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

} // namespace plimsoll::tables
