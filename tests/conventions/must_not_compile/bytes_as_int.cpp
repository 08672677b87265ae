// An amount becomes a bare number where somebody writes .value, and nowhere else.
#include "quantities.hpp"

std::int64_t number = kBytes;
