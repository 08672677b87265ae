#pragma once
// Inputs of what is looked at, which are no fields of the question: a box of text, and a box that opens a list.

#include "ui.hpp"
#include "widgets/picker.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plimsoll::app {

/// A box of text that shows `words` while it is empty. True when the text has changed. Remembered as `name`.
bool text_box(Ui& ui, std::string_view name, std::string& text, std::string_view words, float width);

/// "label   value ⌄"; gives the id that was chosen in its list.
std::optional<std::string> choice_box(Ui& ui, std::string_view name, std::string_view label, std::span<const Option> options, std::string_view current, float width);

} // namespace plimsoll::app
