#pragma once
// A bar with a keel: what one GPU holds, category upon category, up to what its process takes, and what of it lies over the line.

#include "plimsoll/method/footprint.hpp"
#include "ui.hpp"
#include "widgets/axis.hpp"

#include <string>

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

/// "process 61.2 GiB" with its place, and where both ends of its range stand as a bracket.
struct ProcessLabel {
  std::string text;
  ImVec2 min = {}, max = {};
  float bracket = 0; ///< x
};
/// Above a bar that stands alone, with the bracket to its left.
ProcessLabel process_above(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process);
/// Beside a bar among others, which are no higher: behind the bracket, on the side that has room.
ProcessLabel process_beside(const Ui& ui, const Bar& bar, const Axis& axis, Bytes held, const MemoryRange& process);
void draw_process(const Ui& ui, const Axis& axis, const ProcessLabel& label, const MemoryRange& process);

} // namespace plimsoll::app
