#pragma once
// {"value", "low", "high", "citation", "basis"} -> Constant.

#include "plimsoll/method/profile.hpp"
#include "text/json.hpp"

#include <string>
#include <string_view>

namespace plimsoll::io {

/// Throws std::runtime_error for another name: data that is compiled in is right, which tests see to.
Basis basis_of(const std::string& name);

/// The same text in the program's own data. Throws std::runtime_error where it is no citation's.
std::string_view citation_id(std::string_view id);

/// low and high are the value's where the row has none.
Constant read_constant(const Json& row);

} // namespace plimsoll::io
