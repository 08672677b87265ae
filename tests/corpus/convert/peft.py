"""Training runs of huggingface/peft, method_comparison: one run each, with the method's config as the library saved it.

{"id", "task", "framework": {"name": "peft"}, "gpu", "model", "method": {"peft_type", "config"}, "num_trainable_params", "workload",
"strategy", "precision", "raw_args", "measured": {"reserved_max"}}.
"""

from catalog import DEFAULT_DEVICE, find_devices
from common import NotCovered, evidence, figure, is_whole, main, query_text
from decoder import facts_of
from peft_rows.tuning import tuning_of
from row import section, text

# torch.optim's classes as run.py names them, and peft's own: LoRA+ and LoRA-FA have AdamW's states. torch steps many tensors at once.
OPTIMIZERS = {"adamw": "adamw_foreach", "adam": "adamw_foreach", "sgd": "sgd", "lora+": "adamw_foreach", "loraplus": "adamw_foreach",
              "lora-fa": "adamw_foreach", "lorafa": "adamw_foreach"}
FREEZES_DOWN = ("lora-fa", "lorafa")  # peft/optimizers/lorafa.py freezes every lora_A
ATTENTIONS = {"": None, "sdpa": None, "eager": "eager", "flash_attention_2": "flash"}
WITHOUT_ADAPTERS = ("full", "norms")
DEGREES = ("tp", "pp", "cp", "ep", "dp", "world")


def read_device(row, assumed):
    """Rows of the comparison name no device, and nothing of memory or of what trains depends on it."""
    name = text(section(row, "gpu"), "name")
    if not name:
        assumed.append(f"The row names no device: {DEFAULT_DEVICE}.")
        return {"device": DEFAULT_DEVICE}
    devices = find_devices(name)
    if len(devices) != 1:
        raise NotCovered(f"The device {name} is not in the catalogue.")
    return {"device": devices[0]["id"]}


def read_workload(row, assumed):
    workload = section(row, "workload")
    batch, tokens, steps = (workload.get(key) for key in ("micro_batch", "seq_len", "grad_accum"))
    if not is_whole(batch) or not is_whole(tokens) or batch < 1 or tokens < 1:
        raise NotCovered("The row gives no micro_batch and seq_len.")
    if workload.get("seq_len_is"):  # where samples are cut; batches are padded to their longest sample only
        assumed.append(f"the longest batch has micro_batch × seq_len = {int(batch) * int(tokens)} tokens")
    return {"batch": int(batch), "context_tokens": int(tokens), "micro_batches": int(steps) if is_whole(steps) and steps >= 1 else 1}


def read_precision(row, assumed):
    precision = section(row, "precision")
    weights, autocast, adapters = text(precision, "params"), precision.get("autocast") is True, text(precision, "adapter_params")
    if weights not in ("bfloat16", "float32") or adapters not in ("", "bfloat16", "float32"):
        raise NotCovered(f"Weights in {weights} with adapters in {adapters} are not covered.")
    if weights == "float32":
        return {"precision": "mixed_bf16" if autocast else "fp32", "adapter_dtype": "fp32"}
    if autocast:
        assumed.append("autocast over bf16 weights computes as bf16 weights alone")
    return {"precision": "bf16", "adapter_dtype": "fp32" if adapters == "float32" else "half"}


def read_strategy(row, tuning):
    strategy, settings = section(row, "strategy"), section(row, "raw_args", "train_config")
    if any(strategy.get(key) not in (None, 1) for key in DEGREES) or strategy.get("fsdp") or strategy.get("zero"):
        raise NotCovered("Runs on several GPUs are not read from such rows.")
    if settings.get("compile"):
        raise NotCovered("Compiled runs are not covered.")
    attention = text(settings, "attn_implementation")
    if attention not in ATTENTIONS:
        raise NotCovered(f"The attention {attention} is not covered.")
    name = (text(settings, "optimizer_type") or text(strategy, "optimizer")).lower()
    if name not in OPTIMIZERS:
        raise NotCovered(f"The optimizer {name or 'nobody names'} is not covered.")
    made = {"optimizer": OPTIMIZERS[name], "recompute": "full" if settings.get("use_gc") or strategy.get("recompute") else "none",
            "attention": ATTENTIONS[attention]}
    if name in FREEZES_DOWN and tuning.get("method") == "lora":
        made["frozen_half"] = "down"
    return made


def read(row, assumed):
    if text(row, "task") != "causal-lm":
        raise NotCovered(f"Only causal language models are covered, not {row.get('task')}.")
    model = facts_of(row.get("model"))
    tuning = tuning_of(section(row, "method"), assumed)
    inputs = {"model": "custom", **model, "task": "finetune", "profile": "peft", **read_device(row, assumed), **read_workload(row, assumed),
              **tuning, **read_precision(row, assumed), **read_strategy(row, tuning)}
    if tuning["method"] in WITHOUT_ADAPTERS:
        inputs.pop("adapter_dtype")
    assumed.append("The allocator runs as the framework sets it up, and all batches have one length.")
    return inputs


def figures(row):
    reserved, trained = section(row, "measured").get("reserved_max"), row.get("num_trainable_params")
    made = [figure("reserved", int(reserved), "bytes", metric="reserved_max")] if is_whole(reserved) else []
    if is_whole(trained):
        made.append(figure("trainable_parameters", int(trained), "parameters", metric="num_trainable_params"))
    return made


def convert(row):
    assumed = []
    made = {"id": text(row, "id"), "group": "peft", "source": row.get("source"), "notes": text(section(row, "measured"), "notes"),
            "config": text(row, "config_id"), "twin": text(row, "dup_of"), "features": [text(section(row, "method"), "peft_type")]}
    try:
        made["query"] = query_text(read(row, assumed))
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    return evidence(**made, measured=figures(row), assumed=assumed)


if __name__ == "__main__":
    main(convert)
