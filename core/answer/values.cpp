// What an answer's fields hold.
#include "plimsoll/answer/answer.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace plimsoll::io {

const FieldState* Answer::find_field(std::string_view name) const noexcept {
  const Field* const field = plimsoll::find_field(name); // by a former name too
  const auto at = std::ranges::find(fields, field, &FieldState::field);
  return field == nullptr || at == fields.end() ? nullptr : &*at;
}

std::string value_text(const Answer& answer, const Field& field) {
  if (field.topic == Topic::model && field.get != nullptr && !answer.inputs.facts.known[fact_index(field)]) return {};
  if (field.get != nullptr) return text_of(field, field.get(answer.inputs));
  if (field.list != nullptr) return text_of(field.list(answer.inputs));
  if (field.kind == FieldKind::text) {
    const std::string* text = answer.request.find(field.name);
    return text != nullptr ? *text : std::string{};
  }
  if (field.name == "model") return answer.inputs.model.id;
  if (field.name == "device") return answer.inputs.hardware.id;
  if (field.name == "weight_dtype") return answer.inputs.weights.scheme.empty() ? answer.weights_default : answer.inputs.weights.scheme;
  if (const std::optional<Role> role = role_of(field.name)) {
    const auto at = std::ranges::find(answer.inputs.role_models, *role, &RoleModel::role);
    return at == answer.inputs.role_models.end() ? std::string{} : at->model.id;
  }
  return answer.profile_id;
}

} // namespace plimsoll::io
