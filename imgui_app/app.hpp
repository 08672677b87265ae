#pragma once
// The app without a platform: the question, its answer, and the screen that shows both. The platform feeds it input, calls
// frame(), and carries out the effects.
//
//   question (URL, rows, a model file) -> Request -> Answer -> panels -> Actions -> Request

#include "fonts.hpp"
#include "plimsoll/io/answer.hpp"
#include "view.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {

/// The latest answer without errors, with its words.
struct Shown {
  io::Answer answer;
  Explanation explanation;
  std::vector<MomentUse> ranks;    ///< of every pipeline rank its fullest moment, where there are several
  std::optional<Estimate> rank;    ///< of View::rank, when that is not the fullest
  std::optional<Component> moment; ///< the tree of what is looked at, when that is not the peak of the fullest rank

  /// The rank whose moments are on the screen.
  const Estimate& looked_at() const noexcept { return rank ? *rank : answer.estimate; }
};

/// What the platform must do for the app after a frame.
struct Effects {
  std::string copy;     ///< onto the clipboard
  std::string open_url; ///< in a browser
  bool query_changed = false;
  bool choose_file = false; ///< let the person choose a model file, and give it to read_file()
};

struct App {
  io::Catalog catalog;
  io::Request request;
  io::Answer answer;          ///< to the request; may have errors
  std::optional<Shown> shown; ///< stays on the screen while the request has errors
  std::string query;          ///< canonical
  std::string address;        ///< of the page, before '?': what "Copy link" begins with
  View view;
  Fonts fonts;
  Effects effects;            ///< the platform takes them and leaves an empty one
  bool can_choose_files = false; ///< the platform has a way to choose a file
  int unsettled_frames = 3;   ///< ImGui needs a few frames after an input until nothing moves any more

  /// Loads the catalogue and the typefaces and answers `initial_query`. Needs an ImGui context.
  explicit App(std::string_view initial_query);

  /// The whole question, as in a URL. Does not count as a change that the page must hear of.
  void set_query(std::string_view text);
  void set_field(std::string_view name, std::string_view text);
  void reset_field(std::string_view name);
  /// Takes the model of a file of any kind: `bytes` are its first (see io::header_bytes_needed), `size` that of all of it. The
  /// dialog then shows what it says, or why it is refused; false when the question is unchanged.
  bool read_file(std::string_view bytes, std::uint64_t size, std::string_view name);
  /// The same for a text that was pasted.
  bool read_text(std::string_view text) { return read_file(text, text.size(), {}); }
  /// Says why what was given is no model file; the question is unchanged.
  void refuse_file(std::string message, std::string remedy);
  void set_dark(bool dark);

  /// Draws one frame: everything between ImGui::NewFrame() and ImGui::Render().
  void frame();
  /// Whether the next frame will differ from the last without further input.
  bool wants_frame() const noexcept { return unsettled_frames > 0 || view.waiting; }
  /// Call when input has arrived.
  void wake() noexcept { unsettled_frames = 3; }

private:
  void recompute(Issues carried = {});
  void carry_out(Actions& actions);
};

/// "Fits. 3.4 GiB to spare." for a window's title; empty while there is no answer.
std::string title_of(const App& app);

/// Whether a text looks like a JSON object: what a pasted config.json is.
bool looks_like_json(std::string_view text);

} // namespace plimsoll::app
