#include "answer/stored_as.hpp"
#include "catalog/compatibility.hpp"
#include "method/sort_stably.hpp"
#include "questions/solve/candidates.hpp"

#include <algorithm>

namespace plimsoll::io {

std::vector<Candidate> weights_by_size(const Catalog& catalog, const Answer& answer) {
  const Model& model = answer.inputs.model;
  const WeightCatalog& weights = catalog.weights();
  const DeviceRow& device = *catalog.find_device(answer.inputs.hardware.id);
  const std::string own_id = own_format(catalog, answer);
  const std::optional<WeightScheme> own = stored_as(weights, answer.weights_default, own_id);
  const Bytes most = stored_bytes(model, own ? store(model, *own) : answer.inputs.weights);
  std::vector<Candidate> candidates;
  for (const WeightSchemeRow& row : weights.schemes()) {
    if (!loads_weights(answer.profile_id, row) || incompatible(catalog, answer.profile_id, device, row.id, answer.architecture)) continue;
    const std::optional<WeightScheme> scheme = stored_as(weights, row.id, own_id);
    if (!scheme) continue;
    const Bytes bytes = stored_bytes(model, store(model, *scheme));
    if (bytes <= most || row.id == answer.weights_default) candidates.push_back({row.id, bytes.value});
  }
  sort_stably(candidates, {}, &Candidate::size);
  const auto own_row = std::ranges::find(candidates, answer.weights_default, &Candidate::id); // before others that are as large
  if (own_row != candidates.end()) std::rotate(own_row, own_row + 1, std::ranges::upper_bound(candidates, own_row->size, {}, &Candidate::size));
  return candidates;
}

} // namespace plimsoll::io
