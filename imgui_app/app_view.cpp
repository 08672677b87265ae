// What is looked at, as text: the part of a link behind '#'.
#include "app.hpp"

#include "plimsoll/results/api.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

namespace plimsoll::app {
namespace {

constexpr std::array<TabText, kTabs> kTabTexts{{{"breakdown", "Breakdown"},
                                                {"timeline", "Timeline"},
                                                {"time", "Time and cost"},
                                                {"devices", "Devices"},
                                                {"plan", "Plan"},
                                                {"compare", "Compare"},
                                                {"accuracy", "Accuracy"},
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

constexpr std::int64_t kMostGpus = 65'536;

constexpr std::array<std::string_view, 4> kLimits{"budget", "deadline", "least_rate", "most_first_token"};

bool is_gpus(std::string_view text) {
  const std::optional<std::int64_t> gpus = number_of(text);
  return gpus && *gpus >= 1 && *gpus <= kMostGpus;
}

/// A search that a link asks for: what the best plan has, how many GPUs it may take, and its limits.
bool is_plan_word(const io::Entry& entry) {
  if (entry.name == "objective") return objective_of(entry.text).has_value() || io::serving_objective_of(entry.text).has_value();
  return entry.name == "gpus" ? is_gpus(entry.text) : std::ranges::find(kLimits, entry.name) != kLimits.end();
}

constexpr std::string_view kTurned = "-"; ///< before an order: the other way round

void add_evidence(io::Request& words, const io::EvidenceChoice& choice) {
  const auto add = [&](std::string_view name, const std::string& text) {
    if (!text.empty()) words.set(name, text);
  };
  add("unit", choice.missing ? "none" : choice.unit);
  add("source", choice.corpus);
  add("group", choice.group);
  add("find", choice.text);
  if (choice.turned || choice.order != io::EvidenceOrder::error) add("order", std::string{choice.turned ? kTurned : ""} + std::string{io::name_of(choice.order)});
}

std::optional<io::EvidenceOrder> order_of(std::string_view text) {
  if (text.starts_with(kTurned)) text.remove_prefix(kTurned.size());
  for (std::size_t i = 0; i < io::kEvidenceOrders; ++i)
    if (io::name_of(static_cast<io::EvidenceOrder>(i)) == text) return static_cast<io::EvidenceOrder>(i);
  return std::nullopt;
}

/// True when the word is one of the rows of evidence that are chosen.
bool read_evidence_word(const io::Entry& entry, io::EvidenceChoice& choice) {
  if (entry.name == "unit") choice.missing = entry.text == "none", choice.unit = choice.missing ? "" : entry.text;
  else if (entry.name == "source") choice.corpus = entry.text;
  else if (entry.name == "group") choice.group = entry.text;
  else if (entry.name == "find") choice.text = entry.text;
  else if (const auto order = entry.name == "order" ? order_of(entry.text) : std::nullopt) choice.order = *order, choice.turned = entry.text.starts_with(kTurned);
  else return false;
  return true;
}

} // namespace

const TabText& text_of(Tab tab) noexcept { return kTabTexts[static_cast<std::size_t>(tab)]; }

std::string App::view_text() const {
  io::Request words;
  if (view.tab != Tab::breakdown) words.set("tab", text_of(view.tab).id);
  if (view.rank) words.set("rank", std::to_string(*view.rank));
  if (view.moment) words.set("moment", text_of(*view.moment).id);
  if (shown && !view.selected.empty() && view.selected != first_look(*shown)) words.set("open", view.selected);
  if (plan || serving) {
    words.set("objective", plan ? text_of(view.plan_objective).id : io::name_of(view.serving_objective));
    const auto typed = view.plan_limits.find("gpus");
    words.set("gpus", typed != view.plan_limits.end() && !typed->second.empty() ? typed->second : std::to_string(view.plan_gpus));
    for (const std::string_view limit : kLimits)
      if (const auto at = view.plan_limits.find(std::string{limit}); at != view.plan_limits.end() && !at->second.empty()) words.set(limit, at->second);
  }
  add_evidence(words, view.evidence);
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
  view.evidence = {};
  view.plan_limits.clear();
  for (const io::Entry& entry : words.entries()) {
    const bool is_pin = entry.name.starts_with("pin") && number_of(std::string_view{entry.name}.substr(3));
    const auto tab = std::ranges::find(kTabTexts, std::string_view{entry.text}, &TabText::id);
    if (is_pin && view.pins.size() < kMostPins) view.pins.push_back(entry.text);
    else if (entry.name == "tab" && tab != kTabTexts.end()) view.tab = static_cast<Tab>(tab - kTabTexts.begin());
    else if (read_evidence_word(entry, view.evidence)) continue;
    else if (entry.name != "rank" && entry.name != "moment" && entry.name != "open" && !is_plan_word(entry))
      view.view_notes.push_back({Severity::warning, entry.name, "The link asks to show " + entry.name + "=" + entry.text + ", which is not known here.",
                                 "It is left out; the estimate is not affected."});
  }
  answer_pins();
  if (shown && !judging) look_again(); // else show_answer() does, of the answer that this is a view of
  plan.reset();
  serving.reset();
  for (const std::string_view limit : kLimits)
    if (!word(limit).empty()) view.plan_limits[std::string{limit}] = word(limit);
  const bool is_training = trains(answer.inputs.workload.task);
  const auto of_training = is_training ? objective_of(word("objective")) : std::nullopt;
  const auto of_serving = is_training ? std::nullopt : io::serving_objective_of(word("objective"));
  if ((of_training || of_serving) && is_gpus(word("gpus"))) {
    view.plan_objective = of_training.value_or(view.plan_objective);
    view.serving_objective = of_serving.value_or(view.serving_objective);
    view.plan_limits["gpus"] = word("gpus"); // in its box, unless it is one of those to choose from
    for (const std::int64_t usual : kUsualFleets)
      if (usual == *number_of(word("gpus"))) view.plan_gpus = usual, view.plan_limits.erase("gpus");
    search_plans();
  }
  told_view = view_text();
  wake();
}

std::string App::link() const {
  const std::string looked_at = view_text();
  return address + "?" + query + (looked_at.empty() ? "" : "#" + looked_at);
}

void App::answer_each_pin() {
  for (const std::string& pin : view.pins) {
    Pinned one{pin, {}};
    Issues issues;
    const io::Request asked = io::request_from_query(pin, issues);
    one.answer = io::answer(catalog, asked, std::move(issues));
    io::add_footprint(one.answer);
    io::add_cost(one.answer, catalog, prices, today);
    pinned.push_back(std::move(one));
  }
}

} // namespace plimsoll::app
