#include "evidence/measured.hpp"
#include "plimsoll/method/fields.hpp"
#include "request/model_request.hpp"

namespace plimsoll::io::accuracy {

std::string query_of(const MeasuredRow& row) {
  const Inputs& inputs = row.inputs;
  Request request = request_of_model(inputs.model, inputs.weights.scheme);
  if (request.entries().empty()) return "";
  request.set("device", inputs.hardware.id);
  request.set("profile", row.profile);
  const Task task = inputs.workload.task;
  for (const Field& field : fields()) {
    if (field.get == nullptr || field.topic == Topic::model || field.topic == Topic::hardware || !applies(field, task)) continue;
    const std::int64_t value = field.get(inputs);
    if (field.kind == FieldKind::choice && choice_name(field, value).empty()) return "";
    if (field.topic == Topic::task || value != field.defaults[static_cast<std::size_t>(task)]) request.set(field.name, text_of(field, value));
  }
  return to_query(request);
}

} // namespace plimsoll::io::accuracy
