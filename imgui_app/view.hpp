#pragma once
// What a person is looking at, and what they ask for. Not part of the question: none of this changes an estimate.

#include "plimsoll/catalog/given_file.hpp"
#include "plimsoll/files/model_file.hpp"
#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/issue.hpp"
#include "plimsoll/method/plan.hpp"
#include "plimsoll/questions/devices.hpp"
#include "plimsoll/questions/serving_plan.hpp"
#include "plimsoll/results/evidence.hpp"
#include "plimsoll/results/result_file.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::app {

/// Logical pixels from the top left corner of the app.
struct Rect {
  float x = 0, y = 0, w = 0, h = 0;

  bool operator==(const Rect&) const = default;
};

/// Where a model file is read, and what it says.
struct FileDialog {
  bool open = false;
  std::string text;                  ///< being typed or pasted
  std::string name;                  ///< of the file that was read; "" for a text
  std::optional<io::ModelFile> file; ///< the last that was read, well or not
};

/// What the list that is open shows: found anew only when the search or the list changes.
struct PickerRows {
  std::string list, search;
  std::size_t options = 0;        ///< of the list
  std::vector<std::size_t> found; ///< those that are shown, in their order
  float width = 0;                ///< that all options need
};

/// What stands under the hull.
enum class Tab : unsigned char { breakdown, timeline, time, devices, plan, compare, accuracy, sources, fields };
inline constexpr std::size_t kTabs = 9;

struct TabText {
  std::string_view id;    ///< stands in links
  std::string_view label;
};
const TabText& text_of(Tab tab) noexcept;

/// Numbers of GPUs to choose from for a plan.
inline constexpr std::array<std::int64_t, 7> kUsualFleets{1, 8, 16, 32, 64, 128, 512};

/// What a plan is handed over as.
enum class PlanFile : unsigned char { report, csv };

/// How the rows of a breakdown are ordered.
enum class Order : unsigned char { as_listed, largest_first };

/// Something happened that deserves a word: shown for a moment.
struct Toast {
  std::string text;
  double at = -60; ///< ImGui's time
};

struct View {
  bool dark = true;
  Tab tab = Tab::breakdown;
  Order order = Order::as_listed;
  std::vector<std::string> pins;       ///< canonical queries to compare with, in the order in which they were pinned
  std::string field_search;            ///< in the fields reference
  io::DeviceOrder device_order = io::DeviceOrder::cheapest;
  bool all_devices = false;            ///< those too that hold the question no better
  Objective plan_objective = Objective::time;
  io::ServingObjective serving_objective = io::ServingObjective::throughput;
  std::int64_t plan_gpus = 8;          ///< that a search for a plan may take
  std::map<std::string, std::string> plan_limits; ///< other entries of its question as typed: budget, deadline, least_rate, ...
  std::int64_t most_first_token_ms = 0, most_per_token_ms = 0; ///< limits of a server's load; 0 = none
  std::string plan_order;              ///< the column that plans are sorted by; "" as they were found
  bool plan_turned = false;            ///< what is worse there first
  io::EvidenceChoice evidence;         ///< which rows of what was measured
  bool export_open = false;            ///< the list of export formats
  Toast toast;
  std::string selected;                ///< the component whose formula is open
  std::string hovered;                 ///< the component under the pointer, as of the last frame
  std::string hovering;                ///< the same, being found out in this frame
  std::string highlighted_field;       ///< the input that the symbol under the pointer comes from
  std::string highlighting_field;
  std::string focus_field;             ///< scroll to this input and edit it
  std::string editing;                 ///< the input whose text box has the keyboard
  bool editing_number = false;         ///< so that a phone shows digits
  std::set<std::string> open_components;
  std::set<std::string> open_topics;   ///< sections whose advanced inputs are shown
  std::optional<std::int64_t> rank;    ///< the pipeline rank that is looked at; empty: the fullest
  std::optional<Moment> moment;        ///< whose tree the breakdown shows; empty: the peak
  std::string search;                  ///< in the list that is open
  int choice = 0;                      ///< the marked row of that list
  bool typed_early = false;            ///< the search has letters that came before it had the keyboard
  PickerRows picker_rows;
  FileDialog file_dialog;
  Issues view_notes;                   ///< what of a link's part behind '#' nobody knows
  Issues import_notes;                 ///< what the last model file does not tell
  double copied_at = -60;              ///< ImGui's time of the last "Copy link"
  double copied_text_at = -60;         ///< the same of the launch line
  std::optional<std::int64_t> dragged; ///< the value of the curve under the pointer while it is held
  float drag_scroll = 0;               ///< how far a finger has moved the page since the last frame
  bool waiting = false;                ///< something will change on the screen without further input: a hint is due
  bool appeared = false;               ///< a window is new: ImGui measures it before it shows it
  std::map<std::string, Rect> rects;   ///< where things were drawn in the last frame: for tests
};

/// What the panels ask for. App carries it out after the frame, so that one frame shows one state.
struct Actions {
  std::vector<std::pair<std::string, std::string>> set; ///< field, text
  std::vector<std::string> reset;                       ///< fields
  std::optional<std::string> read_text;                 ///< as a model file
  bool choose_file = false;                             ///< let the person choose a model file
  std::optional<Moment> look_at;                        ///< show the breakdown of this moment
  std::optional<std::int64_t> look_at_rank;             ///< show the moments of this pipeline rank, and the breakdown at its peak
  std::string open_url;
  std::optional<Tab> show_tab;
  bool pin = false;                                     ///< keep the present question to compare with
  std::optional<std::size_t> unpin;                     ///< place in View::pins
  std::optional<std::string> pin_other;                 ///< keep that query to compare with
  bool search_plans = false;                            ///< for the present question, as View::plan_… say
  bool read_evidence = false;                           ///< what was measured, once more
  bool bring_tabs = false;                              ///< what the other tabs need, once more
  std::optional<PlanFile> save_plan;                    ///< the plans that were found, as a file
  bool stop_plans = false;                              ///< what was found so far stays
  bool undo = false, redo = false;                      ///< of changes of the question
  std::optional<std::string> ask;                       ///< a whole query, in place of the present one
  std::optional<io::GivenKind> remove_given;            ///< back to the prices or devices that are built in
  std::optional<io::ResultFormat> save;                 ///< the result as a file
  bool save_picture = false;                            ///< the window as a PNG
  bool copy_link = false;
  std::string copy_text;                                ///< onto the clipboard
  bool toggle_dark = false;
  bool toggle_units = false; ///< GiB or GB
};

} // namespace plimsoll::app
