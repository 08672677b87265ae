#pragma once

namespace plimsoll {

/// Something that a framework or an engine does unless it is told otherwise.
enum class Switch : unsigned char { profile, on, off };

} // namespace plimsoll
