#pragma once
// Members of JSON objects as texts.

#include "text/json.hpp"

#include <string>

namespace plimsoll::io {

/// The text under a key; "" where there is none, or something else.
std::string text_at(const Json& object, const char* key);

/// A number or a truth value under the key as its text, too; "" where there is none, or a value that holds others.
std::string plain_text_at(const Json& object, const char* key);

} // namespace plimsoll::io
