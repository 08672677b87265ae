#pragma once

#include "io/json.hpp"
#include "plimsoll/issue.hpp"

namespace plimsoll::io {

/// [{"severity", "field", "message", "remedy"}].
Json issues_result(const Issues& issues);

} // namespace plimsoll::io
