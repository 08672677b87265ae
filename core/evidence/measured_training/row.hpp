#pragma once
// Rows of measured training runs with their configuration in words.

#include "evidence/measured.hpp"

namespace plimsoll::io::accuracy::measured_training {

/// Total: any JSON gives a row, with a reason where it is no question.
MeasuredRow inputs_of(const Json& row);

} // namespace plimsoll::io::accuracy::measured_training
