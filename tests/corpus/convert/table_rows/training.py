"""What trains: whole models, adapters, torchtune's ladder of techniques."""

from common import NotCovered
from torchtune import climbed

from table_rows import litgpt
from table_rows.strategy import compile_all, store_base

KNOWN = ("compile", "method", "cumulative_technique", "trainable_params", "async_tp", "fsdp_float8_all_gather")
FULL, ADAPTERS = ("full", "fullfinetune"), {"lora": "bf16", "qlora": "nf4_double_quant"}  # torchao's NF4Tensor quantises its scales too

# Maps and ranks of torchtune's shipped configs (recipes/configs, lora_attn_modules, apply_lora_to_mlp, lora_rank) when its README's table of
# GPUs was written (30b8519e8: llama3_1/8B_lora_single_device, 8B_qlora_single_device and 405B_qlora), and its ladder (1814feb17: llama3_2/3B_*).
CONFIGS = {"lora": ("qv", 8, 8), "qlora": ("q,k,v,o,gate,up,down", 8, 16)}  # rank on one GPU and on several
LADDER = ("q,v,o,gate,up,down", 64)
# Tokens a second of the same table. The slower chip is half as fast again: layers that run twice cost a third more of whole training and half
# more of adapters, so there they ran once.
SPEEDS = {"fullfinetune": {"rtx4090": 1650, "a6000": 2579}, "lora": {"rtx4090": 3083, "a6000": 4699}}


def runs_once(draft):
    speeds = SPEEDS.get(draft.method, {})
    return speeds.get(draft.inputs.get("device"), 0) > 1.3 * min(speeds.values(), default=0)


def rank_told(draft):
    """Of adapters on queries and values, from how many parameters the row says train."""
    trained, of_a_rank = draft.number("implementation", "trainable_params"), draft.parts.get("of_a_rank")
    per_rank = (of_a_rank or 0) * (draft.parts.get("layers") or 0)
    if not per_rank or not trained or trained % per_rank:
        raise NotCovered("The row's trainable parameters are no adapters on queries and values of its model.")
    return trained // per_rank


def train_adapters(draft):
    """Where a table does not say it: LitGPT's scripts have rank 8 on queries and values (finetune/lora.py at the row's version);
    torchtune's README runs its shipped configs."""
    inputs = draft.inputs
    inputs |= {"method": "lora", "rank": 8, "targets": "qv", "adapter_dropout": draft.framework == "litgpt", "adapter_dtype": "half"}
    if draft.given("implementation", "trainable_params") is not None:
        inputs["rank"] = rank_told(draft)
    elif draft.framework == "litgpt" and draft.text("workload", "seq_len_is") == "upper bound":
        litgpt.take_recipe(draft)
    elif draft.framework == "torchtune":
        targets, *ranks = CONFIGS.get(draft.method, LADDER)
        inputs |= {"targets": targets, "rank": ranks[-1 if draft.gpus > 1 else 0]}
        draft.assumed.append(f"Adapters of rank {inputs['rank']} on {targets}, as in the framework's config of that time.")
    else:
        draft.assumed.append("Adapters of rank 8 on queries and values.")


def take_shipped_config(draft, whole):
    """torchtune's README runs its shipped configs: recipes/configs/llama3_1/8B_full_single_device.yaml and 8B_lora_single_device.yaml
    (enable_activation_checkpointing, CEWithChunkedOutputLoss)."""
    draft.inputs |= {"recompute": "full", "loss": "chunked_compiled" if draft.inputs.get("norms") == "compiled" else "chunked"}
    draft.assumed = [sentence for sentence in draft.assumed if sentence != "Nothing is recomputed."]
    draft.assumed.append("Layers are recomputed and the loss is in chunks, as in the framework's configs.")
    if runs_once(draft):
        draft.inputs["recompute"] = "none"
        draft.assumed[-1] = "Nothing is recomputed, by the speed that the table has for this GPU and another; the loss is in chunks, as in the framework's configs."
    if whole and draft.gpus == 1:
        draft.inputs |= {"optimizer": "paged_adamw_8bit", "optimizer_in_backward": True}
        draft.assumed = [sentence for sentence in draft.assumed if not sentence.startswith("AdamW is the fused one")]
        draft.assumed.append("The optimizer is a paged 8-bit AdamW in the backward pass, as in the framework's configs.")


def read_method(draft):
    method = draft.method
    if draft.framework == "torchtune" and method and not draft.text("strategy", "recompute"):
        take_shipped_config(draft, method in FULL)
    if draft.framework == "litgpt" and method == "full":
        draft.inputs["loss"] = "chunked"  # the head's logits at once, the loss in chunks (litgpt/finetune/full.py, fit)
        litgpt.check_states(draft)
    if not method or method in FULL:
        return
    if method not in ADAPTERS:
        raise NotCovered(f"The row's method says {draft.text('implementation', 'method')}, which is not covered.")
    train_adapters(draft)
    if "weight_dtype" not in draft.inputs:
        store_base(draft, ADAPTERS[method])


def read_ladder(draft):
    technique = draft.text("implementation", "cumulative_technique")
    if not technique:
        return
    found = climbed(technique)
    if found is None:
        raise NotCovered(f"The row's cumulative_technique says {technique}, which is not covered.")
    draft.inputs |= found[0]
    if found[1]:
        train_adapters(draft)
        store_base(draft, found[1])


def read_implementation(draft):
    for key, value in draft.section("implementation").items():
        if value is not None and key not in KNOWN:
            raise NotCovered(f"The row's {key} is not understood.")
    if draft.is_true("implementation", "compile"):
        compile_all(draft)
    draft.inputs["communication_overlap"] = draft.is_true("implementation", "async_tp") and draft.inputs["tensor_parallel"] > 1
    read_method(draft)
    read_ladder(draft)
