#pragma once

#include "plimsoll/request/request.hpp"

namespace plimsoll::io {

/// Whether a request holds all the entries that are read from one text; then an issue says so of `what`, e.g. "query".
bool is_full(const Request& request, std::string_view what, Issues& issues);

} // namespace plimsoll::io
