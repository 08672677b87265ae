"""Which profile a framework's name means, and which memory counter a metric's words mean."""

from typing import NamedTuple

from common import NotCovered
from measured_training_rows.run import quoted, text
from words import contains_any, contains_word, understand


class Framework(NamedTuple):
    words: str  # stand in the row's "framework"
    profile: str  # "" where none of ours means it
    label: str  # first word of the group
    keeps_master: bool = False  # "bf16" means 16-bit weights beside an fp32 master copy
    loads_half: bool = False  # autocast runs over weights that were loaded in 16 bits


# The first whose words stand in the text. What "bf16" means there: Megatron-LM and DeepSpeed keep an fp32 master copy
# (megatron/core/optimizer, deepspeed/runtime/bf16_optimizer.py); ms-swift loads checkpoints in 16 bits before autocast.
FRAMEWORKS = (
    Framework("simumax", "megatron", "simumax", True),  # Megatron-LM, as that project runs it
    Framework("megatron deepspeed", "megatron", "megatron-deepspeed", True),
    Framework("megatron bridge", "megatron", "megatron-bridge", True),
    Framework("megatron lm", "megatron", "megatron", True),
    Framework("megatron core", "megatron", "megatron", True),
    Framework("nemo automodel", "fsdp2", "automodel"),
    Framework("lightning thunder", "", "thunder"),
    Framework("litgpt", "litgpt", "litgpt"),
    Framework("fsdp qlora", "fsdp1", "fsdp_qlora"),
    Framework("torchao", "", "torchao"),  # by its metric: see below
    Framework("torchtune", "torchtune", "torchtune"),
    Framework("torchtitan", "torchtitan", "torchtitan"),
    Framework("ms swift", "ms_swift", "ms-swift", False, True),
    Framework("axolotl", "hf_trainer", "axolotl", False, True),
    Framework("llama factory", "hf_trainer", "llama-factory", False, True),
    Framework("unsloth", "hf_trainer", "unsloth", False, True),
    Framework("colossalchat", "", "colossalai", True),
    Framework("colossalai", "", "colossalai", True),
    Framework("internevo", "", "internevo", True),
    Framework("liger kernel", "", "liger"),
    Framework("xtuner", "", "xtuner"),
    Framework("llama recipes", "fsdp1", "llama-recipes"),
    Framework("trainer", "hf_trainer", "hf trainer"),
    Framework("accelerate deepspeed", "deepspeed", "deepspeed", True),
    Framework("accelerate fsdp", "fsdp1", "fsdp1"),
    Framework("transformers peft deepspeed", "hf_trainer", "qwen finetune"),
    Framework("deepspeed", "deepspeed", "deepspeed", True),
    Framework("peft", "peft", "peft"),
    Framework("transformers", "pytorch", "transformers"),
    Framework("torch", "pytorch", "torch"),
    Framework("pytorch", "pytorch", "torch"),
)

METRICS = {
    "memory allocated": "allocated",
    "max memory allocated": "allocated",
    "peak allocated": "allocated",
    "max allocated": "allocated",
    "allocated": "allocated",
    "active": "allocated",
    "reserved": "reserved",
    "nvidia smi": "process",
    "nvml": "process",
    "sum over": "sum",
    "phase": "phase",
    "model initialised": "phase",
    "model on gpu": "loaded",
    "after load": "loaded",
    # Allocated after a layer's forward pass less before it, with its output in hand: github.com/stas00/ml-engineering,
    # training/performance/benchmarks/activation-memory-per-layer.py.
    "bytes saved per layer": "layer_forward",
}
EVERY_RANK = ("max over ranks", "max over first", "max over all")
LAST_RANK = ("last rank", "last pipeline rank", "last stage", "last pipeline stage")
FIRST_RANK = ("first rank", "rank 0", "first stage", "first pipeline stage")


