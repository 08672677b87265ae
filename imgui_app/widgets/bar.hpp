#pragma once
// A bar with a keel: what one GPU holds, category upon category, up to what its process takes, and what of it lies over the line.

#include "plimsoll/footprint.hpp"
#include "ui.hpp"
#include "widgets/axis.hpp"

namespace plimsoll::app {

struct Bar {
  float left = 0, right = 0, bottom = 0;
  float keel = 0;      ///< radius; smaller where the bar is low
  float load_line = 0; ///< y
  float centre() const { return (left + right) / 2; }
};

/// A bar between two sides, as tall as `held` on the axis.
Bar bar_between(float left, float right, Bytes held, Bytes usable, const Axis& axis);

/// One category, from `top` down to `bottom`; follows the keel.
void fill_segment(const Bar& bar, float top, float bottom, ImU32 colour);

/// All categories of a moment. `strength`: of the colours over the ground, 0 to 1.
void fill_moment(const Ui& ui, const Bar& bar, const Axis& axis, const MomentUse& use, float strength);

/// An outline from what the tensors hold up to what the process takes, where that is more, with its hint.
void draw_allowance(Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process);

/// What stands above the load line does not exist: the device ends there.
void hatch_overload(const Ui& ui, const Bar& bar, float top);

/// A patch on which a text is not crossed by gridlines.
void clear_ground(const Ui& ui, ImVec2 min, ImVec2 max);

/// "process 61.2 GiB" above the bar, and both ends of its range as a bracket at `bracket_x`.
void draw_process(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process, float bracket_x);

} // namespace plimsoll::app
