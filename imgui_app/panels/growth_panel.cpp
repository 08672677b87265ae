#include "panels/growth_panel.hpp"

#include "plimsoll/method/format.hpp"
#include "reach/describe.hpp"
#include "widgets/axis.hpp"
#include "widgets/controls.hpp"
#include "widgets/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kAxisWidth = 44, kCaption = 26, kTitle = 26, kHintWidth = 230, kPad = 12;
constexpr double kThanks = 1.5; ///< seconds

/// Contexts to pixels, each doubling as wide as the last.
struct Across {
  float left = 0, right = 0;
  double first = 0, last = 1;

  float x(std::int64_t value) const noexcept {
    return left + static_cast<float>((std::log2(static_cast<double>(value)) - first) / (last - first)) * (right - left);
  }
};

bool is_drawn(const io::Curve& curve) { return !curve.lines.empty() && curve.lines.front().points.size() > 1; }

const io::CurvePoint* point_of(const io::CurveLine& line, std::int64_t value) {
  const auto at = std::ranges::find(line.points, value, &io::CurvePoint::value);
  return at == line.points.end() ? nullptr : &*at;
}

const io::CurvePoint& nearest(const io::CurveLine& line, const Across& across, float x) {
  return *std::ranges::min_element(line.points, {}, [&](const io::CurvePoint& point) { return std::abs(across.x(point.value) - x); });
}

std::string short_count(std::int64_t value) { return format_amount(value, ""); }

/// "32k" for what is a power of two of them: what stands below the axis.
std::string tokens_of(std::int64_t value) { return value % 1024 == 0 ? format_count(Count{value / 1024}) + "k" : short_count(value); }

void draw_band(const Ui& ui, const io::CurveLine& line, const Across& across, const Axis& axis) {
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const io::CurvePoint &a = line.points[i - 1], &b = line.points[i];
    draw->AddQuadFilled({across.x(a.value), axis.y(a.high.value)}, {across.x(b.value), axis.y(b.high.value)}, {across.x(b.value), axis.y(b.low.value)},
                        {across.x(a.value), axis.y(a.low.value)}, faded(ui.theme.accent, 0.14f));
  }
}

std::vector<ImVec2> points_of(const io::CurveLine& line, const Across& across, const Axis& axis) {
  std::vector<ImVec2> points;
  for (const io::CurvePoint& point : line.points) points.emplace_back(across.x(point.value), axis.y(point.needs.value));
  return points;
}

void draw_line(const Ui& ui, const io::CurveLine& line, const Across& across, const Axis& axis, std::size_t rank) {
  const std::vector<ImVec2> points = points_of(line, across, axis);
  const ImU32 colour = mixed(ui.theme.accent, ui.theme.panel, rank == 0 ? 0.0f : rank == 1 ? 0.35f : 0.55f);
  ImGui::GetWindowDrawList()->AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None, rank == 0 ? 2.5f : 2.0f);
}

/// Batches at the ends of their lines, or where these leave the picture. Where lines are close the first has its label.
void label_lines(const Ui& ui, const io::Curve& curve, const Across& across, const Axis& axis) {
  std::vector<ImVec2> taken;
  for (const io::CurveLine& line : curve.lines) {
    if (line.points.size() < 2) continue;
    const std::vector<ImVec2> points = points_of(line, across, axis);
    const auto last = std::ranges::find_if(points, [&](ImVec2 at) { return at.y < axis.top + 12; });
    const ImVec2 end = last == points.end() ? points.back() : *last;
    const std::string batch = format_count(Count{line.batch});
    const ImVec2 at = last == points.end() ? ImVec2{end.x - 2 - measure(ui.fonts.label, batch).x, end.y - ui.fonts.label.size - 4}
                                           : ImVec2{std::min(end.x + 6, axis.right - 8), std::max(end.y - 6, axis.top - 2)};
    const bool collides = std::ranges::any_of(taken, [&](ImVec2 other) { return std::abs(other.x - at.x) < 16 && std::abs(other.y - at.y) < ui.fonts.label.size; });
    if (collides) continue;
    draw_text(ui.fonts.label, at, ui.theme.dim, batch);
    taken.push_back(at);
  }
}

void draw_contexts(const Ui& ui, const io::CurveLine& line, const Across& across, const Axis& axis) {
  float free = axis.left - 20;
  for (const io::CurvePoint& point : line.points) {
    if ((point.value & (point.value - 1)) != 0) continue;
    const std::string text = tokens_of(point.value);
    const float x = across.x(point.value), half = measure(ui.fonts.label, text).x / 2;
    if (x - half < free || x + half > axis.right + 10) continue;
    draw_text_centred(ui.fonts.label, {x, axis.bottom + 7}, ui.theme.dim, text);
    free = x + half + 10;
  }
}

