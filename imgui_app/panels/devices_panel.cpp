#include "panels/devices_panel.hpp"

#include "panels/plan_parts.hpp"
#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kRow = 30, kTwoLines = 46, kWide = 560, kPad = 8;

/// What a row says, from left to right.
struct Cells {
  std::string device, gpus, room, rate, hourly, million;
};

/// A column of the wide table ends at this share of its width.
constexpr std::array<float, 5> kEnds{0.44f, 0.585f, 0.735f, 0.865f, 1.0f};

Cells cells_of(const io::DeviceChoice& choice) {
  Cells cells{choice.name, format_exact(choice.gpus.value, "GPUs"), {}, {}, {}, {}};
  cells.room = choice.headroom < Bytes{0} ? "over by " + format_bytes(Bytes{0} - choice.headroom) : format_bytes(choice.headroom);
  if (!choice.holds && choice.headroom >= Bytes{0}) cells.room = "holds fewer";
  if (choice.token_rate > 0) cells.rate = format_token_rate(Count{choice.token_rate});
  if (choice.hourly) cells.hourly = format_money(*choice.hourly);
  if (choice.per_million) cells.million = format_money(*choice.per_million);
  return cells;
}

void head(Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr std::array<std::string_view, 5> kHeads{"GPUs", "to spare", "speed", "an hour", "a million"};
  const float room = width - 2 * kPad;
  draw_text(ui.fonts.label, {at.x + kPad, at.y}, ui.theme.dim, "device");
  for (std::size_t i = 0; i < kHeads.size(); ++i) draw_text_right(ui.fonts.label, {at.x + kPad + room * kEnds[i], at.y}, ui.theme.dim, kHeads[i]);
  gap(ui.fonts.label.size + 6);
  rule(ui, width);
}

void draw_wide(const Ui& ui, const Cells& cells, ImVec2 at, float width, ImU32 ink) {
  const float room = width - 2 * kPad, y = at.y + (kRow - ui.fonts.body.size) / 2;
  const std::array<const std::string*, 5> texts{&cells.gpus, &cells.room, &cells.rate, &cells.hourly, &cells.million};
  draw_text(ui.fonts.body, {at.x + kPad, y}, ink, elided(ui.fonts.body, cells.device, room * 0.36f));
  for (std::size_t i = 0; i < texts.size(); ++i)
    draw_text_right(ui.fonts.label, {at.x + kPad + room * kEnds[i], y + 1}, texts[i]->empty() ? ui.theme.dim : ink, texts[i]->empty() ? "\u2013" : *texts[i]);
}

void draw_narrow(const Ui& ui, const Cells& cells, ImVec2 at, float width, ImU32 ink) {
  const float room = width - 2 * kPad;
  const std::string price = cells.million.empty() ? cells.hourly.empty() ? "" : cells.hourly + " an hour" : cells.million + " a million";
  draw_text_right(ui.fonts.label, {at.x + width - kPad, at.y + 5}, ink, price);
  draw_text(ui.fonts.body, {at.x + kPad, at.y + 4}, ink, elided(ui.fonts.body, cells.device, room - measure(ui.fonts.label, price).x - 10));
  const std::string rest = cells.gpus + " \u00b7 " + cells.room + (cells.rate.empty() ? "" : " \u00b7 " + cells.rate);
  draw_text(ui.fonts.label, {at.x + kPad, at.y + 24}, ui.theme.dim, elided(ui.fonts.label, rest, room));
}

std::string in_words(const Cells& cells) {
  std::string text = cells.device + ", " + cells.gpus + ", " + cells.room;
  if (!cells.rate.empty()) text += ", " + cells.rate;
  if (!cells.hourly.empty()) text += ", " + cells.hourly + " an hour";
  if (!cells.million.empty()) text += ", " + cells.million + " a million tokens";
  return text;
}

void choice_row(Ui& ui, const io::DeviceChoice& choice, float width) {
  const Cells cells = cells_of(choice);
  const bool is_wide = width >= kWide;
  const ImVec2 at = ImGui::GetCursorScreenPos(), size{width, is_wide ? kRow : kTwoLines};
  const std::string name = "devices." + choice.id;
  if (ImGui::InvisibleButton(name.c_str(), size, ImGuiButtonFlags_EnableNav)) ui.actions.ask = choice.query;
  note_item(ui, name);
  if (is_described()) describe({.name = in_words(cells)});
  const bool hot = ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible);
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  if (hot || choice.is_asked) draw->AddRectFilled(at, at + size, hot ? ui.theme.hover : ui.theme.field, space::row_rounding);
  if (choice.is_asked) draw->AddRectFilled(at, {at.x + 3, at.y + size.y}, ui.theme.accent, 2);
  const ImU32 ink = choice.holds ? ui.theme.ink : ui.theme.dim;
  if (is_wide) draw_wide(ui, cells, at, width, ink);
  else draw_narrow(ui, cells, at, width, ink);
}

void orders(Ui& ui, float width) {
  constexpr std::array<std::string_view, io::kDeviceOrders> kLabels{"cheapest token", "fastest", "most room"};
  std::array<Alternative, io::kDeviceOrders> names;
  for (std::size_t i = 0; i < io::kDeviceOrders; ++i) {
    const auto order = static_cast<io::DeviceOrder>(i);
    names[i] = {io::name_of(order), kLabels[i], ui.view.device_order == order};
  }
  shorten_labels(ui, names, width);
  if (const int pressed = segmented(ui, "devices.order", names, width); pressed >= 0) ui.view.device_order = static_cast<io::DeviceOrder>(pressed);
}

} // namespace

void devices_panel(Ui& ui, const App& app, float width) {
  paragraph(ui, ui.fonts.body, ui.theme.dim, "This question on every device, with as many GPUs as it takes, at most a node of them. Prices, of an hour and of a million tokens, are by the cheapest offer on demand. Press a row to ask about it.", width);
  gap(8);
  orders(ui, width);
  gap(10);
  if (!app.devices) return;
  if (app.devices->running) {
    const float share = static_cast<float>(app.devices->session.choices().size()) / static_cast<float>(std::max<std::size_t>(app.devices->session.of(), 1));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + 4}, ui.theme.field, 2);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width * share, at.y + 4}, ui.theme.accent, 2);
    gap(10);
    return;
  }
  const std::vector<io::DeviceChoice>& choices = app.devices->choices;
  const auto holding = std::ranges::count(choices, true, &io::DeviceChoice::holds), possible = std::ranges::count(choices, true, &io::DeviceChoice::is_possible);
  const ImVec2 top = ImGui::GetCursorScreenPos();
  if (width >= kWide) head(ui, width);
  for (const io::DeviceChoice& choice : choices)
    if (choice.is_possible && (choice.holds || choice.is_asked || ui.view.all_devices)) choice_row(ui, choice, width);
  note_rect(ui, "devices", top, {top.x + width, ImGui::GetCursorScreenPos().y});
  gap(8);
  std::string rest = format_count(Count{holding}) + " devices hold it, " + format_count(Count{possible - holding}) + " do not";
  if (const auto never = static_cast<std::ptrdiff_t>(choices.size()) - possible; never > 0) rest += ", and " + format_count(Count{never}) + " do not go with this engine, format or layout";
  rest += ". ";
  const std::array<Run, 2> runs{{{rest, ui.fonts.label, ui.theme.dim},
                                 {ui.view.all_devices ? "Show those that hold it" : "Show those too that do not", ui.fonts.label, ui.theme.accent, true}}};
  if (paragraph(ui, "devices.all", runs, width) >= 0) ui.view.all_devices = !ui.view.all_devices;
}

} // namespace plimsoll::app
