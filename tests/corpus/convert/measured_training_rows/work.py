"""Model, tokens and parallel degrees."""

import re

from catalog import find_model, layers_of, parameters_of
from common import NotCovered, is_number, is_whole
from measured_training_rows import litgpt
from measured_training_rows.described import described_layers, described_model
from measured_training_rows.run import member, quoted, text, whole
from words import contains_word, understand, words_of

ZEROS = {
    "fsdp": "parameters",
    "fsdp1": "parameters",
    "fsdp2": "parameters",
    "full shard": "parameters",
    "zero3": "parameters",
    "zero2": "gradients",
    "zero1": "optimizer",
    "cpu offload": "offload all",
    "offload": "offload all",
    "optimizer offload": "offload optimizer",
    "shard grad op": "gradients",
    "no reshard": "keep gathered",
    "reshard never": "keep gathered",
    "reshard after forward never": "keep gathered",
    "hsdp": "hybrid",
    "hybrid shard": "hybrid",
    "last layer not resharded": None,  # FSDP2 as torchtitan sets it up
    "deepspeed": None,
    "zero": None,
    "ddp": None,
}
STAGES = ("none", "optimizer", "gradients", "parameters")
DEGREES = {"dp": "data_parallel", "tp": "tensor_parallel", "pp": "pipeline_parallel", "cp": "context_parallel", "ep": "expert_parallel"}


def layers_cut(name):
    """"cut to 9 layers": the same shapes, fewer of them."""
    words = words_of(name)
    for before, number, unit in zip(words, words[1:], words[2:]):
        if before == "to" and unit.startswith("layer") and re.fullmatch(r"[0-9]{1,5}", number):
            return int(number)
    return None


def agrees(found, billions):
    """Whether the count is the row's figure, in billions and rounded to its digits: names are rounder than counts."""
    return billions <= 0 or abs(parameters_of(found) / 1e9 - billions) <= 0.03 * billions


def read_model(run):
    row, name = run.row, text(run.row, "model")
    if described := described_model(run):
        run.inputs.update(described)
        return
    found = find_model(text(row, "hf_id_guess")) or find_model(name)
    if found is None:
        raise NotCovered(f"The model's shape is not given: {quoted(name)}.")
    run.inputs["model"] = found["id"]
    layers, described = layers_cut(name), described_layers(name)
    if layers is None and run.figure.get("moment") == "layer_forward":
        layers = 1
    if layers is None and described and described < layers_of(found):
        layers = described
    if layers is not None:
        run.inputs["layers"] = layers
    elif is_number(billions := row.get("params_b")) and not agrees(found, billions):
        raise NotCovered(f"The row's model has {billions} billion parameters, {found['name']} has not.")
    if run.profile == "litgpt":
        run.inputs["tied_embeddings"] = False  # its head has a matrix of its own (litgpt/model.py, GPT)


def read_workload(run):
    row, inputs = run.row, run.inputs
    inputs["task"] = "pretrain" if run.profile in ("megatron", "torchtitan") else "finetune"
    tokens, batch, steps = (whole(row, key) for key in ("seq_len", "micro_batch", "grad_accum"))
    if not tokens or tokens < 1:
        raise NotCovered("The row does not tell the tokens of a sequence.")
    if not batch or batch < 1:
        raise NotCovered("The row does not tell the sequences of a micro-batch.")
    if run.profile == "torchtune" and member(row.get("other_knobs"), "packed") in (None, False):
        raise NotCovered("Sequences are not packed: how long they are is up to the dataset.")
    inputs.update(context_tokens=tokens, batch=batch)
    if steps and steps > 0:
        inputs["micro_batches"] = steps
    elif run.profile == "litgpt":
        inputs["micro_batches"] = litgpt.micro_batches(batch, row.get("lora") is not None)
        run.assume("As many micro-batches in a step as in LitGPT's recipes.")
    else:
        run.assume("One micro-batch in a step.")


def read_zero(run, zero):
    inputs = run.inputs
    if is_whole(zero):
        if not 0 <= zero <= 3:
            raise NotCovered(f'"zero" is 0 to 3, not {zero}.')
        inputs["sharding"] = STAGES[int(zero)]
        return
    if not isinstance(zero, str):
        raise NotCovered(f'The row\'s "zero" is not understood: {zero}.')
    meanings, rest = understand(zero, ZEROS)
    run.refuse_rest("zero", zero, rest)
    if "hybrid" in meanings:
        raise NotCovered(f"The row does not tell how many GPUs hold one set of shards: {quoted(zero)}.")
    inputs["sharding"] = next((stage for stage in ("gradients", "optimizer", "parameters") if stage in meanings), "none")
    if "keep gathered" in meanings:
        inputs["reshard_after_forward"] = False
    if "offload all" in meanings:
        inputs["offload"] = "parameters"
    if "offload optimizer" in meanings:
        inputs["offload"] = "optimizer"


def choose_sharding_profile(run, zero):
    """A profile of one process that is told to shard becomes that of the library that shards."""
    if run.profile not in ("pytorch", "peft", "hf_trainer") or zero is None or run.inputs.get("sharding", "none") == "none":
        return
    told = zero if isinstance(zero, str) else ""
    deepspeed = is_number(zero) or contains_word(told, "deepspeed")
    run.inputs["profile"] = "deepspeed" if deepspeed else "fsdp2" if contains_word(told, "fsdp2") else "fsdp1"


def read_parallelism(run):
    row, inputs = run.row, run.inputs
    parallelism = row.get("parallelism")
    if not isinstance(parallelism, dict):
        raise NotCovered("The row does not tell its parallel degrees.")
    for key, name in DEGREES.items():
        degree = whole(parallelism, key)
        if not degree or degree < 1:
            raise NotCovered(f'The row does not tell its "{key}".')
        inputs[name] = degree
    inputs["sequence_parallel"] = parallelism.get("sp") is True
    inputs["virtual_stages"] = max(1, whole(parallelism, "vpp") or 1)
    inputs["expert_tensor_parallel"] = max(0, whole(parallelism, "etp") or 0)
    if (zero := parallelism.get("zero")) is not None:
        read_zero(run, zero)
    else:
        run.assume("Replicas do not divide training states.")
    choose_sharding_profile(run, zero)
    global_batch = whole(row.get("other_knobs"), "gbs")
    if global_batch and global_batch > 0 and whole(row, "grad_accum") is None:
        inputs["micro_batches"] = max(1, global_batch // (inputs["batch"] * inputs["data_parallel"]))