std::string sequences(const io::Answer& answer, std::int64_t batch) {
  return format_exact(batch, trains(answer.inputs.workload.task) ? "sequences a step" : batch == 1 ? "sequence" : "sequences at once");
}

std::string title_of(const io::Curve& curve) {
  std::string text = "memory over context";
  for (std::size_t i = 0; curve.lines.size() > 1 && i < curve.lines.size(); ++i) text += (i == 0 ? ", batch " : " \u00b7 ") + format_count(Count{curve.lines[i].batch});
  return text;
}

std::string in_words(const io::CurvePoint& point) {
  return format_exact(point.value, "tokens") + ": " + format_bytes(point.needs) + (point.verdict == Verdict::holds ? ", fits" : ", does not fit");
}

void hint(Ui& ui, const io::CurvePoint& point, ImVec2 at) {
  begin_hint(ui, {at.x - 10, at.y - 10}, {at.x + 14, at.y + 10}, kHintWidth);
  paragraph(ui, ui.fonts.body_strong, ui.theme.ink, in_words(point), kHintWidth);
  paragraph(ui, ui.fonts.label, ui.theme.dim, ImGui::IsItemActive() ? "Let go to ask about it." : "Press or drag to ask about another context.", kHintWidth);
  end_hint(ui);
}

void draw_point(const Ui& ui, const io::CurvePoint& point, const Across& across, const Axis& axis) {
  const ImVec2 at{across.x(point.value), std::max(axis.y(point.needs.value), axis.top)};
  const ImU32 colour = point.verdict == Verdict::holds ? ui.theme.accent : ui.theme.load_line;
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  for (float y = at.y + 8; y < axis.bottom - 3; y += 7) draw->AddLine({at.x, y}, {at.x, y + 3.5f}, faded(colour, 0.7f), 1.3f);
  draw->AddCircleFilled(at, 6, ui.theme.panel, 24);
  draw->AddCircle(at, 6, colour, 24, 3);
}

} // namespace

