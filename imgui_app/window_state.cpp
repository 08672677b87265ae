#include "window_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

namespace plimsoll::app {
namespace {

constexpr int kFarthest = 1'000'000; // no desktop is as large, and sums of two such numbers are still numbers
constexpr int kHandle = 64;        // of the title bar, to take hold of it with a pointer

struct Line {
  std::string_view name;
  int least, most;
};
constexpr std::array kLines{
    Line{"width", 320, 16384}, Line{"height", 240, 16384}, Line{"x", -kFarthest, kFarthest}, Line{"y", -kFarthest, kFarthest}, Line{"maximised", 0, 1}};
using Values = std::array<std::optional<int>, kLines.size()>;

/// Takes one line into its place; false when it is not one of ours.
bool take(std::string_view line, Values& values) {
  const std::size_t space = line.find(' ');
  if (space == line.npos) return false;
  const auto known = std::find_if(kLines.begin(), kLines.end(), [&](const Line& one) { return one.name == line.substr(0, space); });
  if (known == kLines.end()) return false;
  std::optional<int>& value = values[static_cast<std::size_t>(known - kLines.begin())];
  const char* const end = line.data() + line.size();
  int number = 0;
  const auto [stopped, error] = std::from_chars(line.data() + space + 1, end, number);
  if (value || error != std::errc{} || stopped != end || number < known->least || number > known->most) return false;
  value = number;
  return true;
}

} // namespace

std::string to_text(const WindowState& state) {
  const std::array numbers{state.width, state.height, state.x, state.y, state.maximised ? 1 : 0};
  std::string text;
  for (std::size_t i = 0; i < kLines.size(); ++i)
    text.append(kLines[i].name).append(" ").append(std::to_string(std::clamp(numbers[i], kLines[i].least, kLines[i].most))).append("\n");
  return text;
}

std::optional<WindowState> read_window_state(std::string_view text) {
  Values values;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == text.npos || !take(text.substr(0, end), values)) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (std::any_of(values.begin(), values.end(), [](const auto& value) { return !value; })) return std::nullopt;
  return WindowState{*values[0], *values[1], *values[2], *values[3], *values[4] == 1};
}

bool can_be_reached(const WindowState& state, const ScreenArea& screen) {
  const int left = std::max(state.x, screen.x), right = std::min(state.x + state.width, screen.x + screen.width);
  return right - left >= kHandle && state.y >= screen.y && state.y + kHandle <= screen.y + screen.height;
}

} // namespace plimsoll::app
