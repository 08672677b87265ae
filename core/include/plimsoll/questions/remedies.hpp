#pragma once
// What to press where an input is wrong: changes that take its issue away, found by trying them.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/questions/changes.hpp"

#include <cstddef>
#include <vector>

namespace plimsoll::io {

/// At most `most` changes of the issue's field after which neither it nor another error of that field is left, and no error more than
/// before: ids that are spelled alike, the nearest numbers, other choices, last the default. Nothing for issues of no field and for those that
/// nothing of this mends.
std::vector<InputChange> remedies(const Catalog& catalog, const Answer& answer, const Issue& issue, std::size_t most = 2);

} // namespace plimsoll::io
