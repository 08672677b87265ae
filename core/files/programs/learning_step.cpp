// verl-project/verl, verl/utils/seqlen_balancing.py, rearrange_micro_batches: as many micro-batches as the tokens of all need, at most one for each
// sequence, and all about alike. OpenRLHF/OpenRLHF does likewise (openrlhf/utils/seqlen_balancing.py).
#include "files/programs/learning_step.hpp"

#include "files/training/models.hpp"
#include "plimsoll/method/quantity.hpp"

#include <algorithm>
#include <string>

namespace plimsoll::io::programs {

void set_roles(configs::RequestBuilder& draft, const Roles& roles) {
  draft.set("preference", roles.critic ? "ppo" : "grpo");
  draft.set("kl_reference", roles.references ? "true" : "false");
  if (roles.critic && !roles.critic_model.empty()) draft.set("critic_model", configs::id_of_config(draft.catalog, roles.critic_model));
  draft.set("learned_reward", roles.learned ? "true" : "false");
  if (roles.learned && !roles.reward_model.empty()) draft.set("reward_model", configs::id_of_config(draft.catalog, roles.reward_model));
  if (roles.offloads && (roles.references || roles.learned)) draft.set("offload_roles", "true");
}

std::int64_t of_each_replica(const configs::RequestBuilder& draft, std::int64_t sequences) {
  return configs::times(sequences, configs::whole_number(draft.text("data_parallel")).value_or(0));
}

void set_batches(configs::RequestBuilder& draft, std::int64_t batch, std::int64_t sequences) {
  draft.set("batch", batch);
  if (const std::int64_t steps = configs::times(sequences, batch); steps > 0) draft.set("micro_batches", steps);
}

std::int64_t filled_sequences(std::int64_t tokens, std::int64_t length) { return length <= 0 ? 1 : std::max(Count{1}, ceil_div(Count{tokens}, Count{length})).value; }

void fill_batches(configs::RequestBuilder& draft, std::int64_t tokens, std::int64_t length, std::int64_t sequences, std::string_view key) {
  if (length <= 0 || tokens <= 0) return;
  if (sequences > 0) {
    const Count needed = ceil_div(Count{sequences} * Count{length}, Count{tokens}), steps = std::clamp(needed, Count{1}, Count{sequences});
    draft.set("batch", ceil_div(Count{sequences}, steps).value);
    draft.set("micro_batches", steps.value);
  } else {
    draft.set("batch", filled_sequences(tokens, length));
  }
  draft.assume("batch: as many sequences of full length as " + std::string{key} + " takes; shorter ones are more, with as many tokens");
}

} // namespace plimsoll::io::programs
