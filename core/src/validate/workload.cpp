#include "validate/checks.hpp"

namespace plimsoll::checks {

void context(const Inputs& inputs, Issues& issues) {
  const std::int64_t context = inputs.workload.context_tokens;
  const std::int64_t positions = inputs.model.learned_positions.value, longest = inputs.model.max_context.value;
  if (positions > 0 && context > positions)
    refuse(issues, "context_tokens", number(context) + " tokens do not fit the model's table of " + number(positions) + " positions.",
           "Write at most " + number(positions) + ", or choose a model with rotary positions.");
  else if (longest > 0 && context > longest)
    warn(issues, "context_tokens", number(context) + " tokens are more than the " + number(longest) + " the model was made for.",
         "The memory is still right; write at most " + number(longest) + " for useful answers.");
}

} // namespace plimsoll::checks
