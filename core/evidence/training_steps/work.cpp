// Tokens, number formats, optimizer, recomputation: tests/measure/loop.py.
#include "evidence/peft.hpp"
#include "evidence/training_steps/fields.hpp"

namespace plimsoll::io::accuracy::training_steps {

namespace {

constexpr Choice<Regime> kRegimes[] = {{"bf16", Regime::bf16}, {"mixed_bf16", Regime::mixed_bf16}, {"fp32", Regime::fp32}};

// make_optimizer; torch.optim.SGD keeps the same in all its ways.
constexpr Choice<Optimizer> kOptimizers[] = {{"adamw_fused", Optimizer::adamw_fused},   {"adamw_foreach", Optimizer::adamw_foreach},
                                             {"adamw_single", Optimizer::adamw_forloop}, {"sgd", Optimizer::sgd},
                                             {"sgd_momentum", Optimizer::sgd_momentum}, {"sgd_momentum_fused", Optimizer::sgd_momentum}};

// transformers, training_args.py, OptimizerNames: torch steps all tensors at once on GPUs unless told to fuse.
constexpr Choice<Optimizer> kTrainerOptimizers[] = {{"adamw_torch_fused", Optimizer::adamw_fused}, {"adamw_torch", Optimizer::adamw_foreach}};

constexpr Choice<Recompute> kRecomputes[] = {
    {"none", Recompute::none}, {"full", Recompute::full}, {"full_reentrant", Recompute::full}, {"selective", Recompute::per_op}};

bool in_trainer(const Place& scenario) { return scenario.word("run", "train") == "trainer"; }

} // namespace

void read_work(const Json& row, const Place& scenario) {
  Workload& workload = scenario.into.inputs.workload;
  for (const char* key : {"batch", "seq"})
    if (scenario.at(key).is_null()) scenario.decline(key, "missing");
  const Json& object = member(row, "workload");
  const Place told{object, "workload", scenario.into};
  workload.task = Task::pretrain;
  workload.batch = scenario.size("batch", 1);
  workload.context_tokens = scenario.size("seq", 1);
  workload.micro_batches = scenario.size("accumulate", 1);
  if (told.size("micro_batch", workload.batch) != workload.batch) told.decline("micro_batch", "not the scenario's");
  if (told.size("seq_len", workload.context_tokens) != workload.context_tokens) told.decline("seq_len", "not the scenario's");
  if (in_trainer(scenario) && workload.micro_batches > 1) scenario.decline("accumulate", "the harness does not hand it to Trainer");
  if (scenario.size("steps", 3) < 2) scenario.decline("steps", "a steady step is the second or a later one");
}

void read_precision(const Json& row, const Place& scenario) {
  scenario.into.inputs.strategy.regime = choice(scenario, "regime", "bf16", kRegimes);
  const Json& object = member(row, "precision");
  const Place precision{object, "precision", scenario.into};
  for (const char* key : {"fp8", "main_params"})
    if (!precision.at(key).is_null()) precision.decline(key, "not covered");
}

void read_optimizer(const Place& scenario) {
  Optimizer& optimizer = scenario.into.inputs.strategy.optimizer;
  if (in_trainer(scenario)) optimizer = choice(scenario, "optim", "adamw_torch_fused", kTrainerOptimizers);
  else if (!scenario.at("optim").is_null()) scenario.decline("optim", "means something in Trainer alone");
  else if (scenario.word("optimizer", "") == "adafactor") scenario.decline("optimizer", "torch.optim.Adafactor, with states in the weights' format, has no choice of its own");
  else optimizer = choice(scenario, "optimizer", "adamw_fused", kOptimizers);
}

void read_recompute(const Place& scenario) { scenario.into.inputs.strategy.recompute = choice(scenario, "recompute", "none", kRecomputes); }

} // namespace plimsoll::io::accuracy::training_steps
