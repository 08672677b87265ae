#pragma once
// Preference tuning and reinforcement learning, and serving with a draft model: several models share the GPUs of the one that trains. Each has a role: what it
// holds (weights alone, or gradients and optimizer states too), a pass it makes, and a time at which it makes it. The peak is a
// maximum over those times: rollout, scoring and the moments of the training step, each with everything that is resident.

#include "plimsoll/method/model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// From what the model learns besides plain text.
enum class Preference : unsigned char {
  none,         ///< next-token prediction
  dpo,          ///< pairs against a reference. Rafailov et al. 2023 (arXiv 2305.18290)
  kto,          ///< single rated answers against a reference. Ethayarajh et al. 2024 (arXiv 2402.01306)
  orpo,         ///< pairs without a reference. Hong et al. 2024 (arXiv 2403.07691)
  simpo,        ///< likewise. Meng et al. 2024 (arXiv 2405.14734)
  reward_model, ///< pairs; one score instead of logits. Ouyang et al. 2022 (arXiv 2203.02155)
  distillation, ///< a teacher's distribution over the vocabulary. Hinton et al. 2015 (arXiv 1503.02531)
  ppo,          ///< own answers, a reference, a reward model and a critic. Schulman et al. 2017 (arXiv 1707.06347)
  grpo,         ///< groups of own answers, no critic. Shao et al. 2024 (arXiv 2402.03300)
};

/// A model beside the one that trains.
enum class Role : unsigned char {
  policy,    ///< the model that trains, in a pass without gradients
  reference, ///< log-probabilities of the given tokens, before training
  reward,    ///< one score per sequence
  critic,    ///< one value per token; trains along
  teacher,   ///< logits that the student imitates
  engine,    ///< generates answers
  draft,     ///< serving: proposes tokens that the model checks
  tower,     ///< sees or hears: beside a language model that is fine-tuned, and for its passes in serving
};
inline constexpr std::size_t kRoles = 8;

struct RoleText {
  std::string_view id;    ///< e.g. "reference": component ids begin with "memory.models.reference"
  std::string_view label;
};
const RoleText& text_of(Role role) noexcept;

/// With what answers are generated.
enum class RolloutEngine : unsigned char {
  shared,   ///< the trainer's own weights
  copy,     ///< an inference engine on the same GPUs, its weights and cache always there
  sleeping, ///< the same, but weights and cache leave the GPU outside rollouts
  separate, ///< an engine on other GPUs
};

/// What of the models that train waits in the host's memory while an engine on the same GPUs generates.
enum class TrainerOffload : unsigned char {
  none,
  states, ///< optimizer states, main weights and gradient buffers
  all,    ///< weights too
};

/// What a GPU of an engine on other GPUs gets of new weights.
enum class WeightTransfer : unsigned char {
  broadcast, ///< every tensor whole, of which it keeps its share
  shards,    ///< its share alone
};

/// Number format of models that do not train.
enum class RoleDtype : unsigned char { policy, fp32, half };

struct Composition {
  Preference method = Preference::none;
  bool reference = true;              ///< ppo, grpo: there is a reference (false: no KL penalty, beta = 0)
  bool precomputed_reference = false; ///< dpo, kto: its log-probabilities were computed before training
  bool learned_reward = false;        ///< grpo: a reward model instead of rules
  bool policy_logprobs = true;        ///< ppo, grpo: the model that trains reads the answers once more before it trains on them
  RoleDtype role_dtype = RoleDtype::policy;
  bool offload_roles = false;         ///< models that do not train are in the host's memory between their passes
  std::int64_t scoring_batch = 0;     ///< ppo, grpo: sequences of one scoring pass; 0 = those of a training micro-batch
  RolloutEngine engine = RolloutEngine::shared;
  std::int64_t rollout_prompts = 0;   ///< ppo, grpo: prompts answered at once on one GPU; 0 = as many answers as a training step takes
  std::int64_t group_size = 8;        ///< grpo: answers to each prompt; >= 1
  std::int64_t completion_tokens = 0; ///< of the context, those that are generated; 0 = not told apart: all may be
  std::int64_t teacher_top_k = 0;     ///< distillation: logits kept per token; 0 = the whole vocabulary
  // ppo, grpo: what a step is made of, and the engine that generates
  std::int64_t step_prompts = 0;       ///< prompts of one step on all GPUs together; 0 = as many answers as an optimizer step takes
  std::int64_t answer_epochs = 1;      ///< times that a step trains on its answers; >= 1
  std::int64_t mean_prompt_tokens = 0; ///< of a prompt; 0 = as long as it may be
  std::int64_t mean_answer_tokens = 0; ///< of an answer; 0 = as long as it may be
  std::int64_t rollout_tensor_parallel = 0; ///< GPUs that divide the engine's weights; 0 = those that divide the trainer's
  std::int64_t rollout_gpus = 0;       ///< of an engine on other GPUs; 0 = as many as train
  std::int64_t rollout_memory_permille = 0; ///< share of the device that an engine on the same GPUs takes for weights and cache; 0 = what the answers need
  TrainerOffload trainer_offload = TrainerOffload::none; ///< with an engine on the same GPUs
  WeightTransfer weight_transfer = WeightTransfer::broadcast; ///< to an engine on other GPUs
  std::int64_t rollout_ahead_permille = 0; ///< steps whose answers an engine on other GPUs generates ahead of the training, in thousandths; 0 = it waits
};

/// The role whose model the field of that name chooses: "reference_model"; none for other fields.
std::optional<Role> role_of(std::string_view field) noexcept;

/// A model that somebody chose for a role. Roles without one have the model that trains; without a draft there is none.
struct RoleModel {
  Role role = Role::reference;
  Model model;
};

/// Sequences that one example of a batch stands for: two where answers are compared.
constexpr std::int64_t sequences_per_example(Preference method) noexcept {
  switch (method) {
    case Preference::dpo:
    case Preference::orpo:
    case Preference::simpo:
    case Preference::reward_model: return 2;
    default: return 1;
  }
}
constexpr bool generates(Preference method) noexcept { return method == Preference::ppo || method == Preference::grpo; }
/// Thousandths of a step's answers that are generated while earlier steps train; an engine on the same GPUs waits for them.
constexpr std::int64_t rollout_ahead(const Composition& composition) noexcept {
  return composition.engine == RolloutEngine::separate ? composition.rollout_ahead_permille : 0;
}
/// Scoring inside the training step: the forward pass of the model that trains comes first, and its activations wait.
constexpr bool scores_in_step(Preference method) noexcept {
  return method == Preference::dpo || method == Preference::kto || method == Preference::distillation;
}
/// Whether the method has a model in that role, be it a copy of its own or not.
constexpr bool has_role(const Composition& composition, Role role) noexcept {
  const Preference method = composition.method;
  switch (role) {
    case Role::reference:
      if (generates(method)) return composition.reference;
      return (method == Preference::dpo || method == Preference::kto) && !composition.precomputed_reference;
    case Role::reward: return method == Preference::ppo || (method == Preference::grpo && composition.learned_reward);
    case Role::critic: return method == Preference::ppo;
    case Role::teacher: return method == Preference::distillation;
    case Role::policy: return generates(method) && composition.policy_logprobs;
    case Role::engine: return generates(method) && composition.engine != RolloutEngine::separate;
    case Role::draft:
    case Role::tower: return false; // of no method
  }
  return false;
}

/// The model with one number per token in place of logits (AutoModelForSequenceClassification with one label).
Model with_scalar_head(const Model& model);

} // namespace plimsoll
