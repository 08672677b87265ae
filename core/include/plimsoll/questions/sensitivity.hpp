#pragma once
// What moves the result most: each input a step up and a step down, and each named uncertainty of the estimate with its range.

#include "plimsoll/answer/answer.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plimsoll::io {

/// One input at another value, all others as they are.
struct InputMove {
  std::string field;
  std::string text;       ///< "batch: 1 to 2"
  std::string from, to;   ///< as in a query
  Bytes change;           ///< of what the fullest GPU must hold: the estimate's peak
  std::int64_t time_permille = 0; ///< of a token then, in thousandths of now; 0 = not known
};

/// One uncertain constant between the ends of its range.
struct UncertaintyMove {
  Uncertainty uncertainty;
  std::int64_t share_permille = 0; ///< its width, in thousandths of the widths of all
};

struct Sensitivity {
  Issues issues;
  bool ok = false;
  std::vector<InputMove> inputs;               ///< the largest change first, none without any
  std::vector<UncertaintyMove> uncertainties;  ///< the widest first
};

/// Numbers are doubled and halved, flags turned, choices replaced by each of the others. What the others make invalid is left out. Never
/// throws on any request.
Sensitivity sensitivity(const Catalog& catalog, const Request& request, Issues carried = {});

/// {"ok", "issues", "inputs": [{"field", "text", "from", "to", "change_bytes", "change_text", "time_permille"}], "uncertainties": [{"id",
/// "label", "less_bytes", "more_bytes", "less_text", "more_text", "share_permille", "basis", "citation"}]}.
std::string sensitivity_json(const Sensitivity& sensitivity);
std::string sensitivity_json(const Catalog& catalog, std::string_view scenario, bool is_json);

} // namespace plimsoll::io
