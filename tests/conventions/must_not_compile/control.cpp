// Right code: it must compile.
#include "quantities.hpp"

constexpr plimsoll::Bytes total = kCount * kBytes + kBytes;
constexpr std::int64_t number = total.value;
static_assert(kBytes < total && kCount + kCount > kCount && number == 1536);
