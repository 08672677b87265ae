#pragma once

#include "architectures/family.hpp"

namespace plimsoll::io {

void build_deepseek_v4(ModelBuilder& draft);

} // namespace plimsoll::io
