#include "screen.hpp"

#include "app.hpp"
#include "panels/breakdown_panel.hpp"
#include "panels/file_dialog.hpp"
#include "panels/formula_card.hpp"
#include "panels/growth_panel.hpp"
#include "panels/header_bar.hpp"
#include "panels/hull.hpp"
#include "panels/memory_panel.hpp"
#include "panels/numbers.hpp"
#include "panels/other_tab.hpp"
#include "panels/ranks.hpp"
#include "panels/scenario_panel.hpp"
#include "panels/toast.hpp"
#include "panels/treemap.hpp"
#include "panels/uncertainties.hpp"
#include "widgets/controls.hpp"
#include "widgets/tabs.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::app {
namespace {

constexpr float kStaleShade = 0.45f;

struct Column {
  const char* name;
  ImVec2 min, max;
  ImVec2 padding;
  ImU32 ground;
};

/// A column that scrolls, with a finger too. `contents` gets the width it may use.
template <class Contents> void scrolling(const Ui& ui, const Column& column, const Contents& contents) {
  ImGui::SetCursorScreenPos(column.min);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, column.padding);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, column.ground);
  const ImVec2 size = column.max - column.min;
  // flattened: the Tab key goes through all columns as through one page
  if (ImGui::BeginChild(column.name, size, ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened)) {
    if (ui.view.drag_scroll != 0 && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem))
      ImGui::SetScrollY(ImGui::GetScrollY() - ui.view.drag_scroll);
    contents(size.x - column.padding.x * 2);
    gap(0);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

/// While the question has errors the last answer stays, but visibly behind.
template <class Contents> void shaded_when_stale(const App& app, ImU32 ground, const Contents& contents) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  contents();
  if (app.answer.ok) return;
  const ImVec2 end = ImGui::GetCursorScreenPos();
  const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x - 10, at.y}, {right, end.y}, faded(ground, kStaleShade));
}

/// The hull, and beside it, or where it takes all the width below it, how it grows.
void pictures(Ui& ui, const App& app, float width, float height) {
  constexpr float kLeastBoth = 640, kBetween = 16, kBelow = 210;
  const bool has_ranks = !app.shown->ranks.empty(), beside = app.advises && !has_ranks && width >= kLeastBoth;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float hull = beside ? std::floor(width * 0.5f) : width;
  has_ranks ? ranks_panel(ui, *app.shown, hull, height) : hull_panel(ui, *app.shown, hull, height);
  if (!app.advises) return;
  if (beside) ImGui::SetCursorScreenPos({at.x + hull + kBetween, at.y});
  else gap(8);
  growth_panel(ui, app, beside ? width - hull - kBetween : width, beside ? height : kBelow);
}

/// Other tabs than the breakdown have the room of its pictures, but for the ranks, of which one is looked at there.
void answer_block(Ui& ui, const App& app, float width, float hull_height, bool narrow) {
  constexpr float kSmallRanks = 190;
  if (!app.shown) return issues_panel(ui, app, width);
  headline_panel(ui, app, width, narrow);
  if (app.advises) room_line(ui, app, width);
  if (ui.view.tab != Tab::breakdown) {
    const bool picks_rank = !app.shown->ranks.empty() && (ui.view.tab == Tab::timeline || ui.view.tab == Tab::time);
    if (!picks_rank) return;
    gap(10);
    return shaded_when_stale(app, ui.theme.ground, [&] { ranks_panel(ui, *app.shown, width, kSmallRanks); });
  }
  gap(narrow ? 10 : 14);
  shaded_when_stale(app, ui.theme.ground, [&] { pictures(ui, app, width, hull_height); });
  if (!app.advises) return;
  gap(8);
  launch_panel(ui, app, width);
}

void detail_block(Ui& ui, const App& app, float width, ImU32 ground) {
  if (!app.shown) return;
  shaded_when_stale(app, ground, [&] {
    breakdown_panel(ui, *app.shown, width);
    gap(16);
    formula_card(ui, app, width);
  });
}

void facts_block(Ui& ui, const App& app, float width, ImU32 ground) {
  if (!app.shown) return;
  gap(22);
  shaded_when_stale(app, ground, [&] { facts_panel(ui, *app.shown, width); });
}

void tabs(Ui& ui, float width) {
  std::array<Alternative, kTabs> names;
  for (std::size_t i = 0; i < kTabs; ++i) {
    const TabText& text = text_of(static_cast<Tab>(i));
    names[i] = {text.id, text.label, ui.view.tab == static_cast<Tab>(i)};
  }
  const int pressed = tab_bar(ui, names, width);
  if (pressed >= 0) ui.actions.show_tab = static_cast<Tab>(pressed);
}

/// Where another tab is shown than before, its column is seen from the top: what stands above it is less, or more.
void from_the_top_of(Tab tab) {
  int* const before = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("tab"), static_cast<int>(tab));
  if (*before == static_cast<int>(tab)) return;
  *before = static_cast<int>(tab);
  ImGui::SetScrollY(0);
}

/// How tall pictures in a tab are, and whether the breakdown as rows has a column of its own.
struct TabRoom {
  float picture = 210;
  bool has_detail = false;
};

void breakdown_tab(Ui& ui, const App& app, float width, const TabRoom& room) {
  if (!room.has_detail) {
    breakdown_panel(ui, *app.shown, width);
    gap(18);
  }
  numbers_panel(ui, *app.shown, width);
  gap(16);
  treemap_panel(ui, *app.shown, width, room.picture);
  gap(22);
  uncertainties_panel(ui, *app.shown, width);
}

