// A bare number has no unit.
#include "quantities.hpp"

constexpr auto sum = kBytes + 1;
