#pragma once
// What a file that was written does not say: it is read again, and whatever is then different is named.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"
#include "plimsoll/request/request.hpp"

#include <string>
#include <vector>

namespace plimsoll::io {

/// What somebody who has the same device gets of a file that was read into `request`.
Answer answer_again(const Catalog& catalog, const Answer& answer, Request request);

/// Inputs of the task itself that such a file does not bring back, as sentences that begin with "name=value: ".
std::vector<std::string> lost_inputs(const Answer& answer, const Answer& again);

} // namespace plimsoll::io
