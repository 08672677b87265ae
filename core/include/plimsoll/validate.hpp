#pragma once

#include "plimsoll/issue.hpp"
#include "plimsoll/scenario.hpp"

namespace plimsoll {

/// Everything that is wrong with `inputs`: values outside their field's range, and combinations that cannot run (heads that
/// tensor parallelism does not divide, a context longer than a learned position table, ...). Empty means: estimate() may run.
Issues validate(const Inputs& inputs);

} // namespace plimsoll
