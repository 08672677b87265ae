#include "plimsoll/questions/compare.hpp"

#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/format.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll::io {

namespace {

using Amounts = std::vector<std::optional<std::int64_t>>;

/// b - a for 1000 of a, rounded towards zero; doubles are exact enough for a tenth of a per cent, and no product overflows.
std::int64_t permille(std::int64_t a, std::int64_t b) {
  constexpr double kMost = 9e15;
  const double change = (static_cast<double>(b) - static_cast<double>(a)) * 1000.0 / static_cast<double>(a < 0 ? -a : a);
  return static_cast<std::int64_t>(change > kMost ? kMost : change < -kMost ? -kMost : change);
}

std::string with_sign(std::string text, bool positive) { return positive ? "+" + text : text; }

ComparedCell cell_of(const std::optional<std::int64_t>& first, const std::optional<std::int64_t>& own, std::string_view unit) {
  ComparedCell cell;
  if (!own) return cell;
  cell = {.known = true, .amount = *own, .text = format_amount(*own, unit), .difference = {}, .share = {}};
  if (!first || *first == *own) return cell;
  const std::int64_t difference = (Count{*own} - Count{*first}).value;
  cell.difference = with_sign(format_amount(difference, unit), difference > 0);
  if (*first != 0) cell.share = with_sign(format_decimal(permille(*first, *own), 1) + " %", difference > 0);
  return cell;
}

void add_row(std::vector<ComparedRow>& rows, std::string id, std::string label, std::string_view unit, const Amounts& amounts, bool more_is_better = false) {
  if (std::ranges::none_of(amounts, [](const auto& amount) { return amount && *amount != 0; })) return;
  ComparedRow row{std::move(id), std::move(label), unit, more_is_better, {}};
  for (const std::optional<std::int64_t>& amount : amounts) row.cells.push_back(cell_of(amounts.front(), amount, unit));
  rows.push_back(std::move(row));
}

/// `amount` of each answer without errors.
template <class Amount> Amounts of_each(std::span<const Answer* const> answers, const Amount& amount) {
  Amounts amounts;
  for (const Answer* answer : answers) amounts.push_back(answer->ok ? amount(*answer) : std::optional<std::int64_t>{});
  return amounts;
}

/// Facts by id, in the order in which they first appear.
void add_facts(std::vector<ComparedRow>& rows, std::span<const Answer* const> answers) {
  std::vector<std::vector<Component>> facts;
  std::vector<const Component*> kinds;
  for (const Answer* answer : answers) facts.push_back(answer->ok ? explain(answer->scenario, answer->estimate).facts : std::vector<Component>{});
  for (const std::vector<Component>& list : facts)
    for (const Component& fact : list)
      if (std::ranges::none_of(kinds, [&](const Component* kind) { return kind->id == fact.id; })) kinds.push_back(&fact);
  for (const Component* kind : kinds) {
    Amounts amounts;
    for (const std::vector<Component>& list : facts) {
      const auto at = std::ranges::find(list, kind->id, &Component::id);
      amounts.push_back(at == list.end() ? std::optional<std::int64_t>{} : std::optional{at->amount});
    }
    const bool is_rate = kind->id == "fact.tokens_per_second" || kind->id == "fact.mfu" || kind->id == "fact.hfu";
    add_row(rows, kind->id, kind->label, kind->unit, amounts, is_rate);
  }
}

} // namespace

std::vector<ComparedRow> compare(std::span<const Answer* const> answers) {
  std::vector<ComparedRow> rows;
  if (answers.empty()) return rows;
  add_row(rows, "process", "Process", "bytes", of_each(answers, [](const Answer& answer) -> std::optional<std::int64_t> {
            return answer.footprint ? std::optional{answer.footprint->process.expected.value} : std::nullopt;
          }));
  add_row(rows, "headroom", "To spare", "bytes", of_each(answers, [](const Answer& answer) -> std::optional<std::int64_t> {
            return answer.footprint ? std::optional{answer.footprint->headroom.value} : std::nullopt;
          }), true);
  add_row(rows, "memory", "In use at the peak", "bytes", of_each(answers, [](const Answer& answer) { return std::optional{answer.estimate.at_peak().total.value}; }));
  for (std::size_t i = 0; i < kParts; ++i) {
    const PartText& text = text_of(static_cast<Part>(i));
    add_row(rows, std::string{text.id}, std::string{text.label}, "bytes", of_each(answers, [i](const Answer& answer) { return std::optional{answer.estimate.at_peak().parts[i].value}; }));
  }
  add_row(rows, "gpus", "GPUs", "GPUs", of_each(answers, [](const Answer& answer) { return std::optional{answer.estimate.gpus.value}; }));
  add_facts(rows, answers);
  add_row(rows, "cost", "Cheapest offer", "micro-dollars", of_each(answers, [](const Answer& answer) -> std::optional<std::int64_t> {
            return answer.cost && !answer.cost->options.empty() ? std::optional{answer.cost->options.front().option.total.value} : std::nullopt;
          }));
  return rows;
}

namespace {

/// What the field holds, however it was written; what could not be read is shown as it was typed.
std::string meant(const Answer& answer, const FieldState& state) {
  const auto is_about = [&](const Issue& issue) { return issue.severity == Severity::error && issue.field == state.field->name; };
  return state.stated && std::ranges::any_of(answer.issues, is_about) ? state.text : value_text(answer, *state.field);
}

} // namespace

std::string differing_inputs(const Catalog& catalog, const Answer& first, const Answer& other) {
  std::string text;
  for (const FieldState& state : other.fields) {
    const FieldState* const own = first.find_field(state.field->name);
    if (!state.applies || own == nullptr || (meant(first, *own) == meant(other, state) && own->applies)) continue;
    if (!own->applies && !state.stated) continue; // a default of another task
    if (fact_index(*state.field) < kMostFacts && !state.changed && !own->changed) continue; // goes with the model
    text += (text.empty() ? "" : ", ") + std::string{label_of(*state.field)} + " " + shown_value(catalog, *state.field, meant(other, state));
  }
  return text.empty() ? "the same question" : text;
}

} // namespace plimsoll::io
