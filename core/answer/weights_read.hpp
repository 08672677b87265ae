#pragma once
// How the weights of a request are stored where they are served, or frozen beside what trains.

#include "plimsoll/answer/answer.hpp"
#include "plimsoll/method/weight_scheme.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

struct WeightsRead {
  WeightScheme scheme;
  std::string standard;         ///< the format where none is asked for
  std::string default_citation; ///< as FieldState::default_citation
  Issues issues;
};

/// What was asked for, else as the model's config says, else as the profile's program does, else in bf16 or as the precision says. `answer`
/// has its request, model and profile by then.
WeightsRead weights_read(const Catalog& catalog, const Answer& answer, const DeviceRow& device);

/// What a format says that was stated for weights all of which train: nothing where it has as many bits as the precision; another one contradicts.
std::optional<Issue> of_trained_weights(std::string_view typed, Precision precision);

} // namespace plimsoll::io
