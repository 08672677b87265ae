#pragma once
// Collects the widgets of every frame and acts on them from outside: what a screen reader presses, focuses or fills in.
//
// ImGui, compiled with IMGUI_ENABLE_TEST_ENGINE, calls a hook for every item, also for those that are scrolled away. Reach is
// the listener of one context; it finds itself through ImGuiContext::TestEngine, which is there for that.

#include "reach/describe.hpp"
#include "reach/widget.hpp"

#include <imgui.h>

#include <string>
#include <vector>

struct ImGuiWindow;

namespace plimsoll::app {

class Reach {
public:
  /// From now on every frame of the present context is collected.
  void listen();
  bool listens() const noexcept { return listens_; }

  /// Around what a frame draws. end() is true when the widgets are other than at the end of the last frame.
  void begin();
  bool end();
  const Layer& layer() const noexcept { return layer_; }

  /// What was asked for happens in the next frames: draw some until is_busy() is false.
  void press(ImGuiID id);
  void focus(ImGuiID id);
  /// Replaces all of a text box's text.
  void fill(ImGuiID id, std::string text);
  /// Ends what fill() began: what stands in the box is meant.
  void leave(ImGuiID id);
  void scroll(ImGuiID pane, float to);
  bool is_busy() const noexcept { return pressed_ > 0 || to_focus_ != 0 || to_fill_ != 0 || lost_ > 0; }

  // What the hooks and describe() tell.
  void add(ImGuiID id, ImGuiWindow& window, ImVec2 min, ImVec2 max);
  void describe(ImGuiID id, Words words);
  void leave_out(ImGuiID id);
  void note_text(ImGuiID window, ImVec2 centre, std::string_view text);

private:
  struct Item {
    Widget widget;
    ImGuiWindow* window = nullptr;
    bool described = false, left_out = false;
    ImVec2 min = {}, max = {};
  };
  struct Text {
    ImGuiID window = 0;
    ImVec2 centre;
    std::string text;
  };

  Item* find(ImGuiID id);
  std::string written_on(const Item& item) const;
  Layer finished();
  void fill_in();
  void keep_keyboard(const Layer& now);

  bool listens_ = false;
  std::vector<Item> items_;
  std::vector<Text> texts_;
  ImGuiID marked_ = 0;
  Layer layer_;
  int pressed_ = 0;        ///< frames until a press is over
  ImGuiID to_focus_ = 0, to_fill_ = 0;
  int lost_ = 0;           ///< frames since what had the keyboard is gone
  ImGuiID heir_ = 0;       ///< that gets it then
  int patience_ = 0;       ///< frames that what was asked for may still take
  std::string text_;       ///< for to_fill_
};

} // namespace plimsoll::app
