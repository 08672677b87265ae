// Rows of evidence are asked as the page and `plimsoll estimate` ask.
#include "evidence/row.hpp"

#include "evidence/figure.hpp"
#include "evidence/question.hpp"
#include "plimsoll/answer/answer.hpp"
#include "text/members.hpp"

#include <cmath>
#include <utility>

namespace plimsoll::io::accuracy {

namespace {

/// An answer to a query, as the page would have it; with why there is none.
struct Asked {
  Answer answer;
  std::string reason;
};

Asked ask(const Catalog& catalog, const Request& request, Issues issues) {
  Asked asked;
  asked.answer = answer(catalog, request, std::move(issues));
  for (const Issue& issue : asked.answer.issues)
    if (issue.severity == Severity::error && asked.reason.empty()) asked.reason = issue.message;
  return asked;
}

/// Names of inputs that the question lacks; "" for none.
std::string lacking(const Json& row) {
  const auto needs = row.find("needs");
  std::string names;
  if (needs != row.end() && needs->is_object())
    for (const auto& [name, value] : needs->items()) names += (names.empty() ? "" : ", ") + std::string{name};
  return names;
}

class Row {
public:
  Row(const Catalog& catalog, const Json& json, const RowFiles& files, std::vector<Comparison>& into) : catalog_(catalog), json_(json), into_(into), reason_(text_at(json, "not_covered")) {
    if (!reason_.empty()) return;
    Issues issues;
    Question question = question_of(json, files, issues);
    assumed_ = std::move(question.assumed);
    asked_ = ask(catalog, question.request, std::move(issues));
    reason_ = asked_.reason;
    if (asked_.answer.ok) scenario_ = canonical_query(asked_.answer);
  }

  void add(const Json& measured) {
    Comparison comparison;
    std::string unknown;
    const Figure figure = read_figure(measured, unknown);
    comparison.id = text_at(json_, "id");
    comparison.group = text_at(json_, "group");
    comparison.metric = figure.metric;
    comparison.measured_is_rounded = figure.rounded;
    comparison.set = text_at(json_, "set");
    comparison.twin = text_at(json_, "twin");
    comparison.config = text_at(json_, "config");
    comparison.features = texts_of(json_, "features");
    comparison.assumed = texts_of(json_, "assumed");
    comparison.assumed.insert(comparison.assumed.end(), assumed_.begin(), assumed_.end());
    if (const std::string names = lacking(json_); !names.empty()) comparison.assumed.push_back("What no question can say yet: " + names + ".");
    comparison.reason = reason_.empty() ? unknown : reason_;
    comparison.scenario = scenario_;
    if (asked_.answer.ok) comparison.profile = asked_.answer.profile_id;
    compare(measured, figure, comparison);
    into_.push_back(std::move(comparison));
  }

  /// A row without figures is listed all the same.
  void add_alone() {
    Comparison comparison;
    comparison.id = text_at(json_, "id");
    comparison.group = text_at(json_, "group");
    comparison.features = texts_of(json_, "features");
    comparison.reason = reason_.empty() ? "The row has no figure." : reason_;
    comparison.scenario = scenario_;
    into_.push_back(std::move(comparison));
  }

private:
  void compare(const Json& measured, const Figure& figure, Comparison& comparison) {
    const CounterRow* const counter = find_counter(figure.counter);
    const std::string unit = text_at(measured, "unit");
    comparison.unit = unit;
    comparison.decimals = counter != nullptr ? counter->decimals : 0;
    comparison.measured = decimal_of(measured, "value", comparison.decimals);
    comparison.digit = decimal_of(measured, "digit", comparison.decimals).value_or(0);
    if (counter == nullptr) {
      if (comparison.reason.empty()) comparison.reason = "No answer tells " + quoted(std::string_view{figure.counter}) + ".";
      return;
    }
    comparison.memory = counter->memory;
    if (comparison.reason.empty() && unit != counter->unit) comparison.reason = "The unit of " + figure.counter + " is " + std::string{counter->unit} + ", not " + quoted(std::string_view{unit}) + ".";
    if (!comparison.reason.empty()) return;
    const std::optional<Predicted> predicted = predict(*counter, asked_.answer, figure);
    if (!predicted) return void(comparison.reason = "No answer tells this of " + figure.counter + ".");
    comparison.explained = decimal_of(measured, "explained", counter->decimals).value_or(0);
    if (!figure.minus.empty()) { // a difference was measured: what the second question predicts is the part of the first that it leaves out
      Issues issues;
      const Request without = request_from_query(figure.minus, issues);
      Asked other = ask(catalog_, without, std::move(issues));
      const std::optional<Predicted> less = other.reason.empty() ? predict(*counter, other.answer, figure) : std::nullopt;
      if (!less) return void(comparison.reason = "No answer tells this of " + figure.counter + ".");
      comparison.explained -= less->expected;
    }
    comparison.modelled = true;
    comparison.predicted = predicted->expected;
    comparison.low = predicted->low;
    comparison.high = predicted->high;
  }

  /// The allocator's replay takes most of the time of an answer: only counters of memory read it.
  static std::optional<Predicted> predict(const CounterRow& counter, Answer& answer, const Figure& figure) {
    if (!counter.memory.empty()) add_footprint(answer);
    return counter.of(answer, figure);
  }

  const Catalog& catalog_;
  const Json& json_;
  std::vector<Comparison>& into_;
  Asked asked_;
  std::string reason_, scenario_;
  std::vector<std::string> assumed_; ///< by the import of the row's files
};

bool is_row(const Json& json) {
  if (!json.is_object()) return false;
  const auto measured = json.find("measured");
  return measured != json.end() && measured->is_array() && (has_question(json) || json.find("not_covered") != json.end());
}

} // namespace

void compare_row(const Catalog& catalog, const Json& json, const RowFiles& files, std::vector<Comparison>& into) {
  if (!is_row(json)) {
    Comparison comparison;
    comparison.id = json.is_object() ? text_at(json, "id") : "";
    comparison.reason = "A row is an object with \"query\", \"files\", \"launch\" or \"not_covered\", and a list \"measured\".";
    return into.push_back(std::move(comparison));
  }
  Row row{catalog, json, files, into};
  for (const Json& measured : json.at("measured")) row.add(measured);
  if (json.at("measured").size() == 0) row.add_alone();
}

std::optional<std::int64_t> decimal_of(const Json& row, const char* key, int decimals) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number()) return std::nullopt;
  if (decimals == 0 && at->is_number_integer()) return number_of(row, key);
  const double scaled = at->get<double>() * power_of_ten(decimals);
  constexpr double kTooLarge = 9'223'372'036'854'775'808.0; // 2^63
  if (!(std::abs(scaled) < kTooLarge)) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(scaled));
}

std::optional<std::int64_t> number_of(const Json& row, const char* key) {
  const auto at = row.find(key);
  if (at == row.end() || !at->is_number()) return std::nullopt;
  if (at->is_number_float()) return std::trunc(at->get<double>()) == at->get<double>() ? decimal_of(row, key, 0) : std::nullopt;
  if (at->is_number_unsigned() && at->get<std::uint64_t>() > static_cast<std::uint64_t>(Count::kMax)) return std::nullopt;
  return at->get<std::int64_t>();
}

std::vector<std::string> texts_of(const Json& row, const char* key) {
  std::vector<std::string> texts;
  const auto at = row.find(key);
  if (at == row.end() || !at->is_array()) return texts;
  for (const Json& text : *at)
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

} // namespace plimsoll::io::accuracy
