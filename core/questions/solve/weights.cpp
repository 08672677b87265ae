#include "catalog/engines.hpp"
#include "questions/solve/candidates.hpp"

#include <algorithm>

namespace plimsoll::io {

std::vector<Candidate> weights_by_size(const Catalog& catalog, const Answer& answer) {
  const Model& model = answer.inputs.model;
  const WeightCatalog& weights = catalog.weights();
  const std::optional<WeightScheme> own = weights.find(answer.weights_default);
  const Bytes most = stored_bytes(model, own ? store(model, *own) : answer.inputs.weights);
  std::vector<Candidate> candidates;
  for (const WeightSchemeRow& row : weights.schemes()) {
    if (!loads_weights(answer.profile_id, row)) continue;
    const std::optional<WeightScheme> scheme = weights.find(row.id);
    if (!scheme) continue;
    const Bytes bytes = stored_bytes(model, store(model, *scheme));
    if (bytes <= most || row.id == answer.weights_default) candidates.push_back({row.id, bytes.value});
  }
  std::ranges::stable_sort(candidates, {}, &Candidate::size);
  const auto own_row = std::ranges::find(candidates, answer.weights_default, &Candidate::id); // before others that are as large
  if (own_row != candidates.end()) std::rotate(own_row, own_row + 1, std::ranges::upper_bound(candidates, own_row->size, {}, &Candidate::size));
  return candidates;
}

} // namespace plimsoll::io
