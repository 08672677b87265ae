#pragma once
// Rows that tests/measure writes: the scenario's settings verbatim, and what the allocator said.

#include "evidence/measured.hpp"

namespace plimsoll::io::accuracy::training_steps {

/// Total: any JSON gives a row, with a reason where it is no question.
MeasuredRow inputs_of(const Json& row);

} // namespace plimsoll::io::accuracy::training_steps
