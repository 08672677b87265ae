#pragma once
// A scenario as front ends pass it on.

#include "plimsoll/request/request.hpp"

#include <string_view>

namespace plimsoll::io {

/// A JSON object, or the query of a link.
inline Request request_from_text(std::string_view text, bool is_json, Issues& issues) { return is_json ? request_from_json(text, issues) : request_from_query(text, issues); }

} // namespace plimsoll::io
