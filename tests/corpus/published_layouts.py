#!/usr/bin/env python3
"""Layouts that NVIDIA published, beside the plan for the same model, GPUs and batch.

python3 tests/corpus/published_layouts.py PLIMSOLL tests/corpus/training-runs.json tests/corpus/bridge-training.json

Prints, for each, how much longer a step of the published layout takes than one of the plan, both as predicted, and whether Megatron-LM would start
the plan; then how many are within 15 %, and how many would start.
"""

import json
import subprocess
import sys
from urllib.parse import parse_qsl

# What a layout says. A plan chooses it; the rest of a row's question is kept.
LAYOUT = {"tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel", "expert_tensor_parallel", "data_parallel", "batch", "micro_batches",
          "virtual_stages", "chunk_layers", "first_stage_layers", "last_stage_layers", "embedding_in_split", "loss_in_split", "sharding", "shard_group",
          "reshard_after_forward", "recompute", "recompute_modules", "recompute_layers", "sequence_parallel", "communication_overlap", "pipeline_schedule", "offload"}
DEGREES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
WITHIN = 1.15


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout.startswith(("{", "[")) else {}


def size(inputs, name):
    return int(inputs.get(name) or 1)


def published(program, paths):
    """Inputs and predicted throughput of the rows, one for each model, GPUs, batch and precision."""
    seen = set()
    for path in paths:
        for row in run(program, "accuracy", path, "--json"):
            inputs = dict(parse_qsl(row.get("scenario") or ""))
            if row["status"] != "modelled" or row["metric"] != "tokens_per_s_per_gpu" or inputs.get("profile") != "megatron":
                continue
            gpus = 1
            for degree in DEGREES:
                gpus *= size(inputs, degree)
            batch = size(inputs, "batch") * size(inputs, "micro_batches") * size(inputs, "data_parallel")
            key = (inputs["model"], inputs["device"], gpus, batch, *(inputs.get(name, "") for name in ("fp8", "context_tokens", "training_graphs", "task")))
            if key not in seen:
                seen.add(key)
                yield row["id"], inputs, gpus, batch, row["predicted"]


def refused(choice, model, per_node, context):
    """Why Megatron-LM would not start a layout: megatron/training/arguments.py, validate_args; megatron/core/parallel_state.py; TransformerConfig."""
    tensor, pipeline, virtual, experts = (size(choice, name) for name in ("tensor_parallel", "pipeline_parallel", "virtual_stages", "expert_parallel"))
    even = not choice["first_stage_layers"] and not choice["last_stage_layers"] and not choice["chunk_layers"]
    chunks = [int(layers) for layers in choice["chunk_layers"].split(",") if layers]
    checks = [
        (model.get("query_heads", 0) % tensor == 0, "heads are no multiple of tensor_parallel"),
        (not model.get("kv_heads") or model["kv_heads"] % tensor == 0 or tensor % model["kv_heads"] == 0, "key heads and tensor_parallel do not divide each other"),
        (tensor <= per_node, "tensor_parallel spans nodes"),
        (not even or (model["layers"] + 2 * bool(choice["ends_count"])) % (pipeline * virtual) == 0 or pipeline == 1, "layers do not divide into chunks"),
        (not chunks or (len(chunks), sum(chunks)) == (pipeline * virtual, model["layers"]), "chunks that are written out are not all layers"),
        (virtual == 1 or size(choice, "micro_batches") % pipeline == 0, "interleaved micro-batches are no multiple of the stages"),
        (experts == 1 or model.get("experts", 0) % experts == 0, "experts are no multiple of expert_parallel"),
        (experts == 1 or tensor * size(choice, "context_parallel") * size(choice, "data_parallel") % (experts * (choice["expert_tensor_parallel"] or tensor)) == 0, "expert_parallel does not divide its ranks"),
        (context % (2 * size(choice, "context_parallel")) == 0 or size(choice, "context_parallel") == 1, "sequences do not divide among context_parallel"),
    ]
    return [text for holds, text in checks if not holds]


def main(program, *paths):
    near = starts = count = 0
    for name, inputs, gpus, batch, predicted in published(program, paths):
        count += 1
        # What a release did not have, the plan does not get.
        asked = {"dispatch": "all_to_all", "expert_overlap": "false"} | {key: value for key, value in inputs.items() if key not in LAYOUT}
        kept = "&".join(f"{key}={value}" for key, value in asked.items())
        plan = run(program, "plan", "--json", f"{kept}&gpus={gpus}&global_batch={batch}&top=1").get("best")
        if not plan:
            print(f"{name}: no plan")
            continue
        model = run(program, "explain", "--json", *(f"{key}={value}" for key, value in inputs.items()))["scenario"]
        context = int(inputs.get("context_tokens") or model["context_tokens"])
        ratio = batch * context / (predicted * gpus) / (plan[0]["step"]["ns"] / 1e9)
        why = refused(plan[0]["choice"], model, model["gpus_per_node"], context)
        near += ratio <= WITHIN
        starts += not why
        print(f"{ratio:5.2f} {name} {inputs['model']} {gpus} x {inputs['device']}: {plan[0]['text']}" + "".join(f"; {text}" for text in why), flush=True)
    print(f"published layouts within 15 % of the plan: {near} of {count}; plans that Megatron-LM would start: {starts} of {count}")


if __name__ == "__main__":
    main(*sys.argv[1:])
