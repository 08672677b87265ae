"""Evidence from runs of a server whose requests came by their own clock: a folder with NAME.requests.jsonl, one request a line
{"input_toks", "output_toks", "arrival_time", "queued_ts", "first_token_ts", "last_token_ts"} in seconds, and NAME.meta.json
{"model", "vllm_version", "engine_kwargs"}; the device is the first word of NAME.

python3 tests/corpus/convert/traces.py IN OUT
"""

import json
import sys
from pathlib import Path

import catalog
from common import NotCovered, evidence, figure, is_number, is_whole, query_text, read_rows, said, write_rows

# bench/examples/configs/Qwen3-32B.json of casys-kaist/LLMServingSim has 16 GB/s between the two GPUs of one of its runs, less than half of what collectives on such GPUs were
# measured at where each reaches the other's memory (36 GB/s).
LINK = "Its GPUs exchange through the host's memory, as such cards do by themselves where no switch joins them (gpu_link); the run does not tell."
DEFAULTS = {"tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 1}


def mean(values):
    return sum(values) / len(values)


def p90(values):
    return sorted(values)[min(len(values) - 1, len(values) * 90 // 100)]


def number(request, name):
    if not is_number(request.get(name)):
        raise NotCovered(f"A request has no number {name}.")
    return request[name]


def waits(requests):
    """Milliseconds to the first token, from token to token, and in all, from where the engine has the request in its queue."""
    first, each, whole = [], [], []
    for request in requests:
        queued, begun, ended = (number(request, name) for name in ("queued_ts", "first_token_ts", "last_token_ts"))
        first.append(1000 * (begun - queued))
        whole.append(1000 * (ended - queued))
        if request["output_toks"] > 1:
            each.append(1000 * (ended - begun) / (request["output_toks"] - 1))
    return {"ttft": first, "tpot": each, "latency": whole}


def trace_of(requests):
    """Of each request the milliseconds since the first, the tokens of its prompt and of its answer."""
    begin = min(number(request, "arrival_time") for request in requests)
    parts = []
    for request in sorted(requests, key=lambda one: one["arrival_time"]):
        for name in ("input_toks", "output_toks"):
            if not is_whole(request.get(name)) or request[name] < 1:
                raise NotCovered(f"A request has no whole number {name}.")
        parts += [round(1000 * (request["arrival_time"] - begin)), int(request["input_toks"]), int(request["output_toks"])]
    return ",".join(str(part) for part in parts)


def options_of(meta):
    engine = meta.get("engine_kwargs") if isinstance(meta.get("engine_kwargs"), dict) else {}
    if engine.get("kv_cache_dtype", "auto") != "auto":
        raise NotCovered("The cache has a format of its own.")
    found = catalog.find_model(str(meta.get("model")))
    if not found:
        raise NotCovered(f'The catalogue has no model {meta.get("model")}.')
    return {"model": found["id"] if isinstance(found, dict) else found, "weight_dtype": {"bfloat16": "bf16", "float16": "fp16"}.get(engine.get("dtype")),
            "tensor_parallel": engine.get("tensor_parallel_size", 1), "data_parallel": engine.get("data_parallel_size", 1),
            "max_sequences": engine.get("max_num_seqs"), "prefill_tokens": engine.get("max_num_batched_tokens")}


def convert(name, meta, requests):
    common = {"id": f"trace/{name}", "group": "vllm trace", "source": f"{name}.requests.jsonl", "measured": []}
    try:
        if not requests:
            raise NotCovered("There are no requests.")
        times = waits(requests)
        common["measured"] = [figure(f"{key}_ms", round(mean(values), 3), "ms") for key, values in times.items() if values]
        common["measured"] += [figure(f"{key}_p90_ms", round(p90(values), 3), "ms") for key, values in times.items() if values]
        inputs = {"device": name.split("-")[0], "task": "inference", "profile": "vllm", **options_of(meta), "trace": trace_of(requests)}
    except NotCovered as reason:
        return evidence(not_covered=str(reason), **common)
    return evidence(query=query_text(said(inputs, DEFAULTS)), assumed=[LINK] if inputs["tensor_parallel"] not in (None, 1) else [], features=[inputs["device"], inputs["model"]], **common)


def main(folder, out):
    rows = []
    for path in sorted(Path(folder).glob("*.requests.jsonl")):
        name = path.name.removesuffix(".requests.jsonl")
        meta = path.with_name(f"{name}.meta.json")
        rows.append(convert(name, json.loads(meta.read_text()) if meta.exists() else {}, read_rows(path)))
    write_rows(out, rows)
    print(f"{out}: {len(rows)} rows, {sum('query' in row for row in rows)} covered")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