def framework_of(row):
    name, metric = text(row, "framework"), text(row, "metric")
    # torchao's tables run in other frameworks, and name theirs with the counter: "torchtitan log", "torchtune log".
    if contains_word(name, "torchao"):
        name = next((other for other in ("torchtitan", "torchtune") if contains_word(metric, other)), name)
    return next((framework for framework in FRAMEWORKS if contains_word(name, framework.words)), None)


def group_of(row):
    framework = framework_of(row)
    return f"{framework.label if framework else text(row, 'framework')} {text(row, 'category')}"


def read_ranks(run):
    """Which pipeline ranks the figure is of. Megatron-LM logs memory on its last rank (megatron/training/training.py, report_memory
    under is_last_rank), so that rows of its own tests are of the last stage unless they say otherwise."""
    row = run.row
    for field in ("metric", "id", "notes"):
        told = text(row, field)
        if contains_any(told, EVERY_RANK):
            return
        for words, rank in ((LAST_RANK, "last"), (FIRST_RANK, 0)):
            if contains_any(told, words):
                run.figure["rank"] = rank
                return
    framework = framework_of(row)
    if framework is not None and framework.label == "megatron" and text(row, "unit") == "B":
        run.figure["rank"] = "last"
        run.assume("The figure is of the last pipeline stage, which Megatron-LM logs.")


def read_counter(run):
    """Of every row, covered or not."""
    told = text(run.row, "metric")
    meanings, _ = understand(told, METRICS)
    if "process" in meanings:
        run.figure["counter"] = "process"
    elif "reserved" in meanings:
        run.figure["counter"] = "reserved"
    elif "allocated" not in meanings and "layer_forward" not in meanings:
        run.assume(f"The counter behind {quoted(told)} is torch's allocated bytes.")
    if text(run.row, "category") == "overhead":
        run.figure["moment"] = "context"
    elif "loaded" in meanings:
        run.figure["counter"] = "weights"
    elif "layer_forward" in meanings:
        run.figure["moment"] = "layer_forward"
    return meanings


def read_metric(run, meanings):
    row = run.row
    if "sum" in meanings:
        raise NotCovered("The figure is a sum over several GPUs.")
    if run.figure.get("moment") == "context":
        if contains_any(text(row, "notes"), ("distributed", "collective", "nccl")):
            raise NotCovered("What a process holds around its first collective is no figure of the estimate.")
        return
    read_ranks(run)
    if "phase" in meanings and not {"loaded", "layer_forward"} & set(meanings):
        raise NotCovered(f"The estimate's moments do not include what the metric names: {quoted(text(row, 'metric'))}.")
    if text(row, "category") == "activation-component" and "moment" not in run.figure and run.figure["counter"] != "weights":
        raise NotCovered(f"The row measures a part of a step, not a step: {quoted(text(row, 'model'))}.")


def read_framework(run):
    row, framework = run.row, framework_of(run.row)
    if framework is None or not framework.profile:
        raise NotCovered(f"No profile describes the framework {quoted(text(row, 'framework'))}.")
    run.framework = framework
    run.inputs["profile"] = framework.profile
    # torchtitan's first versions logged active memory as a share of the device, and referred to the logits until the next ones were
    # there; both are gone since mid-2024 (github.com/pytorch/torchtitan, pull request 165 and train.py).
    if framework.profile == "torchtitan" and contains_word(text(row, "metric"), "percent of device"):
        run.inputs["loss"] = "torch_float_kept"
        run.assume("The training loop keeps the logits, as torchtitan's did when it logged shares of the device.")
    if framework.label != "simumax" and not contains_word(text(row, "source"), "simumax"):
        return
    # SimuMax measures Megatron-LM with Transformer Engine 2 as its launch scripts set it up: fused accumulation of gradients,
    # Transformer Engine's cross-entropy (github.com/MooreThreads/SimuMax).
    run.inputs.update(fused_gradient_accumulation=True, loss="te_fused_out_of_place")
    run.assume("Gradients are accumulated by matrix multiplications, and the loss is Transformer Engine's.")
