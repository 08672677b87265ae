// Workload, parallel degrees, number formats, optimizer, recomputation.
#include "evidence/megatron/parts.hpp"
#include "plimsoll/method/sharding.hpp"

#include <algorithm>
#include <array>

namespace plimsoll::io::accuracy {

namespace {

constexpr std::int64_t kMostGpus = 1'000'000;

/// --cp-comm-type: one word, or one for each layer, which no formula here tells apart.
void read_context_method(MegatronDraft& draft) {
  static constexpr std::array<Word<ContextMethod>, 4> kMethods{{{"p2p", ContextMethod::ring},
                                                                {"all_gather", ContextMethod::all_gather},
                                                                {"allgather", ContextMethod::all_gather},
                                                                {"a2a", ContextMethod::ulysses}}};
  Strategy& strategy = draft.out.inputs.strategy;
  const Json* given = draft.arguments.find("--cp-comm-type");
  if (given == nullptr || strategy.context_parallel == 1) return;
  for (const Word<ContextMethod>& method : kMethods)
    if (*given == Json(std::string{method.text})) {
      strategy.context_method = method.value;
      return;
    }
  draft.assume("exchange of keys and values between context-parallel GPUs: in a ring");
}

void read_degrees(MegatronDraft& draft) {
  const Section& row = draft.strategy;
  Strategy& strategy = draft.out.inputs.strategy;
  MegatronFacts& facts = draft.out.facts;
  strategy.tensor_parallel = row.integer("tp", 1, {}, kMostGpus);
  strategy.pipeline_parallel = row.integer("pp", 1, {}, kMostGpus);
  strategy.virtual_stages = row.integer("vpp", 1, 1);
  strategy.microbatch_group = row.integer("vpp_microbatch_group", 0, 0);
  strategy.first_stage_layers = row.integer("first_stage_layers", 0, 0);
  strategy.last_stage_layers = row.integer("last_stage_layers", 0, 0);
  strategy.embedding_in_split = row.flag("account_for_embedding_split");
  strategy.loss_in_split = row.flag("account_for_loss_split");
  strategy.context_parallel = row.integer("cp", 1, 1, kMostGpus);
  strategy.expert_parallel = row.integer("ep", 1, 1, kMostGpus);
  strategy.expert_tensor_parallel = row.integer("etp", 0, 0, kMostGpus);
  strategy.sequence_parallel = row.flag("sp");
  strategy.data_parallel = row.integer("dp", 1, 1, kMostGpus);
  facts.model_parallel_last = row.flag("tp_pp_dp_order");

  read_context_method(draft);

  facts.world = row.optional_integer("world", 1, kMostGpus);
  if (!facts.world) return; // row.cpp infers it
  const Count used = Count{strategy.tensor_parallel} * (Count{strategy.pipeline_parallel} * (Count{strategy.context_parallel} * Count{strategy.data_parallel}));
  if (!row.has("dp") || used != Count{*facts.world}) draft.reading.refuse("The number of GPUs does not match the parallel sizes.");
}

void read_sharding(MegatronDraft& draft) {
  static constexpr std::array<Word<Sharding>, 4> kShardings{{{"no_shard", Sharding::none},
                                                             {"optim", Sharding::optimizer},
                                                             {"optim_grads", Sharding::gradients},
                                                             {"optim_grads_params", Sharding::parameters}}};
  const Section& row = draft.strategy;
  Strategy& strategy = draft.out.inputs.strategy;
  MegatronFacts& facts = draft.out.facts;
  if (row.flag("distributed_optimizer")) strategy.sharding = Sharding::optimizer;
  const std::string fsdp = row.text("fsdp");
  facts.sharded_data_parallel = !fsdp.empty();
  if (facts.sharded_data_parallel) {
    if (fsdp != "megatron_fsdp") draft.reading.refuse("PyTorch's FSDP inside Megatron-LM is not covered.");
    strategy.sharding = row.choice<Sharding>("data_parallel_sharding", kShardings, "no_shard");
    if (strategy.fp8 != Fp8::none) draft.reading.refuse("Megatron FSDP with fp8 is not covered.");
  }
  facts.optimizer_instances = row.integer("optimizer_instances", 1, 1, kMostGpus);
  if (facts.optimizer_instances > 1) // --num-distributed-optimizer-instances: each has all shards
    strategy.shard_group = ceil_div(shard_count(TensorKind::mlp, strategy), Count{facts.optimizer_instances}).value;
}

void read_optimizer(MegatronDraft& draft) {
  static constexpr std::array<Word<Optimizer>, 3> kOptimizers{
      {{"adam", Optimizer::adamw_fused}, {"sgd", Optimizer::sgd_momentum}, {"muon", Optimizer::muon}}};
  Strategy& strategy = draft.out.inputs.strategy;
  strategy.optimizer = draft.strategy.choice<Optimizer>("optimizer", kOptimizers, "adam");
  for (const char* moment : {"--exp-avg-dtype", "--exp-avg-sq-dtype", "--main-grads-dtype", "--main-params-dtype"}) {
    const std::string format = draft.arguments.text(moment);
    if (!format.empty() && format != "fp32") draft.reading.refuse("Optimizer states in " + format + " are not covered.");
  }
  if (draft.arguments.flag("--optimizer-cpu-offload")) strategy.offload = Offload::optimizer;
}

void read_formats(MegatronDraft& draft) {
  static constexpr std::array<Word<Regime>, 3> kRegimes{{{"bf16", Regime::master_bf16}, {"fp16", Regime::master_fp16}, {"fp32", Regime::fp32}}};
  static constexpr std::array<Word<GradientDtype>, 3> kGradients{
      {{"fp32", GradientDtype::fp32}, {"bf16", GradientDtype::half}, {"fp16", GradientDtype::half}}};
  const Section& row = draft.precision;
  Strategy& strategy = draft.out.inputs.strategy;
  MegatronFacts& facts = draft.out.facts;
  strategy.regime = row.choice<Regime>("params", kRegimes);
  strategy.gradient_dtype = row.choice<GradientDtype>("grads", kGradients);
  if (const std::string main = row.text("main_params"); !main.empty() && main != "fp32") draft.reading.refuse("Main weights in " + main + " are not covered.");
  if (!row.has("fp8")) return;
  const Section fp8 = row.inside("fp8");
  strategy.fp8 = fp8.flag("fp8_param_gather") ? Fp8::parameters : Fp8::compute;
  facts.fp8_recipe = fp8.text("fp8_recipe");
  facts.fp8_first_last_16bit = fp8.flag("first_last_layers_bf16");
  facts.fp8_layers_16bit = fp8.integer("num_layers_at_start_in_bf16", 0, 0) + fp8.integer("num_layers_at_end_in_bf16", 0, 0);
}

/// "[layernorm mla_up_proj mlp moe_act]", "core_attn".
std::vector<std::string> modules_of(std::string_view text) {
  std::vector<std::string> modules(1);
  for (const char letter : text) {
    if (letter == '[' || letter == ']') continue;
    if (letter == ' ' || letter == ',') modules.emplace_back();
    else modules.back() += letter;
  }
  std::erase(modules, "");
  return modules;
}

void read_recompute(MegatronDraft& draft) {
  if (!draft.strategy.has("recompute")) return;
  static constexpr std::array<Word<bool>, 2> kGranularities{{{"full", true}, {"selective", false}}};
  static constexpr std::array<Word<Recompute>, 2> kMethods{{{"uniform", Recompute::full}, {"block", Recompute::block}}};
  const Section row = draft.strategy.inside("recompute");
  Strategy& strategy = draft.out.inputs.strategy;
  if (row.choice<bool>("granularity", kGranularities)) {
    strategy.recompute = row.choice<Recompute>("method", kMethods, "uniform");
    strategy.recompute_layers = row.integer("layers", 1, 1);
    return;
  }
  std::vector<std::string>& modules = draft.out.facts.recompute_modules;
  modules = modules_of(row.text("modules"));
  if (modules.empty() || std::ranges::find(modules, "core_attn") != modules.end()) strategy.recompute = Recompute::selective;
  for (const std::string& module : modules)
    if (module != "core_attn") draft.reading.refuse("Recomputation of " + quoted(std::string_view{module}) + " is not covered.");
}

void read_workload(MegatronDraft& draft) {
  const Section& row = draft.workload;
  Workload& workload = draft.out.inputs.workload;
  const Strategy& strategy = draft.out.inputs.strategy;
  workload.task = Task::pretrain;
  workload.context_tokens = row.integer("seq_len");
  workload.batch = row.integer("micro_batch");
  if (const auto micro_batches = row.optional_integer("grad_accum", 1)) {
    workload.micro_batches = *micro_batches;
    return;
  }
  // More than fill the pipeline make no difference to memory: warm-up holds at most that many.
  workload.micro_batches = std::max(strategy.pipeline_parallel, strategy.microbatch_group) * strategy.virtual_stages;
  draft.assume("micro-batches of a step: as many as fill the pipeline");
}

} // namespace

void read_strategy(MegatronDraft& draft) {
  read_formats(draft);
  read_degrees(draft);
  read_optimizer(draft);
  read_sharding(draft);
  read_recompute(draft);
  read_workload(draft);
}

} // namespace plimsoll::io::accuracy
