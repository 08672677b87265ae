// Where a page has one thread: WebAssembly without shared memory.
#include "questions/plan/threads.hpp"

#include "plimsoll/method/quantity.hpp"

namespace plimsoll::io {

void search_with_threads(Planner& planner, unsigned) {
  while (planner.advance(Count::kMax)) {}
}

} // namespace plimsoll::io
