#pragma once

namespace plimsoll::app {

/// Of what comes only when somebody looks: whether it has been asked for, and has come or could not be had.
enum class Arrival : unsigned char { unasked, asked, there, missing };

/// Whether it is asked for now, which only the first does who looks: `want` tells the platform.
constexpr bool is_asked_now(Arrival& arrival, bool& want) noexcept {
  if (arrival != Arrival::unasked) return false;
  arrival = Arrival::asked;
  return want = true;
}

} // namespace plimsoll::app
