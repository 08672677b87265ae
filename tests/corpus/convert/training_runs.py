"""Tables of training runs: GPU-hours of whole jobs, tokens per second of benchmarks.

{"id", "kind", "model", "method", "params_total", "params_active", "tokens", "seq_len", "layers", "hidden", "gpu", "n_gpus", "gpu_hours",
"precision", "parallelism", "recompute", "micro_batch", "batch_tokens", "tokens_per_s_per_gpu", "flag", "use_in_test", "source"}. Most rows
tell little of their configuration; what stands in for the rest is listed.
"""

from catalog import devices
from common import NotCovered, evidence, figure, is_number, main, query_text
from training_run_rows.draft import Draft
from training_run_rows.layout import read_common, read_degrees, read_gpus, read_layout
from training_run_rows.model import read_model
from training_run_rows.recipes import read_job, read_recipe

TRAINS_ADAPTERS = ("lora", "dora")


def is_positive(value):
    return is_number(value) and value > 0


def is_job(row):
    return row.get("kind") == "pretrain" and is_positive(row.get("gpu_hours")) and is_positive(row.get("tokens"))


def figures(row):
    if is_job(row):
        return [figure("gpu_hours", row["gpu_hours"], "GPU-hours", metric="gpu_hours")]
    rate = row.get("tokens_per_s_per_gpu")
    return [figure("tokens_per_s_per_gpu", rate, "tokens/s", metric="tokens_per_s_per_gpu")] if is_positive(rate) else []


def check(draft):
    """Why the row's own authors would not have it compared, and what it lacks."""
    row = draft.row
    if flag := draft.text("flag"):
        raise NotCovered(f"The row's inputs do not go together: {flag}.")
    if row.get("use_in_test") is False:
        raise NotCovered("The row lacks what a comparison needs, or stands for several runs.")
    if not figures(row):
        raise NotCovered("The row has no GPU-hours with tokens, and no tokens per second.")
    if any(word in draft.text("method").lower() for word in TRAINS_ADAPTERS):
        raise NotCovered("The row does not tell the adapters.")


def read_device(draft):
    gpu = draft.text("gpu").lower()
    device = next((row["id"] for row in devices() if gpu in (name.lower() for name in [row["id"], *row.get("aliases", [])])), None)
    if not device:
        raise NotCovered(f"The device {gpu} is not in the catalogue." if gpu else "The row does not tell its device.")
    draft.inputs["device"] = device


def read(draft):
    check(draft)
    draft.inputs["task"] = "finetune" if draft.text("kind") == "finetune" else "pretrain"
    read_device(draft)
    read_common(draft)
    if is_job(draft.row):
        read_model(draft)
        read_job(draft)
        return read_gpus(draft)
    read_degrees(draft)
    read_model(draft)
    read_layout(draft)
    return read_recipe(draft)


def convert(row):
    draft = Draft(row)
    source = draft.text("source")
    made = {"id": draft.text("id"), "group": "whole jobs" if row.get("kind") == "pretrain" else source.split(" ")[0],
            "source": {"text": source}, "measured": figures(row), "notes": draft.text("notes"),
            "features": [text for text in map(draft.text, ("kind", "gpu", "precision")) if text]}
    try:
        read(draft)
        made["query"] = query_text(draft.inputs)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    return evidence(**made, needs=draft.needs, assumed=draft.assumed)


if __name__ == "__main__":
    main(convert)
