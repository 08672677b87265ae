// Preference tuning and reinforcement learning: the method, the models beside the one that trains, and how answers are generated.
#include "method/fields/rows.hpp"
#include "plimsoll/method/composition.hpp"

#include <array>

namespace plimsoll::tables {

namespace {

constexpr Choice kMethods[] = {
    {"none", value(Preference::none), "next token", "Supervised: text that is given."},
    {"dpo", value(Preference::dpo), "DPO", "Pairs of a chosen and a rejected answer, against a reference model. A batch counts pairs."},
    {"kto", value(Preference::kto), "KTO", "Single answers rated good or bad, against a reference model."},
    {"orpo", value(Preference::orpo), "ORPO", "Pairs, without a reference model."},
    {"simpo", value(Preference::simpo), "SimPO", "Pairs, without a reference model."},
    {"reward_model", value(Preference::reward_model), "reward model", "Pairs; the model learns one score instead of logits."},
    {"distillation", value(Preference::distillation), "distillation", "A teacher model's distribution over the vocabulary."},
    {"ppo", value(Preference::ppo), "PPO", "Answers that the model generates, with a reference, a reward model and a critic that trains along."},
    {"grpo", value(Preference::grpo), "GRPO", "Groups of answers that the model generates, without a critic."},
};
constexpr Choice kEngines[] = {
    {"shared", value(RolloutEngine::shared), "the trainer's weights", "The framework generates with the weights that train."},
    {"copy", value(RolloutEngine::copy), "engine on the same GPUs", "An inference engine with 16-bit weights and a cache of its own, always there."},
    {"sleeping", value(RolloutEngine::sleeping), "engine that sleeps", "The same, but its weights and cache leave the GPU outside rollouts."},
    {"separate", value(RolloutEngine::separate), "engine on other GPUs", "Nothing of it is on these GPUs."},
};
constexpr Choice kOffloads[] = {
    {"none", value(TrainerOffload::none), "stays", "Weights and states are on the GPU all the time."},
    {"states", value(TrainerOffload::states), "states on the host", "Optimizer states, main weights and gradient buffers leave the GPU while answers are generated."},
    {"all", value(TrainerOffload::all), "all on the host", "The weights that train leave it too."},
};
constexpr Choice kTransfers[] = {
    {"broadcast", value(WeightTransfer::broadcast), "whole tensors", "Every GPU of the engine gets every tensor, and keeps its share."},
    {"shards", value(WeightTransfer::shards), "shards", "Every GPU of the engine gets its own share only."},
};
constexpr Choice kDtypes[] = {
    {"policy", value(RoleDtype::policy), "as the model that trains", "The number format of the weights that train."},
    {"fp32", value(RoleDtype::fp32), "fp32", "4 bytes per number."},
    {"half", value(RoleDtype::half), "16 bits", "2 bytes per number."},
};

bool is(const Inputs& inputs, Preference method) { return inputs.composition.method == method; }
bool has_reference(const Inputs& inputs) { return has_role(inputs.composition, Role::reference); }
bool has_reward(const Inputs& inputs) { return has_role(inputs.composition, Role::reward); }
bool has_critic(const Inputs& inputs) { return has_role(inputs.composition, Role::critic); }
bool has_teacher(const Inputs& inputs) { return has_role(inputs.composition, Role::teacher); }
bool has_frozen(const Inputs& inputs) { return has_reference(inputs) || has_reward(inputs) || has_teacher(inputs); }
bool is_generating(const Inputs& inputs) { return generates(inputs.composition.method); }
bool has_engine(const Inputs& inputs) { return has_role(inputs.composition, Role::engine); }
bool may_precompute(const Inputs& inputs) { return is(inputs, Preference::dpo) || is(inputs, Preference::kto); }
bool is_grpo(const Inputs& inputs) { return is(inputs, Preference::grpo); }
bool has_groups(const Inputs& inputs) {
  const Composition& composition = inputs.composition;
  return is_grpo(inputs) && (composition.step_prompts > 0 || (has_engine(inputs) && composition.rollout_prompts > 0));
}
bool generates_elsewhere(const Inputs& inputs) { return is_generating(inputs) && inputs.composition.engine == RolloutEngine::separate; }
bool has_own_engine(const Inputs& inputs) { return is_generating(inputs) && inputs.composition.engine != RolloutEngine::shared; }

bool shares_gpus(const Inputs& inputs) { return has_engine(inputs) && has_own_engine(inputs); }

constexpr Condition kGenerating{is_generating, "Choose ppo or grpo as preference"};
constexpr Condition kReference{has_reference, "Choose a preference method with a reference, such as dpo"};

using Row = Rows<Topic::tuning, kFinetuning, &Inputs::composition>;

constexpr Field model_of(Text name, Text label, Condition needs, Text help) {
  return {.name = name,
          .topic = Topic::tuning,
          .kind = FieldKind::id,
          .label = label,
          .unit = "",
          .help = help,
          .tasks = kFinetuning,
          .needs = needs};
}

constexpr std::array kFields = {
    Row::choice<&Composition::method>("preference", "learns from", kMethods,
                                      "Supervised text, preferences, a teacher, or rewards: other models may have to be on the GPU too."),
    model_of("reference_model", "reference model", kReference, "A model of the catalogue by its id. Left out: the model that trains, as it was."),
    model_of("reward_model", "reward model", {has_reward, "Choose ppo as preference, or grpo with a learned reward"},
             "A model of the catalogue by its id, with one score in place of logits. Left out: the model that trains."),
    model_of("critic_model", "critic", {has_critic, "Choose ppo as preference"},
             "A model of the catalogue by its id, with one value in place of logits. Left out: the model that trains."),
    model_of("teacher_model", "teacher", {has_teacher, "Choose distillation as preference"},
             "A model of the catalogue by its id. Left out: the model that trains."),
    needing({may_precompute, "Choose dpo or kto as preference"},
            Row::flag<&Composition::precomputed_reference>("precomputed_reference", "precomputed reference",
                                                           "The reference's log-probabilities were computed before training: it need not be there.")),
    needing(kGenerating, Row::flag<&Composition::reference>("kl_reference", "reference for the KL penalty",
                                                            "Whether a reference model keeps the policy near it (false: beta = 0).")),
    needing({is_grpo, "Choose grpo as preference"},
            Row::flag<&Composition::learned_reward>("learned_reward", "learned reward", "A reward model scores the answers instead of rules.")),
    needing(kGenerating, advanced(Row::flag<&Composition::policy_logprobs>("policy_logprobs", "own log-probabilities", "The model that trains reads the answers once more before it trains on them; "
                                                                                                                       "otherwise the first optimizer step's own, or the engine's, take their place."))),
    needing({has_frozen, "Choose a preference method with a reference, a reward model or a teacher"},
            advanced(Row::choice<&Composition::role_dtype>("role_dtype", "other models", kDtypes, "Number format of models that do not train."))),
    needing({has_frozen, "Choose a preference method with a reference, a reward model or a teacher"},
            Row::flag<&Composition::offload_roles>("offload_roles", "offload other models",
                                                   "Models that do not train are in the host's memory between their passes.")),
    needing({has_teacher, "Choose distillation as preference"},
            Row::number<&Composition::teacher_top_k>("teacher_top_k", "teacher's logits", "per token", 0, 10'000'000,
                                                     "How many of the largest are kept of each token; 0 = the whole vocabulary.")),
    needing(kGenerating, Row::choice<&Composition::engine>("rollout_engine", "rollout engine", kEngines, "With what answers are generated.")),
    needing({has_engine, "Choose ppo or grpo as preference, and an engine on these GPUs"},
            Row::number<&Composition::rollout_prompts>("rollout_prompts", "rollout prompts", "prompts", 0, 1'000'000,
                                                       "Prompts answered at once on one GPU; 0 = as many answers as a training step takes.")),
    needing(kGenerating, Row::number<&Composition::step_prompts>("step_prompts", "prompts of a step", "prompts", 0, 10'000'000,
                                                                 "Prompts that one step answers, scores and trains on, on all GPUs together; 0 = as many answers as one optimizer step takes.")),
    needing({has_groups, "Choose grpo as preference, and say step_prompts or rollout_prompts"},
            Row::number<&Composition::group_size>("group_size", "group", "answers", 1, 65'536, "Answers to each prompt.")),
    needing(kGenerating, advanced(Row::number<&Composition::completion_tokens>(
                             "completion_tokens", "answer", "tokens", 0, 100'000'000,
                             "Of the context, the tokens that are generated at most; the rest is the prompt, read in one pass. 0 = not told apart."))),
    needing(kGenerating, Row::number<&Composition::mean_answer_tokens>("mean_answer_tokens", "mean answer", "tokens", 0, 100'000'000,
                                                                       "Tokens of an answer on average, which decide how long a step takes; 0 = as many as may be generated.")),
    needing(kGenerating, advanced(Row::number<&Composition::mean_prompt_tokens>("mean_prompt_tokens", "mean prompt", "tokens", 0, 100'000'000,
                                                                                "Tokens of a prompt on average; 0 = what answers leave of the context."))),
    needing(kGenerating, advanced(Row::number<&Composition::answer_epochs>("answer_epochs", "epochs on answers", "", 1, 1'000,
                                                                           "Times that a step trains on its answers before it generates others."))),
    needing({has_own_engine, "Choose ppo or grpo as preference, and an engine with weights of its own"},
            Row::number<&Composition::rollout_tensor_parallel>("rollout_tensor_parallel", "engine's tensor parallel", "GPUs", 0, 65'536,
                                                               "GPUs that divide the weights of the engine that generates; 0 = those that divide the trainer's.")),
    needing({generates_elsewhere, "Choose ppo or grpo as preference, and separate as rollout_engine"},
            Row::number<&Composition::rollout_gpus>("rollout_gpus", "engine's GPUs", "GPUs", 0, 1'000'000, "GPUs that only generate; 0 = as many as train.")),
    needing({generates_elsewhere, "Choose ppo or grpo as preference, and separate as rollout_engine"},
            in_thousandths("rollout_ahead_permille", Row::number<&Composition::rollout_ahead_permille>("rollout_ahead", "generates ahead", "steps", 0, 100'000,
                                                                                                       "Steps whose answers the engine generates while earlier ones train, which are off-policy by so many; of several, it works on all at once. "
                                                                                                       "0 = it waits for the training."))),
    needing({generates_elsewhere, "Choose ppo or grpo as preference, and separate as rollout_engine"},
            advanced(Row::choice<&Composition::weight_transfer>("weight_transfer", "weight transfer", kTransfers, "How new weights reach an engine on other GPUs."))),
    needing({has_own_engine, "Choose ppo or grpo as preference, and an engine with weights of its own"},
            advanced(in_thousandths("rollout_memory_permille", Row::number<&Composition::rollout_memory_permille>(
                                                                   "rollout_memory_fraction", "engine's memory share", "", 0, 1000,
                                                                   "Share of the device that the engine fills with weights and cache while it generates, as vLLM's --gpu-memory-utilization; 0 = what the answers need.")))),
    needing({shares_gpus, "Choose ppo or grpo as preference, and an engine on the same GPUs"},
            advanced(Row::choice<&Composition::trainer_offload>("trainer_offload", "trainer while generating", kOffloads,
                                                                "What of the models that train waits in the host's memory while the engine generates."))),
    needing(kGenerating, advanced(Row::number<&Composition::scoring_batch>(
                             "scoring_batch", "scoring batch", "sequences", 0, 1'000'000,
                             "Sequences of one pass of reference, reward model and critic; 0 = those of a training micro-batch."))),
};

} // namespace

std::span<const Field> preference() noexcept { return rows_of<kFields>(); }
std::span<const Texts> preference_texts() noexcept { return kTextsOf<kFields>; }

} // namespace plimsoll::tables
