#pragma once

#include "plimsoll/method/issue.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

/// [{"severity", "field", "message", "remedy"}].
Json issues_result(const Issues& issues);

} // namespace plimsoll::io
