"""Rows of weights, caches, passes and totals: which number of an answer each is."""

from catalog import find_devices, has_towers
from common import NotCovered
from measured_inference_rows.formats import read_cache, read_weights
from measured_inference_rows.model import size
from measured_inference_rows.question import MEGA, text, whole
from words import number_before, number_behind

# Of a run: a file is the same whoever loads it.
RUN_INPUTS = ("device", "usable_bytes", "context_tokens", "batch", "prefill_tokens", "max_sequences", "memory_permille", "flash_attention",
              "gpu_layers", "block_tokens", "latent_cache", "tensor_parallel", "pipeline_parallel", "data_parallel", "expert_parallel",
              "cache_parallel")
OTHERS = ("non-swa", "full layers", "full-attention layers", "global layers")
WINDOWS = ("swa layers", "swa cache", "window layers", "sliding-window layers")
RECURRENT = ("recurrent", "ssm state", "delta-net state")
WORKING_SETS = ("recommendedmaxworkingset", "working-set")


def says_any(told, words):
    return any(word in told for word in words)


def table_bytes(question):
    """The embedding table, which quantisation leaves in 16 bits and the source leaves out."""
    if question.entry is None:
        raise NotCovered("The row leaves out the embedding table, and its size is not known.")
    config = question.entry["config"]
    return 2 * config["vocab_size"] * config["hidden_size"]


def read_weights_row(question):
    read_weights(question)
    question.require_whole()
    notes, row = question.notes, question.row
    if "engine size" in notes:
        raise NotCovered("A TensorRT engine's file holds code and a head of its own besides the weights.")
    question.figure["counter"] = "weights"
    if text(row, "unit") == "bits/weight":
        question.figure["counter"] = "bits_per_weight"
    elif "excludes the embedding table" in notes:
        question.figure["explained"] = -table_bytes(question)
    elif question.profile and not (question.is_llama() and "stays in host memory" not in notes):
        question.require_profile()
        return
    if question.is_llama() and question.entry is not None and has_towers(question.entry):
        question.needs["language_model_only"] = True  # towers are files of their own
    for name in RUN_INPUTS:
        question.inputs.pop(name, None)


def read_pool(question, log, counter):
    """The budget as the engine computes it, with what the same log gives of its formula's inputs."""
    question.figure["counter"] = counter
    read_weights(question)
    question.require_whole()
    question.require_device()
    taken = [whole(log.get(name), "value_bytes") for name in ("weights", "passes", "outside")]
    if all(taken):
        question.inputs["memory_before_cache_bytes"] = sum(taken)
        question.assume("Given by the same log: weights, the peak of the profile run and memory outside the allocator.")
    elif question.free:
        question.inputs["memory_before_cache_bytes"] = max(usable_bytes(question) - question.free, 1)
        question.assume("Given by the same log: what is free before the cache.")


def usable_bytes(question):
    """What a process can take of the device, as the row or the catalogue says."""
    return question.inputs.get("usable_bytes") or question.device["usable_bytes"]


def part_of_cache(notes):
    """Engines print caches of window layers, of the others and recurrent states in lines of their own."""
    if says_any(notes, RECURRENT):
        return "recurrent"
    if says_any(notes, OTHERS):
        return "full"
    return "windows" if says_any(notes, WINDOWS) else None


def slots_of(notes):
    """Sequences that the notes count: "3 slots", "2 sequences", "n_seq_max 4"."""
    numbers = [number_before(notes, words) for words in (" slots", " sequences", " seqs")]
    numbers += [number_behind(notes, flag) for flag in ("n_seq_max", "n_parallel")]
    return next((number for number in numbers if number and number >= 1), 1)


