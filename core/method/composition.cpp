// From the roles of a method to auxiliary_models: scenarios of the models that share the GPUs.
#include "method/composition.hpp"

#include "method/drafters.hpp"
#include "method/memory/states.hpp"
#include "plimsoll/method/media.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <utility>

namespace plimsoll {

namespace {

/// Adapters can be switched off: the model beneath them is the reference. TRL, DPOTrainer.null_ref_context.
bool reference_is_beneath(const Scenario& policy) noexcept {
  switch (policy.tuning.method) {
    case TuningMethod::full:
    case TuningMethod::norms:
    case TuningMethod::head:
    case TuningMethod::last_layers: return false;
    default: return true;
  }
}

const Model* chosen_model(const std::vector<RoleModel>& models, Role role) noexcept {
  const auto at = std::ranges::find(models, role, &RoleModel::role);
  return at == models.end() ? nullptr : &at->model;
}

Bytes compute_bytes(const Scenario& policy) noexcept { return memory::precision_bytes(policy.strategy.precision).compute; }

/// The strategy of a model that only runs forward: weights in the format of its role, nothing else of training.
Strategy strategy_of(const Scenario& policy, RoleDtype dtype) noexcept {
  Strategy strategy = policy.strategy;
  if (dtype == RoleDtype::fp32) strategy.precision = Precision::fp32;
  if (dtype == RoleDtype::half) strategy.precision = Precision::bf16;
  return strategy;
}

/// A copy of the policy's scenario without what belongs to training.
Scenario forward_only(const Scenario& policy, const Model* model) {
  Scenario scenario = policy;
  scenario.auxiliary_models.clear();
  scenario.composition = {};
  if (model != nullptr) scenario.model = *model;
  scenario.workload.task = Task::inference;
  scenario.workload.micro_batches = 1;
  scenario.tuning = {};
  scenario.weights = {};
  scenario.weights.compute_bytes = compute_bytes(policy);
  return scenario;
}

/// Answers that one GPU generates at once.
std::int64_t rollout_sequences(const Scenario& policy) noexcept {
  const Composition& composition = policy.composition;
  const std::int64_t answers = composition.method == Preference::grpo ? composition.group_size : 1;
  if (composition.rollout_prompts > 0) return (Count{composition.rollout_prompts} * Count{answers}).value;
  return (Count{policy.workload.batch} * Count{policy.workload.micro_batches}).value;
}

AuxiliaryModel engine_of(const Scenario& policy, const Profile& profile) {
  const Composition& composition = policy.composition;
  AuxiliaryModel engine{.role = Role::engine, .holds_weights = composition.engine != RolloutEngine::shared, .elsewhere = composition.engine == RolloutEngine::separate,
                        .scenario = forward_only(policy, nullptr)};
  Scenario& scenario = engine.scenario;
  scenario.profile.inference = profile.inference;
  Workload& work = scenario.workload;
  work.batch = rollout_sequences(policy);
  settle_serving(scenario);
  // A framework's own generate() reads all prompts in one pass; an engine takes prefill_tokens at once.
  const std::int64_t prompt = std::max<std::int64_t>(1, work.context_tokens - composition.completion_tokens);
  if (engine.holds_weights) {
    scenario.strategy = strategy_of(policy, RoleDtype::half);
    const Count own{composition.rollout_gpus}, gpus = engine.elsewhere && own > Count{0} ? own : gpu_count(policy.strategy);
    const std::int64_t divided = composition.rollout_tensor_parallel > 0 ? composition.rollout_tensor_parallel : policy.strategy.tensor_parallel;
    if (engine.elsewhere || composition.rollout_tensor_parallel > 0) scenario.strategy = rollout_strategy(divided, gpus);
    scenario.strategy.sharding = Sharding::none;
    scenario.weights.compute_bytes = Bytes{2};
  } else {
    work.prefill_tokens = (Count{work.batch} * Count{prompt}).value;
    if (scenario.weights.compute_bytes == Bytes{4}) scenario.serving.kv_dtype = CacheDtype::fp32; // the cache is as the keys are computed
  }
  return engine;
}

AuxiliaryModel scorer(const Scenario& policy, Role role, const Model* model) {
  const Composition& composition = policy.composition;
  AuxiliaryModel auxiliary{.role = role, .scores = true, .scenario = forward_only(policy, model)};
  if (generates(composition.method) && composition.scoring_batch > 0) auxiliary.scenario.workload.batch = composition.scoring_batch;
  if (role == Role::policy || (role == Role::reference && reference_is_beneath(policy))) auxiliary.holds_weights = false;
  else auxiliary.scenario.strategy = strategy_of(policy, composition.role_dtype);
  if (role == Role::reward || role == Role::critic) auxiliary.scenario.model = with_scalar_head(auxiliary.scenario.model);
  return auxiliary;
}

/// TRL's PPO trains policy and critic as one module: one forward pass, one backward pass, one optimizer.
/// huggingface/trl, trl/trainer/ppo_trainer.py, PolicyAndValueWrapper.
AuxiliaryModel trained_critic(const Scenario& policy, const Model* model) {
  AuxiliaryModel critic{.role = Role::critic, .trains = true, .scenario = policy};
  critic.scenario.auxiliary_models.clear();
  critic.scenario.composition = {};
  critic.scenario.model = with_scalar_head(model != nullptr ? *model : policy.model);
  return critic;
}

/// Whether heads made for the model draft.
bool has_own_drafter(const Scenario& served) noexcept {
  return served.serving.draft_tokens > 0 && !served.serving.predicts_drafts && served.serving.drafter != Drafter::model && served.serving.drafter != Drafter::ngram;
}

/// Divided as the model is, in 16 bits, with a cache of the same tokens. vllm-project/vllm, vllm/config/speculative.py.
AuxiliaryModel drafter(const Scenario& served, const Model& model) {
  AuxiliaryModel draft{.role = Role::draft, .scenario = served};
  Scenario& scenario = draft.scenario;
  scenario.auxiliary_models.clear();
  scenario.model = model;
  scenario.weights = {};
  scenario.serving.lora_slots = 0;
  scenario.strategy.chunk_layers.clear();
  scenario.serving.predicts_drafts = false;
  scenario.serving.draft_tokens = 0;
  scenario.serving.drafter = Drafter::model;
  leave_host(scenario.strategy);
  return draft;
}

/// A tower reads the patches of a micro-batch, or of the sequences that a server holds. Its weights stand among those of a served model.
AuxiliaryModel tower_of(const Scenario& policy, const Tower& tower, const MediaLoad& load) {
  const bool training = trains(policy.workload.task), along = training && policy.workload.media.trains_towers;
  AuxiliaryModel auxiliary{.role = Role::tower, .holds_weights = training, .scores = training && !along, .trains = along,
                           .scenario = along ? policy : forward_only(policy, nullptr)};
  Scenario& scenario = auxiliary.scenario;
  scenario.auxiliary_models.clear();
  scenario.composition = {};
  scenario.model = tower.model;
  scenario.workload.media = {};
  scenario.workload.batch = (Count{policy.workload.batch} * load.items).value;
  scenario.workload.context_tokens = load.patches_of_each.value;
  scenario.workload.batching = Batching::padded;
  scenario.workload.mean_tokens = 0;
  if (!training) {
    scenario.weights.compute_bytes = policy.weights.compute_bytes;
    scenario.workload.prefill_tokens = (Count{policy.workload.prefill_tokens} * tower.join).value; // a pass's budget is in tokens: vllm/v1/core/encoder_cache_manager.py
  }
  scenario.strategy.context_parallel = 1; // every GPU has the whole tower, and the whole of what it reads
  scenario.strategy.tensor_parallel = 1;
  scenario.strategy.sequence_parallel = false;
  return auxiliary;
}

} // namespace

std::optional<Role> role_of(std::string_view field) noexcept {
  constexpr std::string_view kEnd = "_model";
  for (Role role : {Role::reference, Role::reward, Role::critic, Role::teacher, Role::draft})
    if (field.ends_with(kEnd) && field.substr(0, field.size() - kEnd.size()) == text_of(role).id) return role;
  return std::nullopt;
}

Model with_scalar_head(const Model& model) {
  Model scalar = model;
  ModelTensor score;
  score.tensor.name = "score";
  score.tensor.kind = TensorKind::head;
  score.tensor.rows = Count{1};
  score.tensor.columns = model.hidden_size;
  scalar.tensors.edit([&](std::vector<ModelTensor>& tensors) {
    std::erase_if(tensors, [](const ModelTensor& part) { return part.tensor.kind == TensorKind::head; });
    tensors.push_back(score);
  });
  scalar.tied_embeddings = false;
  scalar.head_bias = false;
  scalar.has_head = false;
  scalar.scalar_head = true;
  return scalar;
}

void compose(Scenario& policy, const std::vector<RoleModel>& models, const Profile& engine) {
  if (policy.workload.task != Task::finetune) policy.composition = {};
  const Composition& composition = policy.composition;
  policy.workload.batch = (Count{sequences_per_example(composition.method)} * Count{policy.workload.batch}).value;
  if (composition.method == Preference::reward_model) policy.model = with_scalar_head(policy.model);
  std::vector<AuxiliaryModel> auxiliary_models;
  for (Role role : {Role::reference, Role::reward, Role::teacher, Role::policy})
    if (has_role(composition, role)) auxiliary_models.push_back(scorer(policy, role, chosen_model(models, role)));
  if (has_role(composition, Role::critic)) {
    const Model* const critic = chosen_model(models, Role::critic);
    auxiliary_models.push_back(trained_critic(policy, critic));
    auxiliary_models.push_back(scorer(policy, Role::critic, critic));
    auxiliary_models.back().holds_weights = false; // those that train
  }
  if (generates(composition.method)) auxiliary_models.push_back(engine_of(policy, engine));
  const Model* const draft = chosen_model(models, Role::draft);
  const bool serves = !trains(policy.workload.task) && policy.profile.inference.speculates;
  if (serves && has_own_drafter(policy))
    auxiliary_models.push_back(drafter(policy, drafter_for(policy.model, policy.serving.drafter, Count{policy.serving.draft_tokens})));
  else if (draft != nullptr && serves) auxiliary_models.push_back(drafter(policy, *draft));
  const bool sees = policy.workload.media.any() && policy.workload.task != Task::pretrain;
  if (sees && !policy.model.towers.empty())
    for (const Tower& tower : policy.model.towers)
      if (const MediaLoad load = media_load(tower, policy.workload.media); load.items > Count{0}) auxiliary_models.push_back(tower_of(policy, tower, load));
  policy.auxiliary_models = std::move(auxiliary_models);
}

} // namespace plimsoll
