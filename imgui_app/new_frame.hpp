#pragma once

namespace plimsoll::app {

/// ImGui::NewFrame(), for every platform. A press that arrives in one frame with the movement before it waits for the next one: items that
/// let others lie over them, as the rows of inputs do, answer only to a pointer that they have seen, and a touch or a program that presses at
/// once would be lost on them.
void new_frame();

} // namespace plimsoll::app
