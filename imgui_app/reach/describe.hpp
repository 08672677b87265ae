#pragma once
// How widgets say what they are. ImGui knows where each stands and when it is pressed; what it is called is known where it is
// drawn. All of this costs nothing while nobody listens (see reach.hpp).

#include "reach/widget.hpp"

#include <imgui.h>

#include <string>
#include <string_view>

namespace plimsoll::app {

/// About the item just made. Without a name it is called what is written on it.
struct Words {
  Role role = Role::button;
  std::string name = {}, value = {}, about = {}, group = {};
  int level = 0;
  State checked = State::none, selected = State::none, expanded = State::none;
  bool invalid = false, number = false, multiline = false;
  bool marked = false; ///< the keyboard is at it, though ImGui's focus is not: the marked row of a list
};

/// Whether anybody listens: composing words for nobody can be saved.
bool is_described() noexcept;

void describe(Words words);

/// The item just made is no widget of its own: the second line of a link, the ground of a picture.
void leave_out();

/// A text that was drawn: it names the widget that it stands on.
void note_text(ImVec2 top_left, ImVec2 size, std::string_view text);

} // namespace plimsoll::app
