#include "plimsoll/questions/remedies.hpp"

#include "plimsoll/catalog/shown_value.hpp"
#include "plimsoll/method/fields.hpp"
#include "text/plain_values.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll::io {

namespace {

constexpr std::size_t kMostTried = 48; ///< each is an answer: tens of microseconds
constexpr std::int64_t kNear = 12;     ///< numbers above and below that are tried one by one, before powers of two

std::int64_t errors_of(const Issues& issues) {
  return std::ranges::count(issues, Severity::error, &Issue::severity);
}

/// The nearest first; of equally near ones the smaller, which asks less.
std::vector<std::string> numbers_near(const Field& field, std::string_view typed) {
  const std::optional<std::int64_t> wrong = field.decimals > 0 ? decimal_of(typed, field.decimals) : whole_number(typed);
  if (!wrong) return {};
  std::vector<std::int64_t> numbers;
  const auto add = [&](std::int64_t number) {
    const std::int64_t inside = std::clamp(number, field.min, field.max);
    if (inside != *wrong && std::ranges::find(numbers, inside) == numbers.end()) numbers.push_back(inside);
  };
  const std::int64_t from = std::clamp(*wrong, field.min, field.max);
  add(from);
  for (std::int64_t away = 1; away <= kNear; ++away) {
    if (from - field.min >= away) add(from - away);
    if (field.max - from >= away) add(from + away);
  }
  std::int64_t below = 1;
  while (below <= from / 2) below *= 2; // the largest power of two up to it, then halves
  for (; below >= 1; below /= 2) add(below);
  std::vector<std::string> texts;
  for (const std::int64_t number : numbers) texts.push_back(text_of(field, number));
  return texts;
}

/// Texts that might do in place of what stands there, the likeliest first.
std::vector<std::string> candidates(const Catalog& catalog, const Field& field, const FieldState& state) {
  if (field.name == "model") return catalog.similar_models(state.text);
  if (field.name == "device") return catalog.similar_devices(state.text);
  if (field.kind == FieldKind::integer) return numbers_near(field, state.text);
  std::vector<std::string> texts;
  if (field.kind == FieldKind::flag) texts = {"true", "false"};
  for (const Choice& choice : field.choices) texts.emplace_back(choice.name);
  return texts;
}

bool mends(const Catalog& catalog, const Answer& before, const Issue& issue, const Request& request) {
  const Answer after = answer(catalog, request);
  const auto is_left = [&](const Issue& other) { return other.field == issue.field && (other.severity == Severity::error || other.message == issue.message); };
  return std::ranges::none_of(after.issues, is_left) && errors_of(after.issues) <= errors_of(before.issues);
}

} // namespace

std::vector<InputChange> remedies(const Catalog& catalog, const Answer& answer, const Issue& issue, std::size_t most) {
  std::vector<InputChange> found;
  const FieldState* const state = answer.find_field(issue.field);
  if (state == nullptr || state->field == nullptr || most == 0) return found;
  const Field& field = *state->field;
  std::size_t tried = 0;
  for (const std::string& text : candidates(catalog, field, *state)) {
    if (text == state->text) continue;
    if (found.size() == most || tried++ == kMostTried) break;
    Request request = answer.request;
    edit(request, field.name, text);
    if (!mends(catalog, answer, issue, request)) continue;
    found.push_back({{{std::string{field.name}, text}}, shown_entry(catalog, field.name, text), false});
  }
  if (!found.empty() || !state->stated || state->text == state->default_text || state->default_text.empty()) return found;
  Request request = answer.request;
  request.erase(field.name);
  if (mends(catalog, answer, issue, request)) found.push_back({{{std::string{field.name}, state->default_text}}, shown_entry(catalog, field.name, state->default_text), false});
  return found;
}

} // namespace plimsoll::io
