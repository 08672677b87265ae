#pragma once
// A list that opens under an input: type to filter, up and down to move, Enter to take, Escape to leave.

#include "plimsoll/catalog/search.hpp"
#include "ui.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

/// One row: its name, with the note small at the end. Searched as io::search does.
using Option = io::SearchRow;

/// Opens the list of that name with nothing searched and `current` marked.
void open_picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current);

/// Draws the list if it is open, below the box from `min` to `max`. Gives the id that was chosen.
std::optional<std::string> picker(Ui& ui, std::string_view name, std::span<const Option> options, std::string_view current,
                                  ImVec2 min, ImVec2 max);

} // namespace plimsoll::app
