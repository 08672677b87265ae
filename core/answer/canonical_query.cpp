#include "plimsoll/answer/answer.hpp"

#include <algorithm>

namespace plimsoll::io {

std::string canonical_query(const Answer& answer) {
  const auto is_bad = [&](const FieldState& state) {
    return state.stated && std::ranges::any_of(answer.issues, [&](const Issue& issue) {
      return issue.severity == Severity::error && issue.field == state.field->name;
    });
  };
  const auto canonical_text = [&](const FieldState& state) {
    return is_bad(state) ? state.text : value_text(answer, *state.field);
  };
  Request shortest;
  for (std::string_view name : {"model", "device", "task"})
    if (const FieldState* state = answer.find_field(name); name != "model" || state->stated || answer.ok) shortest.set(name, canonical_text(*state));
  for (const FieldState& state : answer.fields)
    if (state.changed && (state.applies || is_bad(state)) && shortest.find(state.field->name) == nullptr)
      shortest.set(state.field->name, canonical_text(state));
  for (const Entry& entry : answer.request.entries())
    if (plimsoll::find_field(entry.name) == nullptr) shortest.set(entry.name, entry.text);
  return to_query(shortest);
}

} // namespace plimsoll::io
