#pragma once

#include "plimsoll/method/plan.hpp"

namespace plimsoll::io {

/// Finishes a search on so many threads, 0 = all of the machine; on this one where the platform has no others. The plan is the same.
void search_with_threads(Planner& planner, unsigned threads);

} // namespace plimsoll::io
