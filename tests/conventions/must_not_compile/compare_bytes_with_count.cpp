// Neither is more than the other.
#include "quantities.hpp"

constexpr bool less = kBytes < kCount;
