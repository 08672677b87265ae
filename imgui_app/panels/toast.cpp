#include "panels/toast.hpp"

#include "widgets/text.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::app {
namespace {

constexpr double kShown = 3; ///< seconds
constexpr float kPadding = 16, kHeight = 40;

} // namespace

void toast(Ui& ui, ImVec2 screen) {
  if (ui.view.toast.text.empty() || ImGui::GetTime() - ui.view.toast.at > kShown) return;
  ui.view.waiting = true; // until it goes
  const Type type = ui.fonts.body;
  const std::string text = elided(type, ui.view.toast.text, screen.x - kPadding * 4);
  const float width = measure(type, text).x + kPadding * 2;
  const ImVec2 min{(screen.x - width) / 2, screen.y - kHeight - 20}, max{min.x + width, min.y + kHeight};
  ImDrawList* const draw = ImGui::GetForegroundDrawList();
  draw->AddRectFilled(min, max, ui.theme.ink, space::card_rounding);
  draw->AddText(type.font, type.size, {min.x + kPadding, min.y + (kHeight - type.size) / 2}, ui.theme.panel, text.c_str());
  note_rect(ui, "toast", min, max);
}

} // namespace plimsoll::app
