""""optimizer": which one, in which precision its states are, and where it steps."""

import re

from common import NotCovered
from measured_training_rows.run import quoted, text
from words import understand, words_of

PHRASES = {
    "adamw": "adam",
    "adam": "adam",
    "adamw torch": "adam",
    "adamw torch fused": "fused",
    "adamw fused": "fused",
    "adamw torch 8bit": "adam 8bit",
    "adamw bnb 8bit": "adam 8bit",
    "adamw 8bit": "adam 8bit",
    "adamw8bit": "adam 8bit",
    "pagedadamw": "paged adam",
    "paged adamw": "paged adam",
    "paged adamw 32bit": "paged adam",
    "pagedadamw8bit": "paged adam 8bit",
    "paged adamw 8bit": "paged adam 8bit",
    "8 bit": "8bit",
    "8bit": "8bit",
    "4 bit": "uncovered",
    "4bit": "uncovered",
    "fp8": "uncovered",
    "fused": "fused",
    "foreach": "foreach",
    "foreach true": "foreach",
    "foreach false": "for loop",
    "for loop": "for loop",
    "sgd": "sgd",
    "momentum": "momentum",
    "lion": "lion",
    "adafactor": "adafactor",
    "muon": "muon",
    "lomo": "lomo",
    "lomo fused update": "lomo",
    "adalomo": "adalomo",
    "adam mini": "adam_mini",
    "galore": "galore",
    "apollo": "apollo",
    "shampoo": "shampoo",
    "soap": "soap",
    "badam": "uncovered",
    "lora fa adamw": "uncovered",
    "in backward": "in backward",
    "optimizer in backward": "in backward",
    "per layer update": "in backward",
    "distributed optimizer": "sharded",
    "zero 1": "sharded",
    "zero1": "sharded",
    "zero1 over all dp": "sharded",
    "none": "none",
    "activations only": "none",
    "forward backward only": "none",
    "bnb": None,
    "bitsandbytes": None,
    "torchao": None,
    "torch": None,
    "yaml": None,
    "on adapters": None,
    "fp32 states": None,  # the precision says so
    "bf16 states": None,
    "fp16 params": None,
    "fp16 bf16 optimizer": None,
    "fp16 optimizer": None,
    "fp32 master": None,
    "states": None,
    "per row": None,  # whether it is sharded stands in "parallelism"
    "distributed optimizer per row": None,
}
NAMED = ("sgd", "lion", "adafactor", "muon", "adalomo", "lomo", "adam_mini", "galore", "apollo", "shampoo", "soap")
HAS_8BIT = {"lion": "lion_8bit"}
# Megatron-LM takes the fused Adam of Transformer Engine or apex (megatron/core/optimizer/__init__.py), DeepSpeed its own
# (deepspeed/runtime/engine.py, _configure_basic_optimizer); torchtune's and torchtitan's configs ask PyTorch for the fused one.
FUSED_PROFILES = ("torchtune", "torchtitan")


def read_adam(run, meanings):
    paged, eight = "paged adam" in meanings, "8bit" in meanings
    if "paged adam 8bit" in meanings or (paged and eight):
        return "paged_adamw_8bit"
    if paged:
        return "paged_adamw"
    if "adam 8bit" in meanings or eight:
        return "adamw_8bit"
    if "for loop" in meanings:
        return "adamw_forloop"
    if "fused" in meanings:
        return "adamw_fused"
    if "foreach" not in meanings and (run.framework.keeps_master or run.framework.profile in FUSED_PROFILES):
        run.assume("AdamW is the fused one, as the framework sets it up.")
        return "adamw_fused"
    if "foreach" not in meanings:
        run.assume("AdamW steps as PyTorch does on GPUs unless told otherwise: foreach.")
    return "adamw_foreach"


def read_optimizer(run):
    told, inputs = text(run.row, "optimizer"), run.inputs
    words = words_of(told)
    ranks = [word for word in words if re.fullmatch(r"r[0-9]{1,5}", word)]  # of GaLore's and APOLLO's projections: "r1024"
    meanings, rest = understand(" ".join(word for word in words if word not in ranks), PHRASES)
    run.refuse_rest("optimizer", told, rest)
    if "uncovered" in meanings or not meanings:
        run.refuse("optimizer", told)
    if "none" in meanings:
        raise NotCovered(f"The run takes no optimizer step: {quoted(told)}.")
    if "in backward" in meanings:
        inputs["optimizer_in_backward"] = True
    if "sharded" in meanings and inputs.get("sharding", "none") == "none":
        inputs["sharding"] = "optimizer"
    named = next((name for name in NAMED if name in meanings), None)
    if named is None:
        inputs["optimizer"] = read_adam(run, meanings)
        return
    if "8bit" in meanings and named not in HAS_8BIT:
        run.refuse("optimizer", told)
    inputs["optimizer"] = HAS_8BIT[named] if "8bit" in meanings else "sgd_momentum" if "momentum" in meanings else named
    if ranks:
        inputs["optimizer_rank"] = max(1, int(ranks[-1][1:]))
