#pragma once

#include "plimsoll/request/request.hpp"
#include "text/json.hpp"

namespace plimsoll::io {

/// [{"field", "question"}]: what open_questions() says.
Json questions_result(const Request& request);

} // namespace plimsoll::io
