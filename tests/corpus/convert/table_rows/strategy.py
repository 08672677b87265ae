"""Degrees, sharding, recomputation, batch, number formats."""

import re

from common import NotCovered
from torchtune import COMPILED
from words import contains_word, version_after, words_of

from table_rows import litgpt

SHARDINGS = ("fsdp1", "fsdp2")
RECOMPUTES = {"": "none", "none": "none", "full": "full", "per-op selective": "per_op"}
SCHEDULES = {"": {}, "1F1B": {}, "Interleaved 1F1B": {"virtual_stages": 2}, "GPipe": {"pipeline_schedule": "gpipe"}}
REGIMES = {"fp32 sharded, bf16 compute": "sharded_bf16", "bf16": "bf16", "bf16-true": "bf16", "fp32": "fp32", "32-true": "fp32"}
FORMATS = {"": None, "bnb.nf4": "nf4", "bnb.nf4-dq": "nf4_double_quant", "bnb.fp4": "fp4", "bnb.fp4-dq": "fp4_double_quant",
           "bnb.int8-training": "int8_bnb"}
FREES_INPUTS = (0, 43, 2)  # github.com/bitsandbytes-foundation/bitsandbytes, pull request 1270
COMPILES_LOSS = 202504     # pytorch/torchtitan, pull request 1033: until then compiling the loss was switched off


def read_degrees(draft):
    inputs = draft.inputs
    inputs |= {"tensor_parallel": draft.degree("tp"), "pipeline_parallel": draft.degree("pp"), "context_parallel": draft.degree("cp"),
               "expert_parallel": draft.degree("ep"), "data_parallel": 1}
    world, others = draft.number("strategy", "world") or 1, draft.gpus
    if draft.given("strategy", "dp") is not None:
        inputs["data_parallel"] = draft.degree("dp")
    elif world % others == 0:
        inputs["data_parallel"] = world // others  # GPUs that no other degree takes are replicas
    else:
        raise NotCovered("The parallel degrees do not make the row's number of GPUs.")
    if draft.framework == "torchtitan" and inputs["context_parallel"] > 1:
        inputs["context_method"] = "all_gather"  # config_manager.py, experimental.context_parallel_rotate_method, by itself
    inputs["sequence_parallel"] = draft.framework == "torchtitan" and inputs["tensor_parallel"] > 1  # its plans always divide the tokens


def read_sharding(draft):
    text = draft.text("strategy", "fsdp")
    if text in SHARDINGS:
        draft.inputs["sharding"] = "parameters"
    elif text:
        raise NotCovered(f"The row's fsdp says {text}, which is not covered.")
    elif draft.inputs["data_parallel"] > 1 and draft.framework == "litgpt":
        litgpt.take_devices(draft)
    elif draft.inputs["data_parallel"] > 1:
        raise NotCovered("The row does not tell how its GPUs share the work.")


def read_recompute(draft):
    word = draft.text("strategy", "recompute")
    recompute = draft.choice("strategy", "recompute", RECOMPUTES)
    if not word and draft.framework == "litgpt" and draft.inputs.get("sharding") == "parameters":
        recompute = litgpt.recompute(draft)
    draft.inputs["recompute"] = recompute
    if not word and recompute == "none" and not draft.given("implementation", "cumulative_technique"):
        draft.assumed.append("Nothing is recomputed.")


def read_optimizer(draft):
    if draft.given("strategy", "offload") not in (None, False):
        raise NotCovered("Offloading is not told in full.")
    draft.choice("strategy", "optimizer", {"": None, "adamw": None})
    if draft.framework != "litgpt":
        draft.inputs["optimizer"] = "adamw_fused"
        draft.assumed.append("AdamW is the fused one, as in the framework's configs.")
    elif draft.text("precision", "quantization"):
        draft.inputs["optimizer"] = "paged_adamw"  # beside quantised weights LitGPT takes bitsandbytes' (litgpt/finetune/lora.py, main)
    else:
        draft.inputs["optimizer"] = "adamw_foreach"
        draft.assumed.append("AdamW steps as PyTorch does on GPUs unless told otherwise: foreach.")


def read_strategy(draft):
    draft.refuse_others("strategy", ("tp", "pp", "cp", "ep", "dp", "world", "fsdp", "recompute", "schedule", "offload", "optimizer"))
    read_degrees(draft)
    read_sharding(draft)
    read_recompute(draft)
    draft.inputs |= draft.choice("strategy", "schedule", SCHEDULES)
    if "virtual_stages" in draft.inputs:
        draft.assumed.append("Interleaved stages have two parts each.")
    read_optimizer(draft)


