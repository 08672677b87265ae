"""{"kind", "world", …}: one rank of many, tests/measure/ranks.py."""

from common import NotCovered
from measured_steps_rows.settings import LacksInput, refuse_others

KNOWN = {"kind", "world", "backend", "bucket_view", "param_dtype", "reduce_dtype", "reshard"}
FORMATS = {"fp32": "fp32", "bf16": "bf16"}
FILLED = "Two replicas: the one that ran fills buckets as any of several does."


def sharded_regime(ranks, regime):
    """MixedPrecisionPolicy(param_dtype, reduce_dtype): without them, everything stays in the weights' format; gradients are reduced as
    they are computed (torch/distributed/fsdp, fully_shard)."""
    weights = "bf16" if regime == "bf16" else "fp32"
    computed = ranks.choice("param_dtype", FORMATS, weights)
    reduced = ranks.choice("reduce_dtype", FORMATS, computed)
    if weights == computed == reduced:
        return regime
    if weights == "bf16":
        raise LacksInput("Beside bf16 weights, copies and reductions in fp32 are not covered.", param_dtype=computed, reduce_dtype=reduced)
    if computed == "fp32":
        raise LacksInput("Gradients of fp32 that are reduced in 16 bits are not covered.", reduce_dtype=reduced)
    if regime == "mixed_bf16":
        raise NotCovered("16-bit copies under autocast are not covered.")
    if reduced == "bf16":
        raise LacksInput("Gradients reduced in 16 bits beside fp32 weights are not covered.", reduce_dtype=reduced)
    return "sharded_bf16"


def fsdp(ranks, world, regime, _assumed):
    return {"profile": "fsdp2", "data_parallel": world, "sharding": "parameters", "precision": sharded_regime(ranks, regime),
            "reshard_after_forward": None if ranks.flag("reshard", True) else False}


def ddp(ranks, world, _regime, assumed):
    """A single replica fills buckets like any other; one that has nobody to exchange with has none in the estimate."""
    if ranks.flag("bucket_view"):
        raise LacksInput("Gradients that are views of DDP's buckets are not covered.", gradient_as_bucket_view=True)
    if world == 1:
        assumed.append(FILLED)
    return {"data_parallel": max(world, 2)}


def tensor_parallel(_ranks, world, _regime, _assumed):
    return {"tensor_parallel": world}


def read_ranks(scenario, strategy, regime, assumed):
    for key in ("pp", "cp", "ep"):
        if strategy.integer(key, 1) != 1:
            raise NotCovered(f"{strategy.path}{key} is not covered.")
    if not scenario.has("ranks"):
        return {}
    ranks = scenario.inside("ranks")
    refuse_others(ranks, KNOWN)
    ranks.choice("backend", {"fake": None, "nccl": None}, "fake")  # buffers of the group's own are outside the allocator
    read = ranks.choice("kind", {"fsdp2": fsdp, "ddp": ddp, "tp": tensor_parallel})
    return read(ranks, ranks.integer("world"), regime, assumed)
