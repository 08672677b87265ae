#pragma once
// The question of a row of evidence: a query as it stands in a link, or files and a launch line, read as `plimsoll import` reads them.

#include "plimsoll/evidence/accuracy.hpp"
#include "plimsoll/request/request.hpp"
#include "text/json.hpp"

#include <string>
#include <vector>

namespace plimsoll::io::accuracy {

struct Question {
  Request request;
  std::vector<std::string> assumed; ///< what the import took for granted, and what it would have asked back
};

/// Whether the row has any of "query", "files" and "launch".
bool has_question(const Json& row);

/// The question that the row puts; what hinders that goes to `issues` as errors. "answers" are told to the import, and those that are inputs
/// stand above what the files say.
Question question_of(const Json& row, const RowFiles& files, Issues& issues);

} // namespace plimsoll::io::accuracy
