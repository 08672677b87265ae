#include "new_frame.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <vector>

namespace plimsoll::app {
namespace {

bool is_press(const ImGuiInputEvent& event) { return event.Type == ImGuiInputEventType_MouseButton && event.MouseButton.Down; }

} // namespace

void new_frame() {
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const ImGuiInputEvent* const moved = std::find_if(queue.begin(), queue.end(), [](const ImGuiInputEvent& event) { return event.Type == ImGuiInputEventType_MousePos; });
  const ImGuiInputEvent* const press = std::find_if(moved, static_cast<const ImGuiInputEvent*>(queue.end()), is_press);
  const std::vector<ImGuiInputEvent> later(press, static_cast<const ImGuiInputEvent*>(queue.end()));
  queue.resize(queue.Size - static_cast<int>(later.size()));
  ImGui::NewFrame();
  for (const ImGuiInputEvent& event : later) queue.push_back(event);
}

} // namespace plimsoll::app
