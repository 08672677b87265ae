// There are no square bytes.
#include "quantities.hpp"

constexpr auto area = kBytes * kBytes;
