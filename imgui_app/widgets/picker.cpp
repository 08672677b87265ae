#include "widgets/picker.hpp"

#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kRow = 32, kPadding = 8, kSearch = 36, kMostHeight = 400, kMostWidth = 460;
constexpr std::size_t kSearchFrom = 8; ///< shorter lists need no search box

float width_of(const Ui& ui, std::span<const Option> options) {
  float width = 0;
  for (const Option& option : options)
    width = std::max(width, measure(ui.fonts.body_strong, option.name).x + measure(ui.fonts.label, option.note).x + 64);
  return width;
}

/// The rows that are shown. Searching and measuring hundreds of them is the work of many frames, so it is done once.
const PickerRows& rows_of(Ui& ui, std::string_view list, std::span<const Option> options, std::string_view search) {
  PickerRows& rows = ui.view.picker_rows;
  const bool same_list = rows.list == list && rows.options == options.size();
  if (same_list && rows.search == search) return rows;
  const float width = same_list ? rows.width : width_of(ui, options);
  rows = {std::string(list), std::string(search), options.size(), io::search(options, search), width};
  return rows;
}

/// What was typed while the list opened belongs into its search, which has the keyboard a frame or two later: true when there was any.
bool take_early_keys(std::string& search) {
  ImGuiIO& io = ImGui::GetIO();
  bool any = false;
  for (const ImWchar letter : io.InputQueueCharacters) {
    if (letter < ' ' || letter == 127) continue;
    char bytes[5] = {};
    search.append(bytes, static_cast<std::size_t>(ImTextCharToUtf8(bytes, letter)));
    any = true;
  }
  io.InputQueueCharacters.resize(0);
  return any;
}

/// Keys that came early stand in the search already: the next ones follow them, and do not replace them.
int continue_typing(ImGuiInputTextCallbackData* data) {
  bool& early = *static_cast<bool*>(data->UserData);
  if (early) data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
  early = false;
  return 0;
}

/// True when the search has changed.
bool search_box(Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, at + ImVec2{width, kSearch - 4}, ui.theme.field, space::row_rounding);
  draw->AddCircle({at.x + 16, at.y + 15}, 5, ui.theme.dim, 24, 1.5f);
  draw->AddLine({at.x + 19.5f, at.y + 18.5f}, {at.x + 23.5f, at.y + 22.5f}, ui.theme.dim, 1.5f);
  ImGui::SetCursorScreenPos({at.x + 30, at.y});
  ImGui::SetNextItemWidth(width - 36);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{2, (kSearch - 4 - ui.fonts.body.size) / 2});
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const ImGuiID id = ImGui::GetID("##search");
  const bool has_keyboard = ImGui::GetActiveID() == id;
  if (!has_keyboard && take_early_keys(ui.view.search)) ui.view.typed_early = true, ui.view.choice = 0;
  const bool early = ui.view.typed_early;
  const bool changed = ImGui::InputText("##search", &ui.view.search, ImGuiInputTextFlags_CallbackAlways, continue_typing, &ui.view.typed_early) || early != ui.view.typed_early;
  if (changed) ui.view.choice = 0;
  note_item(ui, "picker.search");
  if (is_described()) describe({.role = Role::textbox, .name = "Search", .value = ui.view.search});
  ImGui::PopStyleVar();
  if (ui.view.search.empty())
    draw_text(ui.fonts.body, {at.x + 32, at.y + (kSearch - 4 - ui.fonts.body.size) / 2}, faded(ui.theme.dim, 0.8f), "Search");
  ImGui::SetCursorScreenPos({at.x, at.y + kSearch + 2});
  return changed;
}

/// One row; true when it was pressed.
bool option_row(Ui& ui, const Option& option, bool marked, bool current, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(std::string(option.id).c_str(), {width, kRow});
  note_item(ui, "option." + std::string(option.id));
  if (is_described()) {
    describe({.role = Role::option, .name = std::string(option.name), .about = std::string(option.note), .group = "Choices", .selected = state_of(current), .marked = marked});
  }
  const bool hot = ImGui::IsItemHovered();
  if (hot) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (marked || hot) ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, kRow}, ui.theme.hover, 6);
  const float text_y = at.y + (kRow - ui.fonts.body.size) / 2;
  if (current) ImGui::GetWindowDrawList()->AddCircleFilled({at.x + 10, at.y + kRow / 2}, 3, ui.theme.accent, 16);
  const std::string label = elided(ui.fonts.body, option.name, width - 40);
  draw_text(current ? ui.fonts.body_strong : ui.fonts.body, {at.x + 20, text_y}, ui.theme.ink, label);
  const float left = width - 40 - measure(ui.fonts.body, label).x;
  if (left > 40)
    draw_text_right(ui.fonts.label, {at.x + width - 10, at.y + (kRow - ui.fonts.label.size) / 2}, ui.theme.dim,
                    elided(ui.fonts.label, option.note, left));
  return pressed;
}

