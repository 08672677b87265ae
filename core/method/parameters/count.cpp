#include "plimsoll/method/parameters.hpp"

#include "method/parameters/visit.hpp"

namespace plimsoll {

Count count_parameters(const Model& model) noexcept {
  Count total;
  for (const ModelTensor& part : model.tensors)
    if (in_language_model(part.tensor.kind)) total += part.layers * elements(part.tensor);
  return total;
}

Count count_active_parameters(const Model& model) noexcept {
  Count total;
  for (const ModelTensor& part : model.tensors)
    if (in_language_model(part.tensor.kind)) total += part.layers * active_elements(part.tensor);
  return total;
}

Count count_parameters(const Model& model, TensorKind kind) noexcept {
  Count total;
  for (const ModelTensor& part : model.tensors)
    if (part.tensor.kind == kind) total += part.layers * elements(part.tensor);
  return total;
}

Count parameters_per_gpu(const Model& model, const Strategy& strategy, const Stage& stage) noexcept {
  Count total;
  parameters::each_held(model, strategy, stage, [&](const KindCount& of, Count numbers) {
    if (in_language_model(of.kind)) total += numbers;
  });
  return total;
}

Count expert_parameters_per_gpu(const Model& model, const Strategy& strategy, const Stage& stage) noexcept {
  Count total;
  parameters::each_held(model, strategy, stage, [&](const KindCount& of, Count numbers) {
    if (in_language_model(of.kind) && is_routed(of.kind)) total += numbers;
  });
  return total;
}

Count prediction_layers(const Model& model) noexcept {
  for (const ModelTensor& part : model.tensors)
    if (part.tensor.kind == TensorKind::prediction && part.tensor.name == "eh_proj") return part.layers * part.tensor.copies;
  return model.prediction_depths;
}

} // namespace plimsoll
