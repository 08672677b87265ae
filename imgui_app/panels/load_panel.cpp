#include "panels/load_panel.hpp"

#include "widgets/controls.hpp"
#include "widgets/inputs.hpp"
#include "widgets/text.hpp"

#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {
namespace {

constexpr float kGap = 8, kInRow = 420, kLabel = 150, kInLine = 480;

struct Input {
  std::string_view name, words;
};
/// Inputs of the question itself.
constexpr std::array<Input, 4> kTraffic{{{"prompt_tokens", "tokens of a prompt"}, {"answer_tokens", "tokens of an answer"}, {"concurrency", "requests at once"}, {"request_rate", "or per second"}}};

/// What requests have in common: turns of a conversation bring its history along, and a system prompt stands before all of them.
constexpr std::array<Input, 3> kCommon{{{"turns", "turns of a conversation"}, {"turn_tokens", "tokens that each adds"}, {"shared_tokens", "tokens shared by all"}}};

/// `count` boxes beside each other, or below each other on narrow screens.
template <class Box> void boxes(std::size_t count, float width, const Box& box) {
  const bool in_row = width >= kInRow;
  const float each = in_row ? (width - kGap * static_cast<float>(count - 1)) / static_cast<float>(count) : width;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < count; ++i) {
    if (in_row) ImGui::SetCursorScreenPos({at.x + (each + kGap) * static_cast<float>(i), at.y});
    else if (i > 0) gap(4);
    box(i, each);
  }
}

void traffic(Ui& ui, const App& app, std::span<const Input> inputs, float width) {
  boxes(inputs.size(), width, [&](std::size_t i, float each) {
    const std::string name(inputs[i].name);
    const std::string* const typed = app.request.find(name);
    std::string text = typed != nullptr ? *typed : "";
    if (!text_box(ui, "load." + name, text, inputs[i].words, each)) return;
    if (text.empty()) ui.actions.reset.push_back(name);
    else ui.actions.set.emplace_back(name, text);
  });
}

void limits(Ui& ui, float width) {
  const std::array<std::int64_t*, 2> values{&ui.view.most_first_token_ms, &ui.view.most_per_token_ms};
  constexpr std::array<std::string_view, 2> kWords{"most ms to the first token", "most ms from token to token"};
  boxes(values.size(), width, [&](std::size_t i, float each) {
    std::string text = *values[i] > 0 ? std::to_string(*values[i]) : "";
    if (!text_box(ui, "load.limit." + std::to_string(i), text, kWords[i], each)) return;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || (error == std::errc{} && end == text.data() + text.size() && number >= 0)) *values[i] = number;
  });
}

void line(Ui& ui, const io::LoadLine& one, float width) {
  const bool beside = width >= kInLine;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (!one.label.empty()) paragraph(ui, ui.fonts.label, ui.theme.dim, one.label, beside ? kLabel : width);
  if (beside) ImGui::SetCursorScreenPos({at.x + kLabel, at.y});
  ImGui::BeginGroup();
  paragraph(ui, one.label.empty() ? ui.fonts.label : ui.fonts.body, one.label.empty() ? ui.theme.dim : ui.theme.ink, one.text, beside ? width - kLabel : width);
  ImGui::EndGroup();
  ImGui::SetCursorScreenPos({at.x, ImGui::GetItemRectMax().y});
  gap(2);
}

} // namespace

void load_panel(Ui& ui, const App& app, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(ui, "Under load");
  traffic(ui, app, kTraffic, width);
  gap(6);
  traffic(ui, app, kCommon, width);
  gap(6);
  limits(ui, width);
  gap(8);
  if (!app.load) return;
  const io::LoadReport& report = app.load->session.report();
  for (const Issue& issue : report.issues)
    if (issue.severity == Severity::error) paragraph(ui, ui.fonts.label, ui.theme.dim, issue.message + " " + issue.remedy, width);
  for (const io::LoadLine& one : io::load_lines(report)) line(ui, one, width);
  if (app.load->running && report.ok) paragraph(ui, ui.fonts.label, ui.theme.dim, "Looking for the highest load within these limits.", width);
  note_rect(ui, "load", at, {at.x + width, ImGui::GetCursorScreenPos().y});
}

} // namespace plimsoll::app
