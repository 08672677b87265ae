#pragma once
// One table per topic; fields.cpp joins them.

#include "plimsoll/method/fields.hpp"

#include <span>

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

/// Accessors of a member of one of the input structs, made once per member.
template <auto Struct, auto Member> constexpr std::int64_t get(const Inputs& inputs) {
  return static_cast<std::int64_t>(inputs.*Struct.*Member);
}
template <auto Struct, auto Member> constexpr void set(Inputs& inputs, std::int64_t value) {
  auto& member = inputs.*Struct.*Member;
  member = static_cast<std::remove_reference_t<decltype(member)>>(value);
}

} // namespace plimsoll::tables
