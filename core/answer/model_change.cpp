#include "plimsoll/answer/model_change.hpp"

#include "plimsoll/method/parameters.hpp"

#include <algorithm>
#include <optional>

namespace plimsoll::io {

namespace {

bool is_changed_fact(const FieldState& state) {
  return state.changed && state.field->topic == Topic::model && state.field->kind != FieldKind::id;
}

} // namespace

std::string model_change(const Catalog& catalog, const Answer& answer) {
  const ModelRow* preset = catalog.find_model(answer.inputs.model.id);
  if (!answer.ok || preset == nullptr || !std::ranges::any_of(answer.fields, is_changed_fact)) return "";
  const std::optional<Model>& unchanged = catalog.model(*preset).model;
  if (!unchanged) return "";
  const Count now = count_parameters(answer.inputs.model), before = count_parameters(*unchanged);
  if (now == before) return "as many parameters as " + preset->name;
  const Count difference{now > before ? now.value - before.value : before.value - now.value};
  return format_count(difference) + " parameters " + (now > before ? "more" : "fewer") + " than " + preset->name;
}

} // namespace plimsoll::io
