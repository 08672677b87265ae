#pragma once

#include "plimsoll/answer/answer.hpp"

#include <string>

namespace plimsoll::io {

/// The hull as a picture: a bar for each pipeline rank at its fullest moment, the load line across them, and the answer in words. The
/// answer must be ok and have its footprint. Whole pixels, so that every platform draws the same.
std::string svg_of(const Answer& answer);

} // namespace plimsoll::io
