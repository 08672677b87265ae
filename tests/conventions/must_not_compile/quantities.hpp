#pragma once
// What every sample here starts from, so that they differ in one line only.

#include "plimsoll/method/quantity.hpp"

inline constexpr plimsoll::Bytes kBytes{512};
inline constexpr plimsoll::Count kCount{2};
