// Roles whose models cannot run as the strategy asks, and methods that a model is not made for.
#include "method/validate/checks.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/fields.hpp"

#include <string>

namespace plimsoll::checks {

namespace {

/// What the model of a role must share with the one that trains.
void role_model(const Inputs& inputs, const RoleModel& chosen, Findings& findings) {
  const std::string_view field = find_field(std::string{text_of(chosen.role).id} + "_model")->name;
  Inputs own = inputs;
  own.model = chosen.model;
  own.role_models.clear();
  own.composition = {};
  Issues found;
  Findings own_findings{&found};
  tensor_parallel(own, own_findings);
  pipeline(own, own_findings);
  for (const Issue& issue : found)
    if (issue.severity == Severity::error) refuse(findings, field, [&] { return Words{chosen.model.name + ": " + issue.message, issue.remedy}; });
  const std::int64_t positions = chosen.model.learned_positions.value, context = inputs.workload.context_tokens;
  if (positions > 0 && context > positions)
    refuse(findings, field, [&] {
      return Words{chosen.model.name + " has a table of " + number(positions) + " positions, and sequences have " + number(context) + " tokens.",
                   "Write at most " + number(positions) + " as context_tokens, or choose another model."};
    });
  const bool compares_logits = chosen.role == Role::reference || chosen.role == Role::teacher;
  if (compares_logits && !chosen.model.has_head)
    refuse(findings, field, [&] {
      return Words{chosen.model.name + " gives vectors and no logits.",
                   "Choose a model that generates text."};
    });
  else if (compares_logits && chosen.model.vocab_size != inputs.model.vocab_size)
    warn(findings, field, [&] {
      return Words{chosen.model.name + " has " + number(chosen.model.vocab_size.value) + " tokens in its vocabulary, the model that trains " +
                   number(inputs.model.vocab_size.value) + ".",
                   "Choose models with the same tokenizer, or map one vocabulary to the other."};
    });
}

} // namespace

void preference(const Inputs& inputs, Findings& findings) {
  const Composition& composition = inputs.composition;
  if (composition.method == Preference::none) return;
  const std::int64_t context = inputs.workload.context_tokens;
  if (!inputs.model.has_head && composition.method != Preference::reward_model)
    refuse(findings, "preference", [&] {
      return Words{inputs.model.name + " gives vectors and no logits, so that answers have no probabilities.",
                   "Choose a model that generates text, or reward_model as preference."};
    });
  if (has_role(composition, Role::engine) && inputs.strategy.pipeline_parallel > 1)
    refuse(findings, "rollout_engine", [&] {
      return Words{"Answers cannot be generated on GPUs that each hold one of " + number(inputs.strategy.pipeline_parallel) +
                   " stages of a pipeline.",
                   "Set pipeline_parallel to 1, or choose separate as rollout_engine."};
    });
  if (has_role(composition, Role::engine) && composition.completion_tokens > context)
    refuse(findings, "completion_tokens", [&] {
      return Words{counted(composition.completion_tokens, "token", "tokens") + " of an answer do not fit a context of " + number(context) + ".",
                   "Write at most " + number(context) + ", or a longer context_tokens."};
    });
  for (const RoleModel& chosen : inputs.role_models)
    if (has_role(composition, chosen.role)) role_model(inputs, chosen, findings);
}

} // namespace plimsoll::checks
