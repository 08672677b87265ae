"""Tokens, number formats, optimizer, recomputation: tests/measure/loop.py."""

from common import NotCovered
from measured_steps_rows.settings import LacksInput

REGIMES = ("bf16", "mixed_bf16", "fp32")
# make_optimizer; torch.optim.SGD keeps the same in all its ways.
OPTIMIZERS = {"adamw_fused": "adamw_fused", "adamw_foreach": "adamw_foreach", "adamw_single": "adamw_forloop", "sgd": "sgd",
              "sgd_momentum": "sgd_momentum", "sgd_momentum_fused": "sgd_momentum"}
# transformers, training_args.py, OptimizerNames: torch steps all tensors at once on GPUs unless told to fuse.
TRAINER_OPTIMIZERS = {"adamw_torch_fused": "adamw_fused", "adamw_torch": "adamw_foreach"}
RECOMPUTES = {"none": "none", "full": "full", "full_reentrant": "full", "selective": "per_op"}
FEWEST_STEPS = 2  # a steady step is the second or a later one


def in_trainer(scenario):
    return scenario.text("run") == "trainer"


def read_tokens(scenario, workload):
    batch, tokens, steps = scenario.integer("batch"), scenario.integer("seq"), scenario.integer("accumulate", 1)
    for key, value in (("micro_batch", batch), ("seq_len", tokens)):
        if workload.integer(key, value) != value:
            raise NotCovered(f"{workload.path}{key} is not the scenario's.")
    if scenario.integer("steps", 3) < FEWEST_STEPS:
        raise NotCovered("One step alone is no later step.")
    return {"context_tokens": tokens, "batch": batch, "micro_batches": steps}


def read_regime(scenario, precision):
    for key in ("fp8", "main_params"):
        if precision.has(key):
            raise NotCovered(f"{precision.path}{key} is not covered.")
    return scenario.choice("regime", dict(zip(REGIMES, REGIMES)), "bf16")


def read_optimizer(scenario):
    if in_trainer(scenario):
        return scenario.choice("optim", TRAINER_OPTIMIZERS, "adamw_torch_fused")
    if scenario.has("optim"):
        raise NotCovered("scenario.optim means something in Trainer alone.")
    if scenario.text("optimizer") == "adafactor":
        raise LacksInput("torch.optim.Adafactor, with states in the weights' format, has no choice of its own.",
                         optimizer="torch_adafactor")
    return scenario.choice("optimizer", OPTIMIZERS, "adamw_fused")


def read_recompute(scenario):
    return scenario.choice("recompute", RECOMPUTES, "none")
