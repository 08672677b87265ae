// Roles whose models cannot run as the strategy asks, and methods that a model is not made for.
#include "method/validate/checks.hpp"
#include "plimsoll/method/composition.hpp"
#include "plimsoll/method/fields.hpp"
#include "plimsoll/method/sharding.hpp"

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

/// The engine's layout, and lengths that cannot be.
void rollouts(const Inputs& inputs, Findings& findings) {
  const Composition& composition = inputs.composition;
  if (!generates(composition.method)) return;
  const std::int64_t longest = composition.completion_tokens > 0 ? composition.completion_tokens : inputs.workload.context_tokens;
  if (composition.mean_answer_tokens > longest)
    refuse(findings, "mean_answer_tokens", [&] {
      return Words{"Answers of " + number(composition.mean_answer_tokens) + " tokens on average are longer than the longest, of " + number(longest) + ".",
                   "Write at most " + number(longest) + ", or a longer completion_tokens or context_tokens."};
    });
  if (composition.mean_prompt_tokens + composition.mean_answer_tokens > inputs.workload.context_tokens)
    refuse(findings, "mean_prompt_tokens", [&] {
      return Words{"Prompts and answers of " + number(composition.mean_prompt_tokens) + " and " + number(composition.mean_answer_tokens) +
                       " tokens on average do not fit a context of " + number(inputs.workload.context_tokens) + ".",
                   "Write fewer of them, or a longer context_tokens."};
    });
  if (composition.engine == RolloutEngine::shared || composition.rollout_tensor_parallel <= 0) return;
  const std::int64_t divided = composition.rollout_tensor_parallel;
  const bool elsewhere = composition.engine == RolloutEngine::separate && composition.rollout_gpus > 0;
  const Count gpus = elsewhere ? Count{composition.rollout_gpus} : gpu_count(inputs.strategy);
  if (gpus.value % divided != 0)
    refuse(findings, "rollout_tensor_parallel", [&] {
      return Words{number(gpus.value) + " GPUs cannot be divided into groups of " + number(divided) + ".", "Write a divisor of " + number(gpus.value) + "."};
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
  const bool own_layout = composition.engine != RolloutEngine::shared && composition.rollout_tensor_parallel > 0;
  if (has_role(composition, Role::engine) && inputs.strategy.pipeline_parallel > 1 && !own_layout)
    refuse(findings, "rollout_engine", [&] {
      return Words{"Answers cannot be generated on GPUs that each hold one of " + number(inputs.strategy.pipeline_parallel) +
                   " stages of a pipeline.",
                   "Set pipeline_parallel to 1, or say rollout_tensor_parallel for an engine with weights of its own, or choose separate as rollout_engine."};
    });
  rollouts(inputs, findings);
  if (generates(composition.method) && composition.completion_tokens > context)
    refuse(findings, "completion_tokens", [&] {
      return Words{counted(composition.completion_tokens, "token", "tokens") + " of an answer do not fit a context of " + number(context) + ".",
                   "Write at most " + number(context) + ", or a longer context_tokens."};
    });
  for (const RoleModel& chosen : inputs.role_models)
    if (has_role(composition, chosen.role)) role_model(inputs, chosen, findings);
}

} // namespace plimsoll::checks
