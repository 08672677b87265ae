#pragma once
// Ids of the catalogue as a row of candidates from the smallest to the largest, each with the inputs that it makes.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/catalog/catalog.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

struct Candidate {
  std::string id;
  std::int64_t size = 0; ///< bytes that it has, or takes
};

/// All devices, by what a process can allocate on them; equals in the order of the catalogue.
std::vector<Candidate> devices_by_size(const Catalog& catalog);

/// Models of the same family as that one, itself among them, by their published parameters; none where it is not of the catalogue.
std::vector<Candidate> models_by_size(const Catalog& catalog, std::string_view model);

/// Weight formats that the profile's engine loads, by what this model takes in them, none larger than in the model's own format.
std::vector<Candidate> weights_by_size(const Catalog& catalog, const Answer& answer);

} // namespace plimsoll::io
