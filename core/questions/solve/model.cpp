#include "questions/solve/candidates.hpp"

#include "method/sort_stably.hpp"
#include "plimsoll/method/parameters.hpp"

#include <algorithm>

namespace plimsoll::io {

std::vector<Candidate> models_by_size(const Catalog& catalog, std::string_view model) {
  const ModelRow* const own = catalog.find_model(model);
  std::vector<Candidate> models;
  if (own == nullptr) return models;
  for (const ModelRow& row : catalog.models())
    if (row.family == own->family) models.push_back({row.id, count_parameters(*catalog.model(row).model).value});
  sort_stably(models, {}, &Candidate::size);
  return models;
}

} // namespace plimsoll::io
