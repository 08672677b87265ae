#pragma once
// A list that opens under an input: type to filter, up and down to move, Enter to take, Escape to leave.

#include "ui.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

struct Option {
  std::string_view id;
  std::string_view label;
  std::string_view note;            ///< small, at the end of the row
  std::span<const std::string> aliases; ///< also found by these
};

/// Whether every word of `search` occurs in the option, letter case ignored.
bool matches(const Option& option, std::string_view search);

/// Opens the list of that name with nothing searched and `current` marked.
void open_picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current);

/// Draws the list if it is open, below the box from `min` to `max`. Gives the id that was chosen.
std::optional<std::string> picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current,
                                  ImVec2 min, ImVec2 max);

} // namespace plimsoll::app
