// What is looked at, as text: the part of a link behind '#'.
#include "app.hpp"

#include "plimsoll/io/api.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace plimsoll::app {
namespace {

constexpr std::array<TabText, kTabs> kTabTexts{{{"breakdown", "Breakdown"},
                                                {"timeline", "Timeline"},
                                                {"time", "Time and cost"},
                                                {"plan", "Plan"},
                                                {"compare", "Compare"},
                                                {"sources", "Sources"},
                                                {"fields", "Fields"}}};
constexpr std::size_t kMostPins = 8;

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional{number} : std::nullopt;
}

std::optional<Moment> moment_of(std::string_view id) {
  for (int i = 0; i <= static_cast<int>(Moment::between_steps); ++i)
    if (text_of(static_cast<Moment>(i)).id == id) return static_cast<Moment>(i);
  return std::nullopt;
}

std::optional<Objective> objective_of(std::string_view id) {
  for (std::size_t i = 0; i < kObjectives; ++i)
    if (text_of(static_cast<Objective>(i)).id == id) return static_cast<Objective>(i);
  return std::nullopt;
}

constexpr std::int64_t kMostGpus = 65'536;

/// A search that a link asks for: what the best plan has, and how many GPUs it may take.
bool is_plan_word(const io::Entry& entry) {
  if (entry.name == "objective") return objective_of(entry.text).has_value();
  const std::optional<std::int64_t> gpus = entry.name == "gpus" ? number_of(entry.text) : std::nullopt;
  return gpus && *gpus >= 1 && *gpus <= kMostGpus;
}

} // namespace

const TabText& text_of(Tab tab) noexcept { return kTabTexts[static_cast<std::size_t>(tab)]; }

std::string App::view_text() const {
  io::Request words;
  if (view.tab != Tab::breakdown) words.set("tab", text_of(view.tab).id);
  if (view.rank) words.set("rank", std::to_string(*view.rank));
  if (view.moment) words.set("moment", text_of(*view.moment).id);
  if (shown && view.selected != first_look(*shown)) words.set("open", view.selected);
  if (plan) {
    words.set("objective", text_of(view.plan_objective).id);
    words.set("gpus", std::to_string(view.plan_gpus));
  }
  for (std::size_t i = 0; i < view.pins.size(); ++i) words.set("pin" + std::to_string(i + 1), view.pins[i]);
  return io::to_query(words);
}

void App::set_view(std::string_view text) {
  Issues issues;
  const io::Request words = io::request_from_query(text, issues);
  const auto word = [&](std::string_view name) { return words.find(name) ? std::string_view{*words.find(name)} : std::string_view{}; };
  view.tab = Tab::breakdown;
  view.rank = number_of(word("rank"));
  view.moment = moment_of(word("moment"));
  view.selected = word("open");
  view.pins.clear();
  view.view_notes.clear();
  for (const io::Entry& entry : words.entries()) {
    const bool is_pin = entry.name.starts_with("pin") && number_of(std::string_view{entry.name}.substr(3));
    const auto tab = std::ranges::find(kTabTexts, std::string_view{entry.text}, &TabText::id);
    if (is_pin && view.pins.size() < kMostPins) view.pins.push_back(entry.text);
    else if (entry.name == "tab" && tab != kTabTexts.end()) view.tab = static_cast<Tab>(tab - kTabTexts.begin());
    else if (entry.name != "rank" && entry.name != "moment" && entry.name != "open" && !is_plan_word(entry))
      view.view_notes.push_back({Severity::warning, entry.name, "The link asks to show " + entry.name + "=" + entry.text + ", which is not known here.",
                                 "It is left out; the estimate is not affected."});
  }
  answer_pins();
  if (shown) look_again();
  plan.reset();
  if (const auto objective = objective_of(word("objective")); objective && is_plan_word({"gpus", std::string{word("gpus")}})) {
    view.plan_objective = *objective;
    view.plan_gpus = *number_of(word("gpus"));
    search_plans();
  }
  told_view = view_text();
  wake();
}

std::string App::link() const {
  const std::string looked_at = view_text();
  return address + "?" + query + (looked_at.empty() ? "" : "#" + looked_at);
}

void App::answer_pins() {
  pinned.clear();
  for (const std::string& pin : view.pins) {
    Pinned one{pin, {}};
    Issues issues;
    const io::Request asked = io::request_from_query(pin, issues);
    one.answer = io::answer(catalog, asked, std::move(issues));
    io::add_footprint(one.answer);
    io::add_cost(one.answer, catalog, prices, today);
    pinned.push_back(std::move(one));
  }
  wake();
}

} // namespace plimsoll::app
