#pragma once
// The facts of a model in groups, as forms and reference pages head them. There are many facts, and people look for one of them.

#include "plimsoll/method/fields.hpp"

#include <string_view>

namespace plimsoll::io {

/// The heading under which a row of model_facts() stands, e.g. "Experts"; "" for other fields.
std::string_view group_of(const Field& field) noexcept;

} // namespace plimsoll::io
