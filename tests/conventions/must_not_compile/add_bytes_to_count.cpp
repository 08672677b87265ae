// A sum has one unit.
#include "quantities.hpp"

constexpr auto sum = kBytes + kCount;