def read_workload(draft):
    draft.refuse_others("workload", ("seq_len", "micro_batch", "grad_accum", "global_batch", "packed", "seq_len_is"))
    inputs = draft.inputs
    inputs["task"] = "pretrain" if draft.framework == "torchtitan" else "finetune"
    tokens, batch = draft.number("workload", "seq_len"), draft.number("workload", "micro_batch")
    if not tokens or not batch:
        raise NotCovered("The row does not tell the tokens of a sequence or the sequences of a micro-batch.")
    inputs |= {"context_tokens": tokens, "batch": batch, "micro_batches": 1}
    if steps := draft.number("workload", "grad_accum"):
        inputs["micro_batches"] = steps
    elif whole := draft.number("workload", "global_batch"):
        inputs["micro_batches"] = max(1, whole // (batch * inputs["data_parallel"]))
    elif draft.framework == "litgpt":
        inputs["micro_batches"] = litgpt.micro_batches(batch, draft.method != "full")
        draft.assumed.append("As many micro-batches in a step as in LitGPT's recipes.")
    else:
        draft.assumed.append("One micro-batch in a step.")
    unpacked, limit = draft.given("workload", "packed") is False, draft.text("workload", "seq_len_is")
    if draft.framework == "torchtune" and unpacked:
        raise NotCovered("Sequences are not packed: how long they are is up to the dataset.")
    if draft.framework == "litgpt" and contains_word(limit, "longest"):
        litgpt.take_longest_first(draft)
    if limit == "upper bound" or unpacked:
        draft.assumed.append("Every sequence is as long as its limit.")


def cut_torchtitan_pipeline(draft):
    """torchtitan gives the first and the last stage no more layers than the others, which take what is left over; a batch is cut into as
    many micro-batches as there are stages: torchtitan/parallelisms/pipelining_utils.py, generate_split_points; its option
    pipeline_parallel_microbatches."""
    inputs, layers = draft.inputs, draft.parts.get("layers") or 0
    stages = inputs["pipeline_parallel"] * inputs.get("virtual_stages", 1)
    if draft.framework != "torchtitan" or inputs["pipeline_parallel"] < 2 or stages > layers:
        return
    if layers % stages == stages - 2:
        inputs |= {"embedding_in_split": True, "loss_in_split": True}
    elif layers % stages != 0:
        extra = layers % stages
        chunks = [layers // stages + (0 < index <= min(extra, stages - 2)) for index in range(stages)]
        chunks[-1] += extra > stages - 2  # one more than the stages between first and last can take
        draft.inputs["chunk_layers"] = ",".join(map(str, chunks))
    if inputs["batch"] % stages == 0:
        inputs |= {"batch": inputs["batch"] // stages, "micro_batches": stages}
        draft.assumed.append("A batch is cut into as many micro-batches as there are stages.")


def keeps_quantised_inputs(draft):
    for text in (draft.text("measured", "notes"), draft.text("framework", "name")):
        for name in ("bitsandbytes", "bnb"):
            if version := version_after(text, name):
                return version < FREES_INPUTS
    if draft.framework == "litgpt":
        draft.assumed.append("bitsandbytes is 0.42, as in LitGPT's other measurements then: 4-bit multiplications keep their inputs.")
        return True  # LitGPT required 0.42 until it left Python 3.8 (pyproject.toml), and the runs of its recipe table are of that time
    draft.assumed.append("bitsandbytes is 0.43.2 or newer: 4-bit multiplications do not keep their inputs.")
    return False


def read_precision(draft):
    draft.refuse_others("precision", ("params", "fp8", "quantization"))
    draft.inputs["precision"] = draft.choice("precision", "params", REGIMES)
    fp8 = draft.given("precision", "fp8")
    if fp8 not in (None, True, False):
        raise NotCovered("The row's fp8 is neither true nor false.")
    if fp8:
        draft.inputs["fp8"] = "gathered" if draft.is_true("implementation", "fsdp_float8_all_gather") else "compute"
    if format := draft.choice("precision", "quantization", FORMATS):
        store_base(draft, format)
        draft.inputs["keeps_quantised_inputs"] = keeps_quantised_inputs(draft)


def store_base(draft, format):
    draft.inputs["weight_dtype"] = format
    if draft.framework == "litgpt" and format != "bf16":
        draft.inputs["quantised_head"] = True  # Lightning Fabric replaces every linear map (plugins/precision/bitsandbytes.py)


def month_of(draft):
    """torchtitan's benchmark files carry a month in their names: benchmarks/llama3_h100_202412_torchtitan.md. 0 without one."""
    return next((int(word) for word in words_of(draft.text("source", "path")) if re.fullmatch("20[0-9]{4}", word)), 0)


def compile_all(draft):
    """torch.compile on the whole model, and on torchtitan's loss (components/loss.py). Where torchtune compiles an ordinary loss, its own
    measurements show no less memory in it: its README, 60.0 and 51.0 GiB."""
    draft.inputs |= COMPILED
    if draft.framework != "torchtitan":
        return
    if 0 < month_of(draft) < COMPILES_LOSS:
        draft.inputs["loss"] = "torch_float"
    else:
        draft.inputs["loss"] = "torch_float_compiled"
        draft.assumed.append("The loss is compiled with the model.")
