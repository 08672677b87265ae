"""What LitGPT's scripts do whatever a row says of it."""

from measured_training_rows.run import text
from words import contains_word


def micro_batches(batch, adapters):
    return max(1, (8 if adapters else 64) // max(batch, 1))


def take_longest_first(run):
    """The first micro-batch has the longest example, and is the peak; only where the model is divided do gradients wait whole."""
    several = run.devices() > 1
    run.figure.update(step="first", **({"moment": "first_micro_batch"} if several else {}))
    run.inputs["micro_batches"] = max(run.inputs.get("micro_batches", 1), 2) if several else 1
    run.assume("The first micro-batch, which has the longest example, is the peak.")


def read_litgpt(run):
    if run.figure.get("moment"):
        return
    if run.row.get("lora") is None:
        run.inputs["loss"] = "chunked"
        return
    if run.inputs.get("weight_dtype") not in ("bf16", "fp32"):
        run.inputs["optimizer"] = "paged_adamw"  # litgpt/finetune/lora.py, main
    if contains_word(text(run.row, "metric"), "longest sample"):
        take_longest_first(run)
