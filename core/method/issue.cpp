#include "plimsoll/method/issue.hpp"

#include <utility>

namespace plimsoll {

void Issues::push_back(Issue&& issue) { vector::push_back(std::move(issue)); }

} // namespace plimsoll
