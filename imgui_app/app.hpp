#pragma once
// The app without a platform: the question, its answer, and the screen that shows both. The platform feeds it input, calls
// frame(), and carries out the effects.
//
//   question (URL, rows, a model file) -> Request -> Answer -> panels -> Actions -> Request

#include "advice.hpp"
#include "evidence_shown.hpp"
#include "fonts.hpp"
#include "plan_search.hpp"
#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/given_file.hpp"
#include "plimsoll/catalog/prices.hpp"
#include "plimsoll/method/speed.hpp"
#include "plimsoll/method/time.hpp"
#include "reach/reach.hpp"
#include "undo.hpp"
#include "view.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::app {

/// A file of the user's own, in use until it is removed.
struct UserCatalogue {
  io::GivenKind kind = io::GivenKind::other;
  std::string name;    ///< of the file, or how it came
  std::string summary; ///< what is in it, with its dates
  std::string text;
};

/// A question that is kept to compare with, and its answer.
struct Pinned {
  std::string query;
  io::Answer answer;
};

/// The latest answer without errors, with its words.
struct Shown {
  io::Answer answer;
  Explanation explanation;
  std::vector<MomentUse> ranks;    ///< of every pipeline rank its fullest moment, where there are several
  std::optional<Estimate> rank;    ///< of View::rank, when that is not the fullest
  std::vector<Component> money;    ///< power, energy and what else a price follows from
  std::optional<Component> moment; ///< the tree of what is looked at, when that is not the peak of the fullest rank

  /// The rank whose moments are on the screen.
  const Estimate& looked_at() const noexcept { return rank ? *rank : answer.estimate; }
};

/// What the platform must do for the app after a frame.
struct Effects {
  std::string copy;     ///< a link, onto the clipboard or to a share sheet
  std::string copy_text; ///< any other text, onto the clipboard
  std::string open_url; ///< in a browser
  bool query_changed = false;
  bool answered = false;      ///< App::shown, or what is wrong with the question, is another
  bool view_changed = false;  ///< App::view_text() is another
  bool choose_file = false; ///< let the person choose a model file, and give it to read_file()
  std::optional<std::string> read_text; ///< give it to App::read_text(), whose readers may have to be brought first
  std::vector<UserCatalogue> given;   ///< prices or devices that came into use; an empty text: they went out of use
  std::string save_name, save_type, save_text; ///< a file to be kept
  bool save_picture = false;  ///< what is on the screen as a PNG of save_name
  bool want_evidence = false; ///< call App::set_evidence() with accuracy.json, or with "" where it cannot be read
  bool want_other_tabs = false; ///< bring what they need, and call App::set_other_tabs()
  bool want_readers = false;    ///< bring what reads configs of models, and call App::set_readers()
  bool widgets_changed = false; ///< Reach::layer() is another
};

struct App {
  io::Catalog catalog;
  io::Request request;
  io::Answer answer;          ///< to the request; may have errors
  std::optional<Shown> shown; ///< stays on the screen while the request has errors
  std::string query;          ///< canonical
  Undo undo;
  io::Prices prices;
  std::vector<UserCatalogue> given;   ///< at most one of each kind
  std::vector<Pinned> pinned; ///< of View::pins
  std::optional<PlanSearch> plan; ///< the last search for a way of training, running or done
  std::optional<ServingSearch> serving; ///< the last for a way of serving
  std::optional<DeviceSearch> devices;  ///< for the present question, once it was looked at
  std::optional<LoadSearch> load;       ///< for the present question, once it was looked at
  EvidenceShown evidence;
  Arrival other_tabs = Arrival::there; ///< what the tabs beside the first one show and search for; a platform that brings it later says so before the first frame
  Arrival readers = Arrival::there; ///< what reads configs of models, for questions that io::reads_config(); likewise, but that the first question needs it at once
  bool (*are_readers_there)() = nullptr; ///< the platform may know before it says so
  std::vector<FieldRemedy> remedies; ///< of the answer's errors
  OtherProfiles other_profiles;      ///< of the component whose formula is open
  std::optional<OtherProfiles> looking; ///< the same, until all profiles were asked
  std::optional<Advice> advice;
  std::optional<Growth> growth;
  std::optional<io::Curve> grown;    ///< the last that is whole: it stays while the next is being made
  Launch launch;
  bool seeking = false;              ///< for the present question: see advises
  bool answers_in_slices = false;    ///< what takes long is done between frames: see judge_a_while()
  std::chrono::milliseconds slice{5}; ///< of a frame, for all that is sought or judged beside it: with the last step that is begun, and each takes a millisecond or some, ten at most
  bool advises = false;              ///< what would make the question fit, how far it may go and how its memory grows is sought once nothing moves any more
  std::string today;          ///< "YYYY-MM-DD": older prices come with a warning; "" where nobody knows the day
  std::string address;        ///< of the page, before '?': what "Copy link" begins with
  View view;
  Fonts fonts;
  Effects effects;            ///< the platform takes them and leaves an empty one
  bool can_choose_files = false; ///< the platform has a way to choose a file
  bool can_share = false;     ///< the platform gives links to other apps: it does so with Effects::copy
  Reach reach;                ///< the widgets for an accessibility layer; collects nothing until it is told to listen
  int unsettled_frames = 3;   ///< ImGui needs a few frames after an input until nothing moves any more
  std::string told_view;      ///< the view_text() that the platform knows

