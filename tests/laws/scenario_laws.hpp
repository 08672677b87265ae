#pragma once
// The laws that are cheap to try on any scenario at all: a million of them (scripts/laws), or whatever a search comes upon (tests/fuzz).

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <string>

namespace plimsoll::test {

/// The first law that does not hold, as a sentence; "" where all do.
///  - it is answered, or refused with errors; every issue says what to do
///  - every moment is the sum of its parts, none is above the peak, and what is left is counted from the peak
///  - the estimate of an equal scenario is equal
///  - the canonical query is its own canonical query, and gives the same estimate
///  - every value in capital letters is the same value
///  - a larger batch never needs less, nor does a longer context
///  - no rank of the pipeline is above the fullest one
std::string broken_law(const io::Catalog& catalog, const io::Answer& answer);

} // namespace plimsoll::test