/// Up, down, page up, page down: true when the mark moved.
bool moved_mark(int& choice, int count) {
  const int before = choice;
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++choice;
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --choice;
  if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) choice += 8;
  if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) choice -= 8;
  const bool moved = choice != before;
  choice = std::clamp(choice, 0, std::max(0, count - 1));
  return moved;
}

} // namespace

void open_picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current) {
  ui.view.search.clear();
  ui.view.typed_early = false;
  ui.view.picker_rows = {};
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.id == current; });
  ui.view.choice = at == options.end() ? 0 : static_cast<int>(at - options.begin());
  ImGui::OpenPopup(std::string(name).c_str());
}

std::optional<std::string> picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current,
                                  ImVec2 min, ImVec2 max) {
  if (!ImGui::IsPopupOpen(std::string(name).c_str())) return {};
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const bool searchable = options.size() >= kSearchFrom;
  const PickerRows& rows = rows_of(ui, name, options, searchable ? ui.view.search : "");
  const float width = std::min(std::min(std::max(max.x - min.x, rows.width), kMostWidth) + kPadding * 2, screen.x - 16);
  const auto height_of = [&](std::size_t count) {
    const float needed = static_cast<float>(count) * kRow + (searchable ? kSearch + 2 : 0) + kPadding * 2;
    return std::min({needed, kMostHeight, screen.y - 16});
  };
  const std::vector<std::size_t> hits = rows.found; // a copy: the search box may change it below
  const float height = height_of(options.size()); // the list keeps its place while the search makes it shorter
  ImGui::SetNextWindowPos({std::clamp(min.x, 8.0f, std::max(8.0f, screen.x - width - 8)),
                           std::clamp(max.y + 4, 8.0f, std::max(8.0f, screen.y - height - 8))});
  ImGui::SetNextWindowSize({width, height_of(std::max<std::size_t>(1, hits.size()))});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{kPadding, kPadding});
  std::optional<std::string> chosen;
  if (ImGui::BeginPopup(std::string(name).c_str(), ImGuiWindowFlags_NoMove)) {
    const float inner = width - kPadding * 2;
    const bool searched = searchable && search_box(ui, inner); // the best one is then in sight, wherever the list stood
    const bool moved = moved_mark(ui.view.choice, static_cast<int>(hits.size())) || searched || ImGui::IsWindowAppearing();
    const bool take = ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    ImGui::BeginChild("##list", {inner, 0});
    const float row_width = ImGui::GetContentRegionAvail().x;
    ImGuiListClipper clipper; // what is scrolled away costs nothing
    clipper.Begin(static_cast<int>(hits.size()), kRow);
    if (moved && !hits.empty()) clipper.IncludeItemByIndex(ui.view.choice);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
        const bool marked = i == ui.view.choice;
        const Option& option = options[hits[static_cast<std::size_t>(i)]];
        if (option_row(ui, option, marked, option.id == current, row_width)) chosen = std::string(option.id);
        if (marked && moved) ImGui::SetScrollHereY();
      }
    if (take && !ImGui::IsWindowAppearing() && !hits.empty()) chosen = std::string(options[hits[static_cast<std::size_t>(ui.view.choice)]].id);
    if (hits.empty()) {
      ImGui::SetCursorPos({20, 8});
      draw_text(ui.fonts.body, ImGui::GetCursorScreenPos(), ui.theme.dim, "Nothing has that name.");
      gap(kRow);
    }
    ImGui::EndChild();
    // at once, though the search box would like to have the first Escape for itself
    if (chosen || ImGui::IsKeyPressed(ImGuiKey_Escape, false)) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return chosen;
}

} // namespace plimsoll::app
