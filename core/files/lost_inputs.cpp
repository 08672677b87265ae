#include "files/lost_inputs.hpp"

#include "text/value.hpp"

namespace plimsoll::io {

Answer answer_again(const Catalog& catalog, const Answer& answer, Request request) {
  for (const std::string_view name : {"device", "usable_bytes"})
    if (const std::string* typed = answer.request.find(name)) request.set(name, *typed);
  return io::answer(catalog, request);
}

std::vector<std::string> lost_inputs(const Answer& answer, const Answer& again) {
  std::vector<std::string> lost;
  const bool same_model = answer.inputs.facts.values == again.inputs.facts.values; // whatever it is called
  if (!same_model) lost.push_back("model=" + value_text(answer, *find_field("model")) + ": pass the model apart");
  for (const FieldState& state : answer.fields) {
    const Field& field = *state.field;
    if (!state.applies || state.idle || field.topic == Topic::model || field.topic == Topic::hardware || field.topic == Topic::cost || (field.kind == FieldKind::text && field.list == nullptr)) continue;
    const std::string value = value_text(answer, field), other = value_text(again, field);
    if (value != other) lost.push_back(std::string{field.name} + "=" + (value.empty() ? "none" : value) + ": not said here, where it is " + (other.empty() ? "none" : other));
  }
  return lost;
}

} // namespace plimsoll::io
