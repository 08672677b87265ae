#include "panels/header_bar.hpp"

#include "panels/export_menu.hpp"
#include "panels/scenario_panel.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <string_view>

namespace plimsoll::app {
namespace {

constexpr float kEdge = 20, kGap = 20;
constexpr double kThanks = 1.5; ///< seconds

/// A link at `x`; moves `x` behind it.
bool link_at(Ui& ui, float& x, float middle, std::string_view id, std::string_view text) {
  ImGui::SetCursorScreenPos({x, middle - ui.fonts.body.size / 2 - 4});
  x += measure(ui.fonts.body, text).x + kGap;
  return link(ui, id, text, ui.fonts.body);
}

} // namespace

void header_bar(Ui& ui, const App& app, float width, bool with_task) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + space::header / 2;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, {at.x + width, at.y + space::header}, ui.theme.panel);
  draw->AddRectFilled({at.x, at.y + space::header - 1}, {at.x + width, at.y + space::header}, ui.theme.line);

  const float edge = with_task ? kEdge : 14;
  draw_ring({at.x + edge + 15, middle}, 10, 14, 2.6f, ui.theme.load_line);
  const Type name = ui.fonts.name;
  const float name_x = at.x + edge + 44, name_end = name_x + measure(name, "Plimsoll").x;
  if (with_task) {
    ImGui::SetCursorScreenPos({name_end + 24, middle - 18});
    task_switch(ui, app, 0);
  }
  const bool just_copied = ImGui::GetTime() - ui.view.copied_at < kThanks;
  ui.view.waiting = ui.view.waiting || just_copied;
  const std::string_view copy = just_copied ? "Copied" : app.can_share ? "Share" : "Copy link", other_theme = ui.view.dark ? "Light" : "Dark";
  const std::string_view other_units = gigabyte_name(byte_units() == ByteUnits::binary ? ByteUnits::decimal : ByteUnits::binary);
  const std::string_view keep = "Export";
  const bool can_save = app.shown && app.answer.ok;
  float x = at.x + width - edge - measure(ui.fonts.body, copy).x - kGap - measure(ui.fonts.body, other_theme).x - kGap - measure(ui.fonts.body, other_units).x;
  if (can_save) x -= measure(ui.fonts.body, keep).x + kGap;
  // Only where something was changed, and where there is room: the keys are there everywhere.
  float free = x;
  const auto link_before = [&](std::string_view id, std::string_view text) {
    float start = free -= measure(ui.fonts.body, text).x + kGap;
    return link_at(ui, start, middle, id, text);
  };
  if (with_task && app.undo.can_redo()) ui.actions.redo = link_before("button.redo", "Redo");
  if (with_task && app.undo.can_undo()) ui.actions.undo = link_before("button.undo", "Undo");
  if (name_end + 8 < x) draw_text(name, {name_x, middle - name.size / 2}, ui.theme.ink, "Plimsoll"); // the ring alone says it, too
  ui.actions.copy_link = link_at(ui, x, middle, "button.copy_link", copy);
  if (ui.actions.copy_link && !app.can_share) ui.view.copied_at = ImGui::GetTime(); // a share sheet shows itself
  if (can_save) {
    const ImVec2 below{x, at.y + space::header - 6};
    if (link_at(ui, x, middle, "button.export", keep)) ui.view.export_open = true;
    export_menu(ui, below);
  }
  ui.actions.toggle_units = link_at(ui, x, middle, "button.units", other_units);
  ui.actions.toggle_dark = link_at(ui, x, middle, "button.theme", other_theme);
  ImGui::SetCursorScreenPos({at.x, at.y + space::header});
}

} // namespace plimsoll::app
