#pragma once
// How large a number is that trains beside frozen weights, with its gradient and its states.

#include "method/memory/states.hpp"
#include "method/memory/trained.hpp"
#include "method/tuning/memory.hpp"
#include "plimsoll/method/scenario.hpp"

namespace plimsoll::moments {

inline bool is_stored_in_fp32(const StoredWeights& weights) noexcept {
  return weights.formats.size() == 1 && is_plain(weights.formats.front()) && weights.formats.front().parts.front().bytes == Bytes{4};
}

/// Whether the framework casts what a quantised model leaves in 16 bits to fp32.
bool upcasts(const Scenario& scenario) noexcept;

tuning::Numbers numbers_of(const Scenario& scenario) noexcept;

/// Bytes of one trained number, its gradient and its states. The model's own weights follow the precision, adapters their own format;
/// beside a master copy 16-bit adapters have one too.
memory::RegimeBytes trained_bytes(const Scenario& scenario) noexcept;
/// The same of modules that train whole beside adapters: copies in the format of what they were copied from.
memory::RegimeBytes copied_bytes(const Scenario& scenario) noexcept;
memory::RegimeBytes bytes_of_what_trains(const Scenario& scenario) noexcept;

} // namespace plimsoll::moments