/// While what another tab needs is not there.
void in_place_of_tab(Ui& ui, const App& app, float width) {
  if (app.other_tabs != Arrival::missing) return paragraph(ui, ui.fonts.body, ui.theme.dim, "Loading this tab.", width);
  paragraph(ui, ui.fonts.body_strong, ui.theme.load_line, "What this tab needs could not be loaded.", width);
  paragraph(ui, ui.fonts.body, ui.theme.dim, "Try again once there is a connection.", width);
  if (link(ui, "tab.again", "Try again", ui.fonts.body)) ui.actions.bring_tabs = true;
}

/// What stands under the hull. Formulas open in the card: beside it on wide screens, below it on others.
void tab_block(Ui& ui, const App& app, float width, const TabRoom& room, ImU32 ground) {
  if (!app.shown) return;
  tabs(ui, width);
  gap(14);
  shaded_when_stale(app, ground, [&] {
    if (ui.view.tab == Tab::breakdown) breakdown_tab(ui, app, width, room);
    else if (app.other_tabs == Arrival::there) other_tab(ui, app, width, room.picture);
    else in_place_of_tab(ui, app, width);
    const bool opens_formulas = ui.view.tab == Tab::breakdown || ui.view.tab == Tab::timeline || ui.view.tab == Tab::time;
    if (room.has_detail || !opens_formulas) return;
    gap(18);
    if (ui.view.tab == Tab::timeline) breakdown_panel(ui, *app.shown, width), gap(16);
    formula_card(ui, app, width);
  });
}

/// The rule between two columns.
void column_rule(const Ui& ui, float x, float bottom) {
  ImGui::GetWindowDrawList()->AddRectFilled({x, space::header}, {x + 1, bottom}, ui.theme.line);
}

void three_columns(Ui& ui, const App& app, ImVec2 screen) {
  const float top = space::header, left = space::inputs_column, right = screen.x - space::detail_column;
  column_rule(ui, left, screen.y);
  column_rule(ui, right, screen.y);
  scrolling(ui, {"inputs", {0, top}, {left, screen.y}, {16, 14}, ui.theme.panel}, [&](float w) { scenario_panel(ui, app, w); });
  scrolling(ui, {"answer", {left + 1, top}, {right, screen.y}, {24, 18}, ui.theme.ground}, [&](float w) {
    const float room = screen.y - top;
    from_the_top_of(ui.view.tab);
    answer_block(ui, app, w, std::clamp(room * 0.42f, 280.0f, 460.0f), false);
    gap(12);
    tab_block(ui, app, w, {std::clamp(room * 0.25f, 190.0f, 300.0f), true}, ui.theme.ground);
  });
  scrolling(ui, {"detail", {right + 1, top}, screen, {20, 18}, ui.theme.panel}, [&](float w) {
    detail_block(ui, app, w, ui.theme.panel);
    facts_block(ui, app, w, ui.theme.panel);
  });
}

/// The same theme with the sheet as its ground.
Theme on_sheet(Theme theme) {
  theme.ground = theme.sheet;
  return theme;
}

void two_columns(Ui& page, const App& app, ImVec2 screen) {
  const Theme colours = on_sheet(page.theme);
  Ui ui{colours, page.fonts, page.view, page.actions};
  const float top = space::header, left = space::inputs_column;
  column_rule(ui, left, screen.y);
  scrolling(ui, {"inputs", {0, top}, {left, screen.y}, {16, 14}, ui.theme.panel}, [&](float w) { scenario_panel(ui, app, w); });
  scrolling(ui, {"answer", {left + 1, top}, screen, {24, 18}, ui.theme.ground}, [&](float w) {
    from_the_top_of(ui.view.tab);
    answer_block(ui, app, w, std::clamp((screen.y - top) * 0.50f, 280.0f, 420.0f), false);
    gap(12);
    tab_block(ui, app, w, {}, ui.theme.ground);
    if (ui.view.tab == Tab::breakdown) facts_block(ui, app, w, ui.theme.ground);
  });
}

void one_column(Ui& page, const App& app, ImVec2 screen) {
  const Theme colours = on_sheet(page.theme);
  Ui ui{colours, page.fonts, page.view, page.actions};
  const auto asked = [&](float w) {
    task_switch(ui, app, w);
    gap(16);
    scenario_panel(ui, app, w, true);
  };
  scrolling(ui, {"all", {0, space::header}, screen, {14, 14}, ui.theme.ground}, [&](float w) {
    const bool breakdown = ui.view.tab == Tab::breakdown;
    from_the_top_of(ui.view.tab);
    answer_block(ui, app, w, 290, true);
    gap(10);
    if (breakdown) asked(w), gap(8);
    tab_block(ui, app, w, {}, ui.theme.ground);
    if (breakdown) facts_block(ui, app, w, ui.theme.ground);
    else gap(16), asked(w);
    gap(24);
  });
}

} // namespace

void draw_screen(Ui& ui, const App& app) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::PushFont(ui.fonts.body.font, ui.fonts.body.size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.ground);
  ImGui::Begin("plimsoll", nullptr, kFlags);
  header_bar(ui, app, screen.x, screen.x >= space::narrow);
  if (screen.x >= space::wide)
    three_columns(ui, app, screen);
  else if (screen.x >= space::narrow)
    two_columns(ui, app, screen);
  else
    one_column(ui, app, screen);
  file_dialog(ui, app);
  toast(ui, screen);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

} // namespace plimsoll::app
