#pragma once
// One number of a scenario under another profile that its task can run with: what another framework would make of it.

#include "plimsoll/answer/answer.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace plimsoll::io {

struct ProfileAmount {
  std::string profile, name;  ///< id and name of the catalogue
  bool is_asked = false;      ///< it is the scenario's own
  bool exists = false;         ///< false: the component is not part of the scenario there, or the scenario is not possible
  std::string reason;         ///< why the scenario is not possible; "" otherwise
  std::string_view unit;
  std::int64_t amount = 0;    ///< where `there`
};

/// Of the component with that id: in the memory of pipeline rank `rank` at `moment` (empty: the peak of the fullest rank), else among
/// parameters and facts. Nothing where the answer is not ok, or of another task than the profile. Up to a millisecond.
std::optional<ProfileAmount> amount_under(const Catalog& catalog, const Catalog::ProfileRow& profile, const Answer& answer, std::string_view component,
                                          std::optional<Moment> moment = {}, std::optional<std::int64_t> rank = {});

} // namespace plimsoll::io
