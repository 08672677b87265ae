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

// What help_of() tells of the rows, in their order, then of the choices and parts of each.
std::span<const std::string_view> question_help() noexcept;
std::span<const std::string_view> workload_help() noexcept;
std::span<const std::string_view> job_help() noexcept;
std::span<const std::string_view> tuning_help() noexcept;
std::span<const std::string_view> preference_help() noexcept;
std::span<const std::string_view> precision_help() noexcept;
std::span<const std::string_view> serving_help() noexcept;
std::span<const std::string_view> optimizer_help() noexcept;
std::span<const std::string_view> recompute_help() noexcept;
std::span<const std::string_view> parallel_help() noexcept;
std::span<const std::string_view> pipeline_help() noexcept;
std::span<const std::string_view> sharding_help() noexcept;
std::span<const std::string_view> implementation_help() noexcept;
std::span<const std::string_view> hardware_help() noexcept;
std::span<const std::string_view> cost_help() noexcept;
std::span<const std::string_view> model_help() noexcept;

/// The rows of a table as fields() has them, and what goes apart from them. The table itself is not in the program: it is read while this is compiled.
template <const auto& kTable> constexpr std::size_t kChoicesIn = [] {
  std::size_t count = 0;
  for (const Field& row : kTable) count += row.choices.size() + row.parts.size();
  return count;
}();
template <const auto& kTable> constexpr auto kChoicesOf = [] {
  std::array<Choice, kChoicesIn<kTable>> choices{};
  auto at = choices.begin();
  for (const Field& row : kTable)
    for (const std::span<const Choice> some : {row.choices, row.parts}) at = std::ranges::copy(some, at).out;
  for (Choice& choice : choices) choice.help = {};
  return choices;
}();
template <const auto& kTable> constexpr auto kRowsOf = [] {
  std::array<Field, std::size(kTable)> rows{};
  std::ranges::copy(kTable, rows.begin());
  std::size_t at = 0;
  for (Field& row : rows) {
    row.help = {};
    for (std::span<const Choice>* some : {&row.choices, &row.parts}) {
      *some = std::span<const Choice>{kChoicesOf<kTable>}.subspan(at, some->size());
      at += some->size();
    }
  }
  return rows;
}();
template <const auto& kTable> constexpr auto kHelpOf = [] {
  std::array<std::string_view, std::size(kTable) + kChoicesIn<kTable>> help{};
  auto at = std::ranges::transform(kTable, help.begin(), &Field::help).out;
  for (const Field& row : kTable)
    for (const std::span<const Choice> some : {row.choices, row.parts}) at = std::ranges::transform(some, at, &Choice::help).out;
  return help;
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
