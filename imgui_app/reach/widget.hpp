#pragma once
// What of the screen people reach without eyes or without a pointer: the widgets of a frame as data, for an accessibility layer.

#include "view.hpp"

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {

/// What a widget is, in the words of WAI-ARIA.
enum class Role : unsigned char { button, link, checkbox, radio, tab, combobox, textbox, option, menuitem, treeitem, img };
std::string_view name_of(Role role) noexcept;

/// A state that most widgets do not have.
enum class State : unsigned char { none, off, on };
constexpr State state_of(bool on) noexcept { return on ? State::on : State::off; }

struct Widget {
  ImGuiID id = 0;
  Role role = Role::button;
  std::string name = {}, value = {}, about = {}; ///< `about` says more than the name must
  std::string group = {};              ///< neighbours of one role and group stand together: a list of tabs, a tree
  int level = 0;                  ///< of a treeitem, from 1
  State checked = State::none, selected = State::none, expanded = State::none;
  bool invalid = false, number = false, multiline = false;
  ImGuiID pane = 0;
  Rect at = {};                   ///< from the corner of what the pane scrolls

  bool operator==(const Widget&) const = default;
};

/// A window of ImGui that widgets stand in.
struct Pane {
  ImGuiID id = 0;
  Rect at;                ///< on the screen
  float scroll = 0;       ///< how far it is scrolled down
  float height = 0;       ///< of what it scrolls
  bool above = false;     ///< over others: a list that opened, a dialog

  bool operator==(const Pane&) const = default;
};

/// All widgets of a frame in the order in which they were drawn, those that are scrolled away too.
struct Layer {
  std::vector<Pane> panes;
  std::vector<Widget> widgets;
  ImGuiID focused = 0;    ///< that the keyboard is at; 0: none of them

  bool operator==(const Layer&) const = default;
};

/// As JSON, with the ids as numbers.
std::string json_of(const Layer& layer);

} // namespace plimsoll::app
