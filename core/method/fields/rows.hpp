#pragma once
// Rows that speak of one member of an input struct: accessors and the default follow from the member.

#include "method/fields/tables.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace plimsoll::tables {

using Text = std::string_view;

template <class Enum> constexpr std::int64_t value(Enum enumerator) { return static_cast<std::int64_t>(enumerator); }

/// What a member holds when nobody sets it.
template <class Struct, class Value> constexpr std::int64_t initial(Value Struct::*member) {
  return static_cast<std::int64_t>(Struct{}.*member);
}

/// Rows of members of `Struct`, all under one topic and for the same tasks.
template <Topic topic, TaskSet tasks, auto Struct> struct Rows {
  template <auto Member> static constexpr Field number(Text name, Text label, Text unit, std::int64_t min, std::int64_t max, Text help) {
    Field field = of<Member>(FieldKind::integer, name, label, help);
    field.unit = unit;
    field.min = min;
    field.max = max;
    return field;
  }
  template <auto Member> static constexpr Field flag(Text name, Text label, Text help) {
    return of<Member>(FieldKind::flag, name, label, help);
  }
  template <auto Member> static constexpr Field choice(Text name, Text label, std::span<const Choice> choices, Text help) {
    Field field = of<Member>(FieldKind::choice, name, label, help);
    field.choices = choices;
    return field;
  }

private:
  template <auto Member> static constexpr Field of(FieldKind kind, Text name, Text label, Text help) {
    constexpr std::int64_t kInitial = initial(Member);
    return {.name = name,
            .topic = topic,
            .kind = kind,
            .label = label,
            .unit = "",
            .help = help,
            .tasks = tasks,
            .defaults = {kInitial, kInitial, kInitial},
            .get = get<Struct, Member>,
            .set = set<Struct, Member>};
  }
};

/// A choice of bits that also takes any set of `parts`.
constexpr Field of_parts(std::span<const Choice> parts, Field field) {
  field.parts = parts;
  return field;
}
constexpr Field advanced(Field field) {
  field.advanced = true;
  return field;
}
/// A share or a price: people write it with digits behind the point, and its member holds thousandths. Under the name `former` earlier
/// versions took the thousandths themselves.
constexpr Field in_thousandths(Text former, Field field) {
  field.decimals = 3;
  field.former = former;
  return field;
}
constexpr Field needing(Condition condition, Field field) {
  field.needs = condition;
  return field;
}

} // namespace plimsoll::tables
