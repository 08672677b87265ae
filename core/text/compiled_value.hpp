#pragma once
// JSON that is compiled in, as the build has read it (compile_values.cpp): a program that asks for it needs no JSON reader. Bytes are the program's own and
// agree with its code; tests/core/compiled_value_test.cpp compares all of them with their files.
//
//   n null   t true   f false   12; a number without a point   %838;1; 83.8, digits and places   !........ another double, the lowest byte first
//   "text\n   [values]   {key=value key=value}, without the space

#include "text/json_value.hpp"

#include <string_view>

namespace plimsoll::io {

/// What write_compiled() wrote.
Json read_compiled(std::string_view bytes);

} // namespace plimsoll::io
