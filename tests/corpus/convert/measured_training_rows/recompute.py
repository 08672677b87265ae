""""checkpointing" and "attention": what of the activations is kept, and by which kernels."""

from common import NotCovered
from measured_training_rows.run import quoted, text
from words import understand

RECOMPUTES = {
    "none": "all",
    "off": "all",
    "full": "full",
    "uniform": "full",
    "hf gradient checkpointing": "full",
    "gradient checkpointing": "full",
    "selective": None,  # of what follows
    "per op": "per_op",
    "op level": "per_op",
    "op level saves matmul sdpa outputs every 2nd mm": "per_op",
    "every 2nd layer": "every second",
    "core attn": "selective",
    "core attention": "selective",
    "cpu activation offload": "offloaded",
    "cpu offload": "offloaded",
    "moe": "modules",
    "moe act": "modules",
    "mlp": "modules",
    "layernorm": "modules",
    "mla up proj": "modules",
    "unknown": "unstated",
    "not stated": "unstated",
    "selective none": "unstated",  # "selective/none (not stated)"
    "inferred": "inferred",
    "non reentrant": None,
    "non reentrant setting in script": None,
    "reentrant": None,
    "block": None,  # the class that is wrapped
    "script default": None,
}
KEPT = ("offloaded", "full", "per_op", "selective")

ATTENTIONS = {
    "flash": "flash",
    "flash attention": "flash",
    "flash attention 2": "flash",
    "flash attention 3": "flash",
    "flash 2": "flash",
    "flash2": "flash",
    "flash attn": "flash",
    "fa2": "flash",
    "fa3": "flash",
    "fused": "flash",  # Transformer Engine's: FlashAttention or cuDNN, which keep the same set
    "te fused": "flash",
    "xformers": "flash",
    "kernels community vllm flash attn3": "flash",
    "cudnn": "cudnn",
    "unfused": "fused_softmax",
    "unfused scores": "fused_softmax",
    "fused softmax kernel": "fused_softmax",
    "eager": "eager",
    "hf 2023": None,
    "hf": None,
    "sdpa": "sdpa",
    "sdpa flash": "flash",
    "transformers default": None,
    "memory grows linearly in sequence so scores are not materialised": None,
    "liger kernels": "liger",
    "gated deltanet": "uncovered",
    "n a": "uncovered",
}
KERNELS = ("fused_softmax", "eager", "cudnn")


def read_recompute(run):
    told = text(run.row, "checkpointing")
    meanings, rest = understand(told, RECOMPUTES)
    run.refuse_rest("checkpointing", told, rest)
    if "unstated" in meanings or not meanings:
        raise NotCovered(f"The row does not tell what is recomputed: {quoted(told)}.")
    if "modules" in meanings:
        raise NotCovered(f"Recomputing single modules has no field: {quoted(told)}.")
    if "inferred" in meanings:
        run.assume(f'Recomputation is "{told}", as the row infers.')
    if kept := next((kept for kept in KEPT if kept in meanings), None):
        run.inputs["recompute"] = kept
    elif "every second" in meanings:
        run.inputs.update(recompute="every_k", recompute_layers=2)


def read_attention(run):
    told = text(run.row, "attention")
    if not told:
        run.assume("Attention runs as the framework does unless told otherwise.")
        return
    meanings, rest = understand(told, ATTENTIONS)
    run.refuse_rest("attention", told, rest)
    if "uncovered" in meanings:
        run.refuse("attention", told)
    if "liger" in meanings:
        run.inputs.update(norms="fused", mlp="fused", loss="liger_fused_linear")
    run.inputs["attention"] = next((kernel for kernel in KERNELS if kernel in meanings), "flash")
    if "sdpa" in meanings and "flash" not in meanings:
        run.assume("PyTorch's scaled_dot_product_attention takes its flash kernel.")