def divide_cells(question):
    """llama.cpp's n_ctx is the total over all slots."""
    slots = slots_of(question.notes)
    question.inputs.update(batch=slots, context_tokens=max(1, question.inputs.get("context_tokens", 0) // slots))
    question.fill_sizes()


def take_tokens(question, tokens):
    question.figure["counter"] = "kv_cache"
    question.inputs.update(context_tokens=tokens, batch=1)
    question.fill_sizes()


def read_cache_row(question, log):
    row = question.row
    read_cache(question)
    if not question.knows_cache:
        raise NotCovered("The row states neither key and value heads nor their size.")
    context = whole(row, "n_ctx")
    of_tokens = not text(row, "gpu") and not text(row, "weights_format") and "tokens" not in log and context
    if not question.is_llama() and of_tokens:
        question.assume("Neither device nor weights: a cache of one sequence.")
        return take_tokens(question, context)
    if question.is_llama() or (question.inputs.get("batch") == 1 and whole(row, "batch") == 1 and context):
        if not context and "recurrent" not in question.notes:
            raise NotCovered("The row does not state the context.")
        if part := part_of_cache(question.notes):
            question.figure["part"] = part
        if question.is_llama():
            question.figure["counter"] = "kv_cache"
            if not question.inputs.get("weight_dtype"):
                question.inputs["weight_dtype"] = "bf16"
                question.assume("weight_dtype: not told, and the cache does not depend on it.")
            return divide_cells(question)
        return take_tokens(question, context)
    tokens = whole(log.get("tokens"), "value")
    if tokens and tokens >= 1 and not ("passes" in log and "outside" in log):
        question.assume("Given by the same log: tokens of the cache.")
        return take_tokens(question, tokens)
    return read_pool(question, log, "kv_pool")


def take_cache(question, log):
    """Bytes of the cache, as its own row has them. Where that row is asked with the tokens of the log, this one is the same fact once more."""
    question.inputs["kv_cache_memory_bytes"] = whole(log["cache"], "value_bytes")
    question.assume("Given by the same log: bytes of the cache.")
    counts_tokens = "tokens" in log or text(question.row, "component") == "kv_tokens"
    if counts_tokens and not ("passes" in log and "outside" in log):
        question.twin = text(log["cache"], "id")


def read_tokens_row(question, log):
    read_cache(question)
    if not question.knows_cache:
        raise NotCovered("The row states neither key and value heads nor their size.")
    if question.free and question.is_vllm():
        question.inputs["memory_permille"] = 1000  # vLLM prints what it takes
    if "cache" not in log or question.free:
        return read_pool(question, log, "kv_tokens")
    question.figure["counter"] = "kv_tokens"
    take_cache(question, log)
    if not question.is_whole:
        question.fill_sizes()
    return None


def read_concurrency(question, log):
    row = question.row
    ratio = text(row, "unit") == "x"
    question.figure["counter"] = "concurrency" if ratio else "sequences"
    if not whole(row, "n_ctx"):
        raise NotCovered("The row does not state the context.")
    question.require_profile()
    read_cache(question)
    question.inputs["batch"] = 1
    if "cache" in log and whole(log["cache"], "value_bytes"):
        take_cache(question, log)
        return
    read_weights(question)
    question.require_whole()
    question.require_device()


def take_passes(question):
    batch = whole(question.row, "batch")
    if not question.inputs.get("prefill_tokens") and batch and batch >= 1:
        question.inputs["prefill_tokens"] = batch


def read_host(question):
    """"CUDA_Host compute buffer", and "CUDA_Host output buffer": of pinned memory, on every platform."""
    if not question.is_whole and not size(question.arch_row, "hidden"):
        raise NotCovered("The row does not state the width of the model.")
    question.figure.update(counter="host_workspace", part="outputs" if "output buffer" in question.notes else "inputs")
    take_passes(question)
    divide_cells(question)


def read_latent_buffer(question):
    """"mla=2 FA", "mla, amb 2048", "attn_max_batch=512 MiB"."""
    if not question.is_latent or not question.is_llama():
        return
    told = text(question.row, "kv_format").lower()
    if "mla" not in told:
        raise NotCovered("The row does not say how latent attention is computed.")
    question.inputs["latent_cache"] = "latent"
    if " fa" in told or "flash" in told:
        question.inputs["flash_attention"] = "on"
    for where, flag in ((question.notes, "attn_max_batch"), (told, "amb")):
        if (most := number_behind(where, flag)) and 1 <= most < 1_000_000:
            question.inputs["latent_buffer_bytes"] = most * MEGA


def read_passes(question):
    if "cuda_host" in question.notes:
        return read_host(question)
    read_latent_buffer(question)
    if not question.is_whole and not (size(question.arch_row, "vocab") > 1 and size(question.arch_row, "hidden") > 1):
        raise NotCovered("The row states neither vocabulary nor width of the model.")
    if question.profile == "tensorrt_llm":
        raise NotCovered("The execution context of a TensorRT engine is not modelled yet.")
    question.figure["counter"] = "workspace" if question.is_llama() else "passes"
    if question.is_llama():
        take_passes(question)
    question.inputs["batch"] = 1
    return None


def read_working_set(question):
    """What macOS lets a GPU use of the unified memory, which the catalogue's devices follow."""
    told = text(question.row, "gpu")
    for device in find_devices(told):
        if f"{device['memory_label_gb']}gb" in told.lower():
            question.figure["counter"] = "usable"
            question.inputs = {"model": "gpt2", "task": "inference", "device": device["id"]}
            question.assume("The figure is the device's, whatever the model.")
            return
    raise NotCovered("The catalogue has no machine with this much memory.")


def read_total(question):
    notes = question.notes
    if says_any(notes, WORKING_SETS) or ("metal" in text(question.row, "engine").lower() and "label trap" in notes):
        return read_working_set(question)
    question.require_profile()
    read_cache(question)
    read_weights(question)
    if not question.profile.startswith("llama_cpp"):
        raise NotCovered("Totals of this engine's process are not modelled yet.")
    question.require_whole()
    question.figure["counter"] = "requested"
    take_passes(question)
    question.inputs["batch"] = 1
    return None
