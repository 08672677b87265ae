#pragma once
// One row of a table of training runs against the estimate.

#include "evidence/rows.hpp"

namespace plimsoll::io::accuracy::training_runs {

/// GPU-hours of the whole `job`, or tokens per second of its step; a reason where the row is no question.
void predict(const Json& row, bool job, Comparison& comparison);

} // namespace plimsoll::io::accuracy::training_runs
