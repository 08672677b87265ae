"""Evidence from closed-load runs of serving engines: {"engine", "engine_version", "model", "device", "precision", "gemm_format", "expert_format",
"prompt_tokens", "answer_tokens", "concurrency", "tensor_parallel", "pipeline_parallel", "attention_data_parallel", "expert_tensor_parallel",
"expert_parallel", "measured": {"ttft_ms", "tpot_ms"}}.

python3 tests/corpus/convert/serving_load.py IN OUT
"""

import catalog
from common import NotCovered, evidence, figure, is_number, is_whole, main, query_text, said
from words import version

PROFILES = {"vllm": "vllm", "sglang": "sglang", "trtllm": "tensorrt_llm", "tensorrt_llm": "tensorrt_llm"}
# What multiplied, by the name that the run has for it. Checkpoints of DeepSeek and Qwen in fp8 are in tiles of 128 × 128.
FORMATS = {None: "bf16", "bf16": "bf16", "bfloat16": "bf16", "fp8": "fp8_tensor", "fp8_block": "fp8_block", "nvfp4": "nvfp4", "mxfp4": "mxfp4", "w4a16_mxfp4": "mxfp4"}
STORED_IN_TILES = {"deepseek-v3-671b", "deepseek-r1-671b", "minimax-m2-230b-a10b", "qwen3.5-397b-a17b"}
# Checkpoints with the shapes of another.
ALIKE = {"MiniMaxAI/MiniMax-M2.5": ("MiniMaxAI/MiniMax-M2", "MiniMax-M2.5 has the shapes of MiniMax-M2."),
         "nvidia/DeepSeek-V3.1-NVFP4": ("deepseek-ai/DeepSeek-V3", "DeepSeek-V3.1 has the shapes of DeepSeek-V3."),
         "nvidia/DeepSeek-R1-NVFP4": ("deepseek-ai/DeepSeek-R1", "")}
