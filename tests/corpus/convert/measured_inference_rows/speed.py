"""Rows of the component "throughput": tokens per second of one device, or of several that take turns layer by layer."""

from catalog import find_devices
from common import NotCovered
from measured_inference_rows.formats import read_cache, read_weights
from measured_inference_rows.question import text, whole
from words import number_behind

# Engines whose memory has no profile, but whose kernels have been timed: core/catalog/data/efficiency/inference.json.
KERNELS = {"torchao": "gpt_fast", "gpt-fast": "gpt_fast", "autoawq": "autoawq"}
PROMPTS = ("prefill;", "prompt processing", "prompt eval", "llama-bench pp")
GENERATES = ("decode", "generation", "new tokens")
QUEUES = ("under load", "max-throughput", "request throughput")
MOST_TOKENS = 100_000_000


def is_prefill(notes):
    generates = any(word in notes for word in GENERATES)
    return any(word in notes for word in PROMPTS) or notes.startswith("pp") or (notes.startswith("prompt") and not generates)


def sequences_of(question):
    """Sequences at once: "batch", or what the notes call concurrency."""
    stated = whole(question.row, "batch")
    stated = stated if stated is not None else number_behind(question.notes, "concurrency")
    return stated if stated and stated >= 1 else None


def is_of_a_queue(question):
    if sequences_of(question):
        return False
    return "saturated" in text(question.row, "batch").lower() or any(word in question.notes for word in QUEUES)


def mean_context(question):
    """Tokens in front of the average token that the row times: half of what is generated, behind the prompt."""
    notes, row = question.notes, question.row
    if (generated := number_behind(notes, "tg")) is not None:
        return generated // 2
    if (prompt := number_behind(notes, "prompt/new tokens")) is not None:
        return prompt + (number_behind(notes, f"{prompt}/") or 0) // 2
    if (each := number_behind(notes, "lengths each")) is not None:
        return each + each // 2
    if (prompt := number_behind(notes, "after prompt")) is not None:
        return prompt + (number_behind(notes, "generation") or 0) // 2
    context = whole(row, "n_ctx")
    return context // 2 if context and context >= 1 else None


def prompt_tokens(question):
    """Tokens of the prompt that a row of prompts times."""
    numbers = [number_behind(question.notes, words) for words in ("pp", "lengths each", "prompt of", "prompt")]
    return next((number for number in numbers if number), None) or whole(question.row, "n_ctx")


def assume_cache(question):
    """NVIDIA's checkpoints in 8 and 4 bits ask for a cache in fp8 (hf_quant_config.json, kv_cache_quant_algo), and TensorRT-LLM does as
    they say: NVIDIA/TensorRT-LLM, tensorrt_llm/llmapi/llm_args.py, KvCacheConfig, dtype "auto"."""
    told = text(question.row, "weights_format").lower()
    if question.profile == "tensorrt_llm" and not text(question.row, "kv_format") and told.startswith(("fp8", "nvfp4")):
        question.inputs["kv_dtype"] = "fp8"
        question.assume("The cache's format: fp8, as NVIDIA's checkpoints in this format ask for.")
    else:
        read_cache(question)


def requests_of(question):
    """"isl/osl 1000/1000": tokens of each request in a queue."""
    prompt = number_behind(question.notes, "isl/osl")
    if not prompt:
        return None
    answer = number_behind(question.notes[question.notes.index("isl/osl"):], f"{prompt}/")
    return (prompt, answer) if answer and max(prompt, answer) <= MOST_TOKENS else None


def read_engine_of_kernels(question):
    name = text(question.row, "engine").lower()
    timed = next((engine for begin, engine in KERNELS.items() if name.startswith(begin)), None)
    if timed is not None:
        question.profile = timed


def read_queue(question):
    """As many sequences as the pool holds and one step may take."""
    requests = requests_of(question)
    if requests is None:
        raise NotCovered("The row does not say how long the prompts and answers in the queue are.")
    raise NotCovered("No input says that as many requests as fit are worked off together.")


def read_speed(question):
    row, inputs = question.row, question.inputs
    prompt = is_prefill(question.notes)
    question.figure["counter"] = "prompt_tokens_per_s" if prompt else "tokens_per_s"
    question.require_profile()
    in_turns = "layer" in text(row, "tp").lower()
    queue = is_of_a_queue(question)
    question.tags = [("several GPUs" if in_turns or inputs.get("tensor_parallel", 1) > 1 else "single GPU") + (", queue" if queue else "")]
    assume_cache(question)
    read_weights(question)
    if len(find_devices(text(row, "gpu"))) != 1:
        raise NotCovered(f'The catalogue has no device "{text(row, "gpu")}".')
    if in_turns:
        question.assume("Layers are divided among GPUs that work one after the other: as fast as one.")
    if queue:
        return read_queue(question)
    context = prompt_tokens(question) if prompt else mean_context(question)
    if not context:
        question.assume("The context: 100 tokens.")
    sequences = sequences_of(question)
    if not sequences:
        question.assume("The batch: one sequence.")
    inputs.update(context_tokens=max(1, context) if context else 100, batch=sequences or 1)
    return None
