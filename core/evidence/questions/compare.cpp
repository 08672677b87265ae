// Rows that are questions, with what was measured: {"id", "group", "query" or "not_covered", "measured": [{"counter", "value", "unit"}]}.
// They are asked as the page and `plimsoll estimate` ask; tests/corpus/convert/README.md has the schema.
#include "evidence/measured.hpp"
#include "evidence/questions/figure.hpp"
#include "evidence/rows.hpp"
#include "plimsoll/answer/answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

bool matches(const Json& row) {
  const auto measured = row.find("measured");
  if (measured == row.end() || !measured->is_array()) return false;
  return row.find("query") != row.end() || row.find("not_covered") != row.end();
}

/// An answer to a query, as the page would have it; with why there is none.
struct Asked {
  Answer answer;
  std::string reason;
};

Asked ask(std::string_view query) {
  Asked asked;
  Issues issues;
  const Request request = request_from_query(query, issues);
  asked.answer = answer(presets(), request, std::move(issues));
  for (const Issue& issue : asked.answer.issues)
    if (issue.severity == Severity::error && asked.reason.empty()) asked.reason = issue.message;
  add_footprint(asked.answer);
  return asked;
}

/// Names of inputs that the question lacks; "" for none.
std::string lacking(const Json& row) {
  const Json& needs = object_at(row, "needs");
  std::string names;
  if (needs.is_object())
    for (const auto& [name, value] : needs.items()) names += (names.empty() ? "" : ", ") + std::string{name};
  return names;
}

class Row {
public:
  Row(const Json& json, std::vector<Comparison>& into) : json_(json), into_(into), reason_(text_of(json, "not_covered")) {
    if (!reason_.empty()) return;
    asked_ = ask(text_of(json, "query"));
    reason_ = asked_.reason;
  }

  void add(const Json& measured) {
    Comparison comparison;
    std::string unknown;
    const Figure figure = read_figure(measured, unknown);
    comparison.id = text_of(json_, "id");
    comparison.group = text_of(json_, "group");
    comparison.metric = figure.metric;
    comparison.measured_is_rounded = figure.rounded;
    comparison.set = text_of(json_, "set");
    comparison.twin = text_of(json_, "twin");
    comparison.config = text_of(json_, "config");
    list("assumed", comparison.assumed);
    list("features", comparison.features);
    if (const std::string names = lacking(json_); !names.empty()) comparison.assumed.push_back("What no question can say yet: " + names + ".");
    comparison.reason = reason_.empty() ? unknown : reason_;
    if (asked_.answer.ok) {
      comparison.scenario = canonical_query(asked_.answer);
      comparison.profile = asked_.answer.profile_id;
    }
    compare(figure, text_of(measured, "unit"), comparison);
    into_.push_back(std::move(comparison));
  }

private:
  void list(const char* key, std::vector<std::string>& into) const {
    const auto texts = json_.find(key);
    if (texts == json_.end() || !texts->is_array()) return;
    for (const Json& text : *texts)
      if (text.is_string()) into.push_back(text.get<std::string>());
  }

  void compare(const Figure& figure, const std::string& unit, Comparison& comparison) const {
    const CounterRow* const counter = find_counter(figure.counter);
    comparison.unit = unit;
    if (counter == nullptr) {
      if (comparison.reason.empty()) comparison.reason = "No answer tells " + quoted(std::string_view{figure.counter}) + ".";
      if (figure.value) comparison.measured = scaled(*figure.value, 0);
      return;
    }
    comparison.decimals = counter->decimals;
    comparison.memory = counter->memory;
    if (figure.value) comparison.measured = scaled(*figure.value, counter->decimals);
    if (comparison.reason.empty() && unit != counter->unit) comparison.reason = "The unit of " + figure.counter + " is " + std::string{counter->unit} + ", not " + quoted(std::string_view{unit}) + ".";
    if (!comparison.reason.empty()) return;
    std::optional<Predicted> predicted = counter->of(asked_.answer, figure);
    if (predicted && !figure.minus.empty()) {
      const Asked other = ask(figure.minus);
      const std::optional<Predicted> less = other.reason.empty() ? counter->of(other.answer, figure) : std::nullopt;
      if (less) *predicted = {predicted->expected - less->expected, predicted->low - less->high, predicted->high - less->low};
      else predicted.reset();
    }
    if (!predicted) return void(comparison.reason = "No answer tells this of " + figure.counter + ".");
    comparison.modelled = true;
    comparison.predicted = predicted->expected;
    comparison.low = predicted->low;
    comparison.high = predicted->high;
    if (figure.explained) comparison.explained = scaled(*figure.explained, counter->decimals).value_or(0);
  }

  /// In units of 10^-decimals, rounded to the nearest; nothing where it does not fit.
  static std::optional<std::int64_t> scaled(double value, int decimals) {
    for (int i = 0; i < decimals; ++i) value *= 10;
    constexpr double kTooLarge = 9'223'372'036'854'775'808.0; // 2^63
    return std::abs(value) < kTooLarge ? std::optional{static_cast<std::int64_t>(std::llround(value))} : std::nullopt;
  }

  const Json& json_;
  std::vector<Comparison>& into_;
  Asked asked_;
  std::string reason_;
};

void compare_row(const Json& json, std::vector<Comparison>& into) {
  Row row{json, into};
  for (const Json& measured : json.at("measured")) row.add(measured);
}

} // namespace

Schema questions() { return {"questions", matches, compare_row}; }

} // namespace plimsoll::io::accuracy
