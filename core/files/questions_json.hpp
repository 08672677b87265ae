#pragma once

#include "plimsoll/files/questions.hpp"
#include "plimsoll/request/request.hpp"
#include "text/json.hpp"

#include <vector>

namespace plimsoll::io {

/// [{"field", "question", "answer"}], with "choices" where there are any.
Json questions_result(const std::vector<OpenQuestion>& questions);
/// What open_questions() says.
Json questions_result(const Request& request);

} // namespace plimsoll::io
