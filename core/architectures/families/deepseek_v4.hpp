#pragma once

#include "architectures/family.hpp"

namespace plimsoll::io {

void build_deepseek_v4(Draft& draft);

} // namespace plimsoll::io