# Clients of InferenceX send ten requests for each that is in flight, of 80 to 100 % of the stated lengths:
# SemiAnalysisAI/InferenceX, README, benchmark client configuration.
# NVIDIA's send as many, all alike, to engines whose pass takes one prompt, a token of each sequence and so many more: ai-dynamo/aiconfigurator at 095f58a51,
# src/aiconfigurator/eval/benchmarks/genai_perf_runner.py and generator/rule_plugin/*.rule; trtllm.rule rounds up to whole pages of 32 tokens.
CLIENTS = {"InferenceX dump": {"requests": 10, "length_spread": 200}, "NVIDIA's own sweeps": {"requests": 10, "generated": True}}
MORE_TOKENS = {"vllm": 1500, "sglang": 1500, "tensorrt_llm": 500}
# The same generator's lines for SGLang have had --enable-mixed-chunk since its pull request 258 of January 2026: generator/rule_plugin/sglang.rule. Of the
# versions of SGLang that were measured, 0.5.6 came a month before it and 0.5.1 five.
MIXES_SINCE = (0, 5, 6)
BLACKWELL = {"b200", "b300"}
DEFAULTS = {"tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 1, "expert_parallel": 1, "length_spread": 0, "requests": 0}


def degree(row, name):
    """A parallel degree; 1 where the row has none."""
    value = row.get(name)
    if value is not None and not is_whole(value):
        raise NotCovered(f"{name} is no whole number.")
    return max(1, int(value or 1))


def size(row, name):
    value = row.get(name)
    if not is_whole(value) or value < 1:
        raise NotCovered(f"{name} is no whole number above 0.")
    return int(value)


def layout(row):
    """Degrees as the engine is told them, and what had to be assumed.

    Where a row gives one degree as experts' tensor and as expert parallelism, the same GPUs are counted under both.
    """
    tensor, data = degree(row, "tensor_parallel"), degree(row, "attention_data_parallel")
    experts_tensor, experts = degree(row, "expert_tensor_parallel"), degree(row, "expert_parallel")
    assumed = ""
    if experts > 1 and tensor * data == experts_tensor * experts and experts_tensor == experts:
        tensor, data = (tensor // experts, data) if data == 1 else (tensor, data // experts)
        assumed = "The degree of experts stands twice: their GPUs are those of the layer."
    elif experts > 1 and tensor == data and experts == tensor * data:
        tensor, experts = 1, data
        assumed = "The degree of data parallelism stands twice: its GPUs are those of the layer."
    gpus = tensor * data
    if experts > gpus:
        raise NotCovered(f"Experts on {experts} GPUs, the layer on {gpus}.")
    return {"tensor_parallel": tensor, "pipeline_parallel": degree(row, "pipeline_parallel"), "data_parallel": data, "expert_parallel": experts,
            "data_parallel_attention": "on" if data > 1 and experts > 1 else None}, assumed


def model_of(row):
    name = row.get("model")
    if not isinstance(name, str):
        raise NotCovered("The row names no model.")
    alike, assumed = ALIKE.get(name, (name, ""))
    for ending in ("", "-Instruct", "-FP8", "-Instruct-FP8", "-NVFP4"):
        base = alike[: len(alike) - len(ending)] if ending and alike.endswith(ending) else alike
        for owner in (base, base.replace("nvidia/", "meta-llama/"), base.replace("nvidia/", "Qwen/"), base.replace("nvidia/", "deepseek-ai/")):
            found = catalog.find_model(owner)
            if found:
                return found["id"] if isinstance(found, dict) else found, assumed
    raise NotCovered(f"The catalogue has no model {name}.")


def weights_of(row, model):
    """The checkpoint's format, and what had to be assumed."""
    expert, matrix, precision = row.get("expert_format"), row.get("gemm_format"), row.get("precision")
    for name in (expert, matrix):
        if name not in FORMATS:
            raise NotCovered(f"There is no format {name}.")
    name = FORMATS[expert if expert is not None else matrix]
    if model.startswith("gpt-oss"):
        return "mxfp4", "gpt-oss's checkpoint has its experts in MXFP4."
    if name == "fp8_tensor" and model in STORED_IN_TILES:
        name = "fp8_block"
    if name == "bf16" and precision in ("fp8", "fp4"):
        raise NotCovered(f"The checkpoint is in {precision}, and no format says what multiplied.")
    return name, ""


def cache_of(row, profile, client):
    """The format of the cache, and what had to be assumed: checkpoints in 8 and 4 bits come with an 8-bit cache for TensorRT-LLM, and InferenceX
    asks for it on Blackwell. On Hopper its scripts leave vLLM's and SGLang's cache in the model's own 16 bits (dsr1_fp8_h200.sh, minimaxm2.5_fp8_h200.sh)."""
    if row.get("gemm_format") not in ("fp8", "nvfp4") and row.get("expert_format") != "nvfp4":
        return None, ""
    if profile != "tensorrt_llm" and ("length_spread" not in client or row.get("device") not in BLACKWELL):
        return None, ""
    return "fp8", "The cache of a checkpoint in 8 or 4 bits is in fp8."


# SemiAnalysisAI/InferenceX, benchmarks/single_node: what its launch scripts say of passes, requests and experts.
def sglang_flags(model, weights, degrees, concurrency):
    """dsr1_fp4_b200.sh, dsr1_fp8_b200.sh, qwen3.5_fp4_b200.sh, qwen3.5_fp8_b200.sh, qwen3.5_bf16_b200.sh: --scheduler-recv-interval,
    --chunked-prefill-size and --max-running-requests."""
    polling = {"poll_steps": 30 if concurrency >= 16 else 10}
    if model.startswith("deepseek"):
        if weights == "nvfp4":
            return {**polling, "prefill_tokens": 16384, "max_sequences": 256}
        if degrees.get("tensor_parallel") == 4:
            return {"poll_steps": 10, "prefill_tokens": 8192, "max_sequences": 32}
    elif weights == "nvfp4":
        return {"poll_steps": 30, "prefill_tokens": 32768, "max_sequences": max(concurrency, 128)}
    return {**polling, "prefill_tokens": 32768, "max_sequences": 128}


def launch_flags(row, profile, model, weights, degrees, concurrency):
    """What the script for this engine and GPU says; {} where none is known."""
    blackwell, prompt = row.get("device") in BLACKWELL, size(row, "prompt_tokens")
    if profile == "sglang":
        if blackwell:
            return sglang_flags(model, weights, degrees, concurrency)
        return {"prefill_tokens": 32768, "max_sequences": 512 if prompt == size(row, "answer_tokens") == 1024 else 256, "memory_fraction": "0.82"}  # dsr1_fp8_h200.sh
    if profile == "tensorrt_llm":  # dsr1_fp4_b200_trt.sh, dsr1_fp8_b200_trt.sh, dsr1_fp8_h200_trt.sh: --max_num_tokens
        return {"prefill_tokens": max(8192, -(-(concurrency + prompt + 64) // 64) * 64)}
    if not model.startswith("minimax"):
        return {}
    if blackwell:  # minimaxm2.5_fp8_b200.sh and its like: --max-num-batched-tokens
        return {"prefill_tokens": 2 * prompt}
    # minimaxm2.5_fp8_h200.sh gives --enable-expert-parallel to every run but those of its first version, for vLLM 0.16
    first = str(row.get("engine_version")).startswith("0.16")
    return {"memory_fraction": "0.95"} if first else {"memory_fraction": "0.95", "expert_parallel": degrees["tensor_parallel"]}


def check_roofline(row, model, gpus, spread):
    """Runs that would have multiplied more than their GPUs can did not read each prompt: they had most of it from an earlier one, and the row does not say how much.

    By Little's law concurrency / (time of a request) are answered per second; each has all of its prompt read, two operations for each parameter and token,
    attention not counted, at the data sheet's rate of the number format in which the GPU is fastest.
    """
    measured = row["measured"]
    if not all(is_number(measured.get(name)) and measured[name] > 0 for name in ("ttft_ms", "tpot_ms")):
        return
    work, rate = 2 * catalog.multiplied_parameters(catalog.find_model(model)), gpus * catalog.highest_rate(row.get("device"))
    seconds = (measured["ttft_ms"] + measured["tpot_ms"] * (size(row, "answer_tokens") - 1)) / 1000
    tokens = size(row, "concurrency") * size(row, "prompt_tokens") * (1 - spread / 2000) / seconds
    if rate > 0 and tokens * work > rate:
        raise NotCovered(f"{tokens:,.0f} prompt tokens/s × {work / 1e9:.1f} GFLOP are {tokens * work / 1e15:.1f} PFLOP/s, and {gpus} × {row['device']} have {rate / 1e15:.1f}: most prompts were not read.")


def convert(row):
    measured = row.get("measured") if isinstance(row.get("measured"), dict) else {}
    figures = [figure(name, measured[name], "ms") for name in ("ttft_ms", "tpot_ms") if is_number(measured.get(name)) and measured[name] > 0]
    source = row.get("source") if isinstance(row.get("source"), dict) else {}
    common = {"id": row.get("id"), "group": f'{row.get("engine")} load', "source": source.get("path"), "measured": figures}
    try:
        if not figures:
            raise NotCovered("Neither time is a number above 0.")
        profile = PROFILES.get(row.get("engine"))
        if profile is None:
            raise NotCovered(f'There is no profile of the engine {row.get("engine")}.')
        model, alike = model_of(row)
        weights, stored = weights_of(row, model)
        degrees, doubled = layout(row)
        concurrency = size(row, "concurrency")
        client = CLIENTS.get(source.get("origin"), {})
        check_roofline(row, model, degrees["tensor_parallel"] * degrees["pipeline_parallel"] * degrees["data_parallel"], client.get("length_spread", 0))
        cache, cached = cache_of(row, profile, client)
        passes = "A pass takes what NVIDIA's generator of launch lines says." if "generated" in client else ""
        inputs = {"model": model, "device": row.get("device"), "task": "inference", "profile": profile, "weight_dtype": weights, "kv_dtype": cache, **degrees,
                  "prompt_tokens": size(row, "prompt_tokens"), "answer_tokens": size(row, "answer_tokens"), "concurrency": concurrency,
                  "requests": client.get("requests", 0) * concurrency, "length_spread": client.get("length_spread", 0)}
        if "length_spread" in client and (flags := launch_flags(row, profile, model, weights, degrees, concurrency)):
            inputs.update(flags)
            passes = "The engine has the flags of InferenceX's launch scripts for this GPU."
        if "generated" in client:
            tokens = inputs["prompt_tokens"] + (concurrency if profile != "sglang" else 0) + MORE_TOKENS[profile]
            inputs["mixed_chunks"] = (profile == "sglang" and (version(str(row.get("engine_version"))) or ()) >= MIXES_SINCE) or None
            inputs["prefill_tokens"] = -(-tokens // 32) * 32 if profile == "tensorrt_llm" else tokens
    except NotCovered as reason:
        return evidence(not_covered=str(reason), **common)
    tags = [f'{row.get("engine")} {row.get("device")}', f'{model} {row.get("engine")}', row.get("device"), weights]
    configuration = "/".join(str(row.get(name)) for name in ("model", "engine", "engine_version", "device", "precision", "tensor_parallel", "attention_data_parallel",
                                                              "expert_parallel", "prompt_tokens", "answer_tokens"))
    return evidence(query=query_text(said(inputs, DEFAULTS)), assumed=[text for text in (alike, stored, doubled, cached, passes) if text], config=f"{configuration}/{concurrency}", features=tags, **common)


if __name__ == "__main__":
    main(convert)