  /// Loads the catalogue and the typefaces and answers `initial_query`. Needs an ImGui context.
  explicit App(std::string_view initial_query, std::string_view today = {});

  /// The whole question, as in a URL. Does not count as a change that the page must hear of.
  void set_query(std::string_view text);
  void set_field(std::string_view name, std::string_view text);
  void reset_field(std::string_view name);
  /// Takes the model of a file of any kind: `bytes` are its first (see io::header_bytes_needed), `size` that of all of it. The
  /// dialog then shows what it says, or why it is refused; false when the question is unchanged.
  bool read_file(std::string_view bytes, std::uint64_t size, std::string_view name);
  /// Takes prices or devices of the user's own, or the question of an exported result; false, and nothing changes, for anything else.
  /// What is wrong with such a file is shown.
  bool read_given(std::string_view text, std::string_view name);
  void remove_given(io::GivenKind kind);
  const UserCatalogue* find_given(io::GivenKind kind) const noexcept;
  /// The same for a text that was pasted.
  bool read_text(std::string_view text) { return read_file(text, text.size(), {}); }
  /// Says why what was given is no model file; the question is unchanged.
  void refuse_file(std::string message, std::string remedy);
  /// Takes what a program has written of measured and predicted (io/evidence.hpp); anything else is said to be missing.
  void set_evidence(std::string_view text);
  /// What the tabs beside the first one need has come, or could not be had: then their place says so, and asks for it again where somebody wants that.
  void set_other_tabs(bool came);
  /// What reads configs has come, or could not be had: then the question that waits for it gets an issue, and the next asks again.
  void set_readers(bool came);
  void set_dark(bool dark);
  /// GiB or GB in all that is written, here and in what is exported.
  void set_byte_units(ByteUnits units);

  /// What is looked at, as it stands after '#' in a link: tab, rank, moment, open component, pins. Empty at the beginning.
  std::string view_text() const;
  void set_view(std::string_view text);
  /// To all of it: the question and what is looked at.
  std::string link() const;

  /// Draws one frame: everything between ImGui::NewFrame() and ImGui::Render().
  void frame();
  /// Whether the next frame will differ from the last without further input.
  bool needs_drawing() const noexcept { return unsettled_frames > 0 || view.waiting; }
  /// The same, or something is being sought: a frame goes on with it, and so does seek() without drawing.
  bool wants_frame() const noexcept { return needs_drawing() || seeking || judging || looking || searches(); }
  /// Whether a search for plans is running.
  bool searches() const noexcept { return (plan && plan->running) || (serving && serving->running); }
  void seek() {
    begin_slice();
    judge_a_while();
    step_plans();
    look_under_profiles();
    advise_when_settled();
  }
  /// Call when input has arrived.
  void wake() noexcept { unsettled_frames = 3; }

private:
  std::chrono::steady_clock::time_point slice_ends;
  void begin_slice() { slice_ends = std::chrono::steady_clock::now() + slice; }
  bool has_time() const { return std::chrono::steady_clock::now() < slice_ends; }
  bool told_advice = false; ///< all that was sought is on the screen
  bool plans_wanted = false; ///< a search that begins when what searches is there
  std::optional<FootprintSession> judging; ///< of `answer`: until it is done, the former answer is shown
  std::optional<Issues> unread;   ///< of a question that waits for what reads configs: what was found while it was read
  void recompute(Issues carried = {});
  bool has_readers();
  void judge_a_while();
  void show_answer();
  void use_given();
  bool has_other_tabs();
  void step_other_tabs();
  void answer_pins();
  void answer_each_pin();
  void look_again();
  void look_at_evidence();
  void choose_evidence();
  void find_remedies();
  void look_under_profiles();
  void advise_when_settled();
  void find_launch();
  bool advance_advice();
  bool advance_growth();
  void search_plans();
  void begin_search();
  void search_training();
  void search_serving();
  std::chrono::steady_clock::time_point plans_told_at; ///< what the search has found
  void step_plans();
  void search_on();
  void tell_plans();
  void save_plan(PlanFile file);
  void step_devices();
  void step_load();
  void save(io::ResultFormat format);
  void carry_out(Actions& actions);
  void change_question(Actions& actions);
  void go_to(std::optional<io::Request> question);
  void hear_shortcuts(Actions& actions);
};

/// The component whose formula is open until another is chosen.
std::string first_look(const Shown& shown);

/// "Fits. 3.4 GiB to spare." for a window's title; empty while there is no answer.
std::string title_of(const App& app);

/// Whether a text looks like a JSON object: what a pasted config.json is.
bool looks_like_json(std::string_view text);

} // namespace plimsoll::app
