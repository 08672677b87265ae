#pragma once
// Rules of thumb that people use in place of an estimate, each beside the estimate's own number: what the rule says, what it leaves
// out, how far off it is here.

#include "plimsoll/method/estimate.hpp"
#include "plimsoll/method/explain.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace plimsoll {

struct RuleOfThumb {
  Component rule;               ///< the rule's number with its formula, symbols and source
  std::string_view against;     ///< what of the estimate it stands for: "Weights of one GPU"
  std::int64_t estimate = 0;    ///< that, in the rule's unit
  std::int64_t permille = 0;    ///< the rule's number for 1000 of the estimate's; 0 where the estimate's is 0
  std::string_view leaves_out;  ///< one or two sentences
};

/// The rules that people would use for this scenario's task. Rules of one GPU are compared with the fullest GPU, whatever divides the
/// model.
std::vector<RuleOfThumb> rules_of_thumb(const Scenario& scenario, const Estimate& estimate);

} // namespace plimsoll
