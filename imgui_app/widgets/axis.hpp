#pragma once
// A vertical axis of bytes: from amounts to pixels, with gridlines in GiB, and the load line across it.

#include "plimsoll/method/estimate.hpp"
#include "ui.hpp"

#include <cstdint>
#include <string>

namespace plimsoll::app {

struct Axis {
  float left = 0, right = 0;  ///< of the gridlines; the numbers stand left of `left`
  float top = 0, bottom = 0;  ///< pixels
  std::int64_t top_bytes = 1; ///< at `top`; 0 bytes are at `bottom`

  float y(std::int64_t bytes) const noexcept {
    const double share = static_cast<double>(bytes) / static_cast<double>(top_bytes);
    return bottom - static_cast<float>(share) * (bottom - top);
  }
};

/// An axis that shows `largest` with some air above it.
Axis axis_for(Bytes largest, ImVec2 min, ImVec2 max);

/// Gridlines at round amounts, not closer than `least_distance` pixels.
void draw_gridlines(const Ui& ui, const Axis& axis, float least_distance);

/// The load line at `usable`, with or without its ring.
void draw_load_line(const Ui& ui, const Axis& axis, Bytes usable, bool with_ring);

/// What the load line is, in words.
struct CapacityLabel {
  std::string text;
  ImVec2 min, max;
};

/// Above the right end of the load line, and shorter where it would reach left of `left`.
CapacityLabel capacity_label(const Ui& ui, const Axis& axis, float left, const Hardware& device);

/// With the source of the amount as its hint. Remembered as "load_line".
void draw_capacity_label(Ui& ui, const CapacityLabel& label, const Hardware& device);

} // namespace plimsoll::app
