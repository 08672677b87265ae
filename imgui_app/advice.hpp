#pragma once
// What the app has tried out for the present question: found once, shown until the question changes.

#include "plimsoll/questions/changes.hpp"
#include "plimsoll/questions/curve.hpp"
#include "plimsoll/questions/other_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace plimsoll::app {

/// A change that takes an error away, where it is shown.
struct FieldRemedy {
  std::string field;
  io::InputChange change;
};

/// What makes a question fit that does not, and how far one may go that does: sought a little in every frame.
struct Advice {
  std::string query;         ///< the question, canonical
  io::AdviceSession session; ///< refers to the app's catalogue
  bool running = true;
};

/// How memory grows with the context, one point after the other.
struct Growth {
  std::string query;              ///< the question, canonical
  io::CurveAdviceSession session; ///< refers to the app's catalogue
  bool running = true;
};

/// The line that starts the engine that is asked about.
struct Launch {
  std::string query; ///< the question, canonical
  std::string text;  ///< "" where no engine's line says it
};

/// The number of the formula card under every profile.
struct OtherProfiles {
  std::string query, component;
  std::optional<Moment> moment;
  std::optional<std::int64_t> rank;
  std::vector<io::ProfileAmount> rows;
  std::size_t seen = 0; ///< profiles of the catalogue
};

} // namespace plimsoll::app
