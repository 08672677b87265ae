#pragma once

namespace plimsoll::app {

/// Of what comes only when somebody looks: whether it has been asked for, and has come or could not be had.
enum class Arrival : unsigned char { unasked, asked, there, missing };

} // namespace plimsoll::app
