#include "widgets/text.hpp"

#include "reach/describe.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

namespace plimsoll::app {
namespace {

constexpr float kLeading = 1.22f; ///< line distance over ImGui's line height: about 1.43 em

/// Words of one run that stand on one line.
struct Fragment {
  std::size_t run = 0;
  std::string_view text;
  float x = 0, width = 0;
  int line = 0;
};

/// As units of memory, GPUs and the sign of per cent are: a few letters, one of them a capital.
bool looks_like_unit(std::string_view word) {
  constexpr std::size_t kMost = 4;
  return word == "%" || (word.size() <= kMost && std::ranges::any_of(word, [](char c) { return c >= 'A' && c <= 'Z'; }));
}

/// The next word with the spaces that follow it; a number takes its unit along, so that no line begins with that.
std::string_view next_word(std::string_view text) {
  const auto end_of = [&](std::size_t from) { return std::min(text.find(' ', from), text.size()); };
  const auto next_of = [&](std::size_t from) { return std::min(text.find_first_not_of(' ', from), text.size()); };
  const std::size_t end = end_of(0), next = next_of(end);
  const bool is_number = end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9';
  std::string_view unit = text.substr(next, end_of(next) - next);
  unit = unit.substr(0, unit.find_last_not_of(".,;:)") + 1);
  return text.substr(0, is_number && looks_like_unit(unit) ? next_of(end_of(next)) : next);
}

std::string_view trimmed(std::string_view word) { return word.substr(0, word.find_last_not_of(' ') + 1); }

/// How many bytes of the text stand within `width`, whole characters: what follows is not looked at, however long it is.
std::size_t bytes_within(Type type, std::string_view text, float width) {
  const char* rest = nullptr;
  const float beyond = std::nextafter(std::max(width, 0.0f), FLT_MAX); // a text that is just as wide stands within
  type.font->CalcTextSizeA(type.size, beyond, 0, text.data(), text.data() + text.size(), &rest);
  return static_cast<std::size_t>(rest - text.data());
}

/// Of a word that is wider than a line, as addresses are: as much of it as a line holds, whole characters and at least one.
std::string_view fitting(Type type, std::string_view word, float width) {
  const std::size_t within = bytes_within(type, trimmed(word), width);
  if (within >= trimmed(word).size()) return word;
  const auto starts = [&](std::size_t at) { return at >= word.size() || (static_cast<unsigned char>(word[at]) & 0xC0u) != 0x80u; };
  std::size_t first = 1;
  while (!starts(first)) ++first;
  return word.substr(0, std::max(within, first));
}

std::vector<Fragment> laid_out(std::span<const Run> runs, float width) {
  std::vector<Fragment> fragments;
  float x = 0;
  int line = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::string_view rest = runs[i].text; !rest.empty();) {
      const std::string_view word = fitting(runs[i].type, next_word(rest), width);
      rest.remove_prefix(word.size());
      if (x > 0 && x + measure(runs[i].type, trimmed(word)).x > width) {
        x = 0;
        ++line;
      }
      const float advance = measure(runs[i].type, word).x;
      Fragment* const last = fragments.empty() ? nullptr : &fragments.back();
      if (last && last->run == i && last->line == line) {
        last->text = {last->text.data(), last->text.size() + word.size()};
        last->width += advance;
      } else {
        fragments.push_back({i, word, x, advance, line});
      }
      x += advance;
    }
  }
  return fragments;
}

/// A link of several lines is one button per line; only the first is a stop of the Tab key.
bool link_button(Ui& ui, std::string_view id, const Run& run, const Fragment& fragment, ImVec2 at, bool first) {
  ImGui::SetCursorScreenPos({at.x, at.y - 2});
  const std::string name = "link." + std::string(id);
  ImGui::PushID(static_cast<int>(fragment.run));
  ImGui::PushID(fragment.line);
  const bool pressed = ImGui::InvisibleButton(name.c_str(), {std::max(1.0f, fragment.width), run.type.size + 4},
                                              first ? ImGuiButtonFlags_EnableNav : ImGuiButtonFlags_None);
  if (first) {
    note_item(ui, name);
  } else {
    leave_out();
  }
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float y = at.y + run.type.size - 1;
    ImGui::GetWindowDrawList()->AddLine({at.x, y}, {at.x + measure(run.type, trimmed(fragment.text)).x, y}, run.colour);
  }
  ImGui::PopID();
  ImGui::PopID();
  return pressed;
}

} // namespace

ImVec2 measure(Type type, std::string_view text) {
  return type.font->CalcTextSizeA(type.size, FLT_MAX, 0, text.data(), text.data() + text.size());
}

void draw_text(Type type, ImVec2 top_left, ImU32 colour, std::string_view text) {
  if (is_described()) note_text(top_left, measure(type, text), text);
  ImGui::GetWindowDrawList()->AddText(type.font, type.size, top_left, colour, text.data(), text.data() + text.size());
}

void draw_text_right(Type type, ImVec2 top_right, ImU32 colour, std::string_view text) {
  draw_text(type, {top_right.x - measure(type, text).x, top_right.y}, colour, text);
}

void draw_text_centred(Type type, ImVec2 top_centre, ImU32 colour, std::string_view text) {
  draw_text(type, {top_centre.x - measure(type, text).x / 2, top_centre.y}, colour, text);
}

std::string elided(Type type, std::string_view text, float width) {
  if (bytes_within(type, text, width) == text.size()) return std::string(text);
  constexpr std::string_view kEllipsis = "\u2026";
  return std::string(text.substr(0, bytes_within(type, text, width - measure(type, kEllipsis).x))) + std::string(kEllipsis);
}

int paragraph(Ui& ui, std::string_view id, std::span<const Run> runs, float width) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const std::vector<Fragment> fragments = laid_out(runs, width);
  float height = 0;
  for (const Run& run : runs) height = std::max(height, run.type.size);
  const float line_distance = height * kLeading;
  int pressed = -1;
  std::size_t seen = runs.size();
  for (const Fragment& fragment : fragments) {
    const Run& run = runs[fragment.run];
    const ImVec2 at{origin.x + fragment.x,
                    origin.y + static_cast<float>(fragment.line) * line_distance + (line_distance - run.type.size) / 2};
    draw_text(run.type, at, run.colour, fragment.text);
    if (!run.link) continue;
    const bool first = seen != fragment.run;
    if (link_button(ui, id, run, fragment, at, first)) pressed = static_cast<int>(fragment.run);
    if (first && is_described()) describe({.role = Role::link, .name = std::string(trimmed(run.text)), .about = std::string(runs.front().link ? "" : runs.front().text)});
    seen = fragment.run;
  }
  const int lines = fragments.empty() ? 0 : fragments.back().line + 1;
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, static_cast<float>(lines) * line_distance});
  return pressed;
}

int line_count(Type type, std::string_view text, float width) {
  const Run run{text, type, 0};
  const std::vector<Fragment> fragments = laid_out({&run, 1}, width);
  return fragments.empty() ? 0 : fragments.back().line + 1;
}

float paragraph_height(Type type, int lines) { return static_cast<float>(lines) * type.size * kLeading; }

void paragraph(Ui& ui, Type type, ImU32 colour, std::string_view text, float width) {
  const Run run{text, type, colour};
  paragraph(ui, "", {&run, 1}, width);
}

} // namespace plimsoll::app
