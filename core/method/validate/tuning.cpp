#include "method/validate/checks.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/tuning_parameters.hpp"

namespace plimsoll::checks {

void tuning(const Inputs& inputs, const TrainingProfile* profile, Findings& findings) {
  const Tuning& tuning = inputs.tuning;
  const bool has_rank = !is_idle(*find_field("rank"), inputs);
  const std::int64_t hidden = inputs.model.hidden_size.value;
  if (has_rank && tuning.rank > hidden)
    refuse(findings, "rank", [&] {
      return Words{"A rank of " + number(tuning.rank) + " is more than the model's " + number(hidden) + " channels.",
                   "Write at most " + number(hidden) + "."};
    });

  if (!is_covered(tuning.method))
    refuse(findings, "method", [&] {
      return Words{"What " + std::string{text_of(tuning.method).name} + " keeps for its backward pass is not covered.",
                   "Choose another method."};
    });

  else if (tuning.method != TuningMethod::full && trainable_parameters(inputs.model, tuning) == Count{0})
    warn(findings, "targets", [&] {
      return Words{"The model has none of the maps that get adapters: nothing trains.",
                   "Choose other targets or another method."};
    });

  const std::uint32_t copied = copied_modules(tuning);
  if (copied != 0 && profile != nullptr && !profile->copies_modules)
    refuse(findings, "modules_to_save", [] { return Words{"The framework trains no whole modules beside adapters.", "Choose hf_trainer or peft as profile, or none as modules_to_save."}; });
  else if ((copied & kTargetHead) != 0 && !inputs.model.has_head)
    refuse(findings, "modules_to_save", [&] { return Words{inputs.model.name + " has no output head.", "Choose embedding, or none."}; });
  else if ((copied & tuning.targets) != 0 && !is_idle(*find_field("targets"), inputs))
    refuse(findings, "modules_to_save", [] { return Words{"The same module trains whole and has an adapter.", "Leave it out of targets, or out of modules_to_save."}; });

  const bool is_longer = added_tokens(tuning) > 0 || tuning.method == TuningMethod::prefix;
  const std::int64_t positions = inputs.model.learned_positions.value, context = inputs.workload.context_tokens;
  if (is_longer && positions > 0 && context <= positions && context + tuning.virtual_tokens > positions)
    refuse(findings, "virtual_tokens", [&] {
      return Words{counted(tuning.virtual_tokens, "virtual token", "virtual tokens") + " and a context of " + number(context) +
                   " do not fit the model's table of " + number(positions) + " positions.",
                   "Shorten the context or the prompt to " + number(positions) + " tokens together."};
    });
}

} // namespace plimsoll::checks
