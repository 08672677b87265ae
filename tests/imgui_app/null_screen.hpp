#pragma once
// The app on a screen that nobody sees: frames are laid out and thrown away. Input goes in as a platform would give it.

#include "app.hpp"

#include <imgui.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app::test {

class NullScreen {
public:
  explicit NullScreen(std::string_view query, ImVec2 size = {1440, 900});
  ~NullScreen();
  NullScreen(const NullScreen&) = delete;
  NullScreen& operator=(const NullScreen&) = delete;

  App& app() { return *app_; }
  const std::vector<std::string>& errors() const { return errors_; } ///< that ImGui found in how it was used
  std::size_t vertices() const { return vertices_; }                ///< of the last frame

  void resize(ImVec2 size);
  void frames(int count);
  /// Until nothing moves; the number of frames that took.
  int settle();

  bool shows(const std::string& name) const { return app_->view.rects.contains(name); }
  Rect rect(const std::string& name) const; ///< fails the test when it is not shown
  void hover(const std::string& name);
  void press(const std::string& name);
  void key(ImGuiKey key);
  void type(std::string_view text);

private:
  std::vector<std::string> errors_;
  std::size_t vertices_ = 0;
  std::unique_ptr<App> app_;
};

} // namespace plimsoll::app::test