void growth_panel(Ui& ui, const App& app, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), end = at + ImVec2{width, height};
  ImDrawList* const draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, end, ui.theme.panel, space::card_rounding);
  draw->AddRect(at, end, ui.theme.line, space::card_rounding);
  note_rect(ui, "growth", at, end);
  if (app.grown && is_drawn(*app.grown)) {
    const io::Curve& curve = *app.grown;
    const io::CurveLine& first = curve.lines.front();
    draw_text(ui.fonts.label, at + ImVec2{kPad, 9}, ui.theme.dim, elided(ui.fonts.label, title_of(curve), width - 2 * kPad));
    const io::CurvePoint* const now = point_of(first, curve.now);
    // The line stays in sight however far beyond it the question is.
    const Bytes twice = curve.usable + curve.usable, top = max(curve.usable, now ? min(now->needs, twice + twice) : Bytes{0});
    const Axis axis = axis_for(top, {at.x + kAxisWidth, at.y + kTitle + 18}, {end.x - kPad - 8, end.y - kCaption});
    const Across across{axis.left, axis.right, std::log2(static_cast<double>(first.points.front().value)), std::log2(static_cast<double>(first.points.back().value))};
    draw_gridlines(ui, axis, 40);
    draw->PushClipRect({axis.left - 8, axis.top - 8}, {axis.right + 8, axis.bottom}, true);
    draw_band(ui, first, across, axis);
    for (std::size_t rank = curve.lines.size(); rank-- > 0;)
      if (curve.lines[rank].points.size() > 1) draw_line(ui, curve.lines[rank], across, axis, rank);
    label_lines(ui, curve, across, axis);
    draw->PopClipRect();
    draw_load_line(ui, axis, curve.usable, false);
    draw_contexts(ui, first, across, axis);

    ImGui::SetCursorScreenPos({axis.left, axis.top});
    ImGui::InvisibleButton("growth", {axis.right - axis.left, axis.bottom - axis.top}, ImGuiButtonFlags_EnableNav);
    note_item(ui, "growth.plot");
    if (is_described()) describe({.role = Role::img, .name = "Memory over context", .value = {}, .about = now ? in_words(*now) : std::string{}});
    const io::CurvePoint& pointed = nearest(first, across, ImGui::GetIO().MousePos.x);
    const bool with_mouse = ImGui::IsItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (with_mouse) ui.view.dragged = pointed.value;
    const bool let_go = ui.view.dragged && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const io::CurvePoint* const held = ui.view.dragged ? point_of(first, *ui.view.dragged) : now;
    if (held) draw_point(ui, *held, across, axis);
    if (with_mouse || (ImGui::IsItemHovered() && wants_hint(ui))) hint(ui, pointed, {across.x(pointed.value), std::max(axis.y(pointed.needs.value), axis.top)});
    if (let_go) {
      if (*ui.view.dragged != app.answer.inputs.workload.context_tokens) ui.actions.set.emplace_back("context_tokens", std::to_string(*ui.view.dragged));
      ui.view.dragged.reset();
    }
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

void room_line(Ui& ui, const App& app, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool is_known = app.advice && app.advice->query == app.query && !app.advice->running && app.advice->session.advice().fits;
  std::vector<std::string> texts;
  std::vector<const io::InputLimit*> limits;
  if (is_known)
    for (const io::InputLimit& limit : app.advice->session.advice().limits) {
      if (limit.goal != Goal::largest || (limit.field != "context_tokens" && limit.field != "batch")) continue;
      const std::int64_t last = std::strtoll(limit.last.c_str(), nullptr, 10);
      texts.push_back(limit.field == "batch" ? sequences(app.answer, last) : format_exact(last, "tokens of context"));
      limits.push_back(&limit);
    }
  if (!texts.empty()) {
    std::vector<Run> runs{{"The most that fits: ", ui.fonts.body, ui.theme.dim}};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i > 0) runs.push_back({", or ", ui.fonts.body, ui.theme.dim});
      runs.push_back({texts[i], ui.fonts.body, ui.theme.accent, true});
    }
    runs.push_back({texts.size() > 1 ? ", the other as it is." : ".", ui.fonts.body, ui.theme.dim});
    const int pressed = paragraph(ui, "room", runs, width);
    for (std::size_t i = 0, link = 0; i < runs.size(); ++i) {
      if (!runs[i].link) continue;
      if (pressed == static_cast<int>(i)) ui.actions.set.emplace_back(limits[link]->field, limits[link]->last);
      ++link;
    }
  }
  // What is found is not to move what stands below it, which somebody may be about to touch.
  constexpr std::string_view kLong = "The most that fits: 1,000 sequences at once, or 100,000 tokens of context, the other as it is.";
  const float least = paragraph_height(ui.fonts.body, line_count(ui.fonts.body, kLong, width)), left = at.y + least - ImGui::GetCursorScreenPos().y;
  if (left > 0) gap(left);
}

void launch_panel(Ui& ui, const App& app, float width) {
  if (app.launch.text.empty() || app.launch.query != app.query || !app.answer.ok) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = width - 2 * kPad - 56;
  const Type type = ui.fonts.code;
  std::vector<std::string_view> lines;
  for (std::string_view rest = app.launch.text; !rest.empty();) {
    const std::size_t cut = std::min(rest.find('\n'), rest.size());
    if (cut > 0) lines.push_back(rest.substr(0, cut));
    rest.remove_prefix(std::min(cut + 1, rest.size()));
  }
  float height = 2 * 10;
  for (const std::string_view line : lines) height += paragraph_height(type, line_count(type, line, room));
  ImGui::GetWindowDrawList()->AddRectFilled(at, at + ImVec2{width, height}, ui.theme.field, space::card_rounding);
  ImGui::SetCursorScreenPos(at + ImVec2{kPad, 10});
  for (const std::string_view line : lines) {
    ImGui::SetCursorScreenPos({at.x + kPad, ImGui::GetCursorScreenPos().y});
    paragraph(ui, type, line.starts_with('#') ? ui.theme.dim : ui.theme.ink, line, room);
  }
  const bool thanked = ImGui::GetTime() - ui.view.copied_text_at < kThanks;
  ui.view.waiting = ui.view.waiting || thanked;
  ImGui::SetCursorScreenPos({at.x + width - kPad - measure(ui.fonts.body, thanked ? "Copied" : "Copy").x, at.y + 6});
  if (link(ui, "button.copy_launch", thanked ? "Copied" : "Copy", ui.fonts.body)) {
    ui.actions.copy_text = app.launch.text;
    ui.view.copied_text_at = ImGui::GetTime();
  }
  if (is_described()) describe({.name = "Copy the launch line"});
  note_rect(ui, "launch", at, at + ImVec2{width, height});
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
}

} // namespace plimsoll::app
