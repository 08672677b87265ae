"""Which build of which engine ran, and its flags."""

import re

from catalog import find_devices
from measured_inference_rows.question import GIGA, text, whole
from words import number_before, number_behind

ENGINES = {"llama.cpp": "llama_cpp", "ik_llama.cpp": "ik_llama_cpp", "ollama": "ollama", "vllm": "vllm", "sglang": "sglang",
           "tensorrt-llm": "tensorrt_llm", "lmdeploy": "lmdeploy", "transformers": "transformers"}  # the row's "engine" begins so
DEGREES = {"pipeline_parallel": ("pipeline_parallel_size", "pp_size"), "data_parallel": ("data_parallel_size", "dp_size"),
           "expert_parallel": ("expert_parallel_size", "ep_size"), "cache_parallel": ("decode_context_parallel_size", "dcp")}
PASS_FLAGS = ("n_ubatch", "max_num_tokens", "max_num_batched_tokens", "n_batch")
SEQUENCE_FLAGS = ("max_num_seqs", "max_batch_size")
SHARE_FLAGS = ("gpu_memory_utilization", "mem_fraction_static", "free_gpu_memory_fraction", "kv fraction", "util")


def year_of(version):
    return next((year for year in range(2022, 2036) if str(year) in version), 0)


def build_of(version):
    """"b4567", "build 4567": the number of a build of llama.cpp."""
    if (number := number_behind(version, "build")) is not None:
        return number
    return number_behind(version, "b") if version.startswith("b") else None


def llama_build(version, question):
    """Graph allocators came with build 1800, windows in caches of their own with 5427 (pull request 13194)."""
    if (build := build_of(version)) is not None and build >= 100:
        return "llama_cpp_2023" if build < 1800 else "llama_cpp_2024" if build < 5427 else "llama_cpp"
    year = year_of(version)
    if not year:
        question.assume("The build: a new one.")
    return {2023: "llama_cpp_2023", 2024: "llama_cpp_2024"}.get(year, "llama_cpp")


def vllm_build(version, question):
    """"v0.11.0", "v0.9/0.10", "0.19+"; "v0" alone is the engine of 2023 and 2024."""
    minor = number_behind(version, "0.")
    if minor is None:
        if not year_of(version) and "v0" not in version:
            question.assume("The version: a new one.")
        return "vllm_0_6" if "v0" in version else "vllm"
    return "vllm" if minor >= 21 else "vllm_0_11" if minor >= 9 else "vllm_0_8" if minor == 8 else "vllm_0_6"


def read_engine(question):
    row = question.row
    name, version = text(row, "engine").lower(), text(row, "engine_version").lower()
    profile = next((profile for begin, profile in ENGINES.items() if name.startswith(begin)), "")
    if not profile and row.get("component") == "kv" and name.startswith("("):  # somebody's table: tokens as they are
        profile = "paged_serving"
        question.inputs["block_tokens"] = 1
        question.assume("No engine: a cache without pages.")
    builds = {"llama_cpp": llama_build, "vllm": vllm_build}
    question.profile = builds[profile](version, question) if profile in builds else profile


def read_device(question):
    told = text(question.row, "gpu")
    if not told:
        return
    named = find_devices(told)
    if not named:
        return
    question.device = named[0]
    question.inputs["device"], question.arch = named[0]["id"], named[0]["arch"]
    if len(named) != 1:
        question.assume(f'The device: "{told}" is taken for {question.inputs["device"]}.')
    for visible in re.findall(r"\(([0-9.]+) gib", told.lower()):
        if (hundredths := number_behind(visible, "", 2)) and hundredths > 100:
            question.inputs["usable_bytes"] = hundredths * GIGA // 100


def first_number(texts, flags, decimals=0):
    return next((number for flag in flags for told in texts if (number := number_behind(told, flag, decimals))), None)


def read_context(question):
    row, inputs = question.row, question.inputs
    if (context := whole(row, "n_ctx")) and context >= 1:
        inputs["context_tokens"] = context
    elif question.is_vllm() and question.longest:  # vllm/config/model.py, _get_and_verify_max_len
        inputs["context_tokens"] = question.longest
        question.assume("The longest context: the model's own.")
    # Rows of llama.cpp give n_batch as "batch".
    if (sequences := whole(row, "batch")) and sequences >= 1 and (not question.is_llama() or question.profile == "ollama"):
        inputs["batch"] = sequences


def read_flags(question):
    row, inputs, notes = question.row, question.inputs, question.notes
    texts = (notes, text(row, "batch").lower())
    inputs["prefill_tokens"] = first_number(texts, PASS_FLAGS)
    inputs["max_sequences"] = first_number(texts, SEQUENCE_FLAGS)
    share = first_number(texts, SHARE_FLAGS, 3)
    inputs["memory_permille"] = share if share and share <= 1000 else None
    for degree, flags in DEGREES.items():
        inputs[degree] = first_number([notes.replace("-", "_")], flags)
    if (degree := whole(row, "tp")) and degree >= 1:
        inputs["tensor_parallel"] = degree
    if (on := number_behind(notes, "flash_attn")) is not None:
        inputs["flash_attention"] = "on" if on else "off"
    inputs["gpu_layers"] = number_behind(notes, "device share with")
    inputs["block_tokens"] = number_behind(notes, "blocks of") or inputs.get("block_tokens")
    if (free := number_before(notes, " gib available", 2)) is not None:
        question.free = free * GIGA // 100  # before the engine takes its share


def read_version(question):
    """0.8.4 went back to 256 sequences: vllm-project/vllm, pull request 16158."""
    patch = number_behind(text(question.row, "engine_version").lower(), "0.8.")
    if question.profile == "vllm_0_8" and patch is not None and patch >= 4 and getattr(question, "arch", "Hopper") != "Hopper":
        question.inputs["max_sequences"] = question.inputs.get("max_sequences") or 256


def read_setting(question):
    read_context(question)
    read_device(question)
    read_flags(question)
    read_version(question)
