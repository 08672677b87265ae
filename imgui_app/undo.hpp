#pragma once
// Questions that were asked before the present one, and those that were taken back.

#include "plimsoll/request/request.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {

class Undo {
public:
  /// The question was `before`, and is now another. What is typed into one row while it is edited (`editing`, "" for what is pressed) is taken
  /// back at once.
  void note(io::Request before, std::string_view editing);

  bool can_undo() const noexcept { return !before_.empty(); }
  bool can_redo() const noexcept { return !after_.empty(); }
  /// The question to go to from `now`; nothing where there is none.
  std::optional<io::Request> undo(io::Request now);
  std::optional<io::Request> redo(io::Request now);

private:
  std::vector<io::Request> before_, after_; ///< the nearest last
  std::string editing_;
};

} // namespace plimsoll::app
