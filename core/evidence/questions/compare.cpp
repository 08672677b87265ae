// Rows that are questions, with what was measured: {"id", "group", "query" or "not_covered", "measured": [{"counter", "value", "unit"}]}.
// They are asked as the page and `plimsoll estimate` ask; tests/corpus/convert/README.md has the schema.
#include "evidence/measured.hpp"
#include "evidence/questions/figure.hpp"
#include "evidence/rows.hpp"
#include "plimsoll/answer/answer.hpp"

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
    if (asked_.answer.ok) scenario_ = canonical_query(asked_.answer);
  }

  void add(const Json& measured) {
    Comparison comparison;
    std::string unknown;
    const Figure figure = read_figure(measured, unknown);
    comparison.group = text_of(json_, "group");
    comparison.metric = figure.metric;
    comparison.measured_is_rounded = figure.rounded;
    comparison.set = text_of(json_, "set");
    comparison.twin = text_of(json_, "twin");
    comparison.config = text_of(json_, "config");
    comparison.assumed = assumed();
    if (const std::string names = lacking(json_); !names.empty()) comparison.assumed.push_back("What no question can say yet: " + names + ".");
    comparison.reason = reason_.empty() ? unknown : reason_;
    comparison.scenario = scenario_;
    if (asked_.answer.ok) comparison.profile = asked_.answer.profile_id;
    compare(measured, figure, comparison);
    into_.push_back(std::move(comparison));
  }

private:
  std::vector<std::string> assumed() const {
    std::vector<std::string> sentences;
    const auto texts = json_.find("assumed");
    if (texts == json_.end() || !texts->is_array()) return sentences;
    for (const Json& text : *texts)
      if (text.is_string()) sentences.push_back(text.get<std::string>());
    return sentences;
  }

  void compare(const Json& measured, const Figure& figure, Comparison& comparison) {
    const CounterRow* const counter = find_counter(figure.counter);
    const std::string unit = text_of(measured, "unit");
    comparison.unit = unit;
    comparison.decimals = counter != nullptr ? counter->decimals : 0;
    comparison.measured = decimal_of(measured, "value", comparison.decimals);
    if (counter == nullptr) {
      if (comparison.reason.empty()) comparison.reason = "No answer tells " + quoted(std::string_view{figure.counter}) + ".";
      return;
    }
    comparison.memory = counter->memory;
    if (comparison.reason.empty() && unit != counter->unit) comparison.reason = "The unit of " + figure.counter + " is " + std::string{counter->unit} + ", not " + quoted(std::string_view{unit}) + ".";
    if (!comparison.reason.empty()) return;
    std::optional<Predicted> predicted = predict(*counter, asked_.answer, figure);
    if (predicted && !figure.minus.empty()) {
      Asked other = ask(figure.minus);
      const std::optional<Predicted> less = other.reason.empty() ? predict(*counter, other.answer, figure) : std::nullopt;
      if (less) *predicted = {predicted->expected - less->expected, predicted->low - less->high, predicted->high - less->low};
      else predicted.reset();
    }
    if (!predicted) return void(comparison.reason = "No answer tells this of " + figure.counter + ".");
    comparison.modelled = true;
    comparison.predicted = predicted->expected;
    comparison.low = predicted->low;
    comparison.high = predicted->high;
    comparison.explained = decimal_of(measured, "explained", counter->decimals).value_or(0);
  }

  /// The allocator's replay takes most of the time of an answer: only counters of memory read it.
  static std::optional<Predicted> predict(const CounterRow& counter, Answer& answer, const Figure& figure) {
    if (!counter.memory.empty()) add_footprint(answer);
    return counter.of(answer, figure);
  }

  const Json& json_;
  std::vector<Comparison>& into_;
  Asked asked_;
  std::string reason_, scenario_;
};

void compare_row(const Json& json, std::vector<Comparison>& into) {
  Row row{json, into};
  for (const Json& measured : json.at("measured")) row.add(measured);
}

} // namespace

Schema questions() { return {"questions", matches, compare_row}; }

} // namespace plimsoll::io::accuracy
