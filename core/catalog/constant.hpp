#pragma once
// {"value", "low", "high", "citation", "basis"} -> Constant.

#include "plimsoll/method/profile.hpp"
#include "text/json.hpp"

#include <string>

namespace plimsoll::io {

/// Throws std::runtime_error for another name: data that is compiled in is right, which tests see to.
Basis basis_of(const std::string& name);

/// low and high are the value's where the row has none.
Constant read_constant(const Json& row);

} // namespace plimsoll::io
