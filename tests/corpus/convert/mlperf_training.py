"""Results of MLPerf Training, as `mlperf-training.json` has them: {"benchmark", "model", "method", "gpu", "n_gpus", "tp", "pp", "vp", "cp",
"dp", "grad_accum", "micro_batch", "seq_len", "precision", "recompute", "step_time_s", "run_time_s", "samples_to_target", "layout_basis", …}. Every sample is one packed sequence.

python3 tests/corpus/convert/mlperf_training.py IN OUT
"""

import math
import re

from common import NotCovered, evidence, figure, is_number, main, query_text
from training_run_rows.draft import Draft
from training_run_rows.layout import LONGEST_CONTEXT, MOST_GPUS, MOST_SEQUENCES, cut_layers
from training_run_rows.model import read_model
from training_runs import read_device

# mlcommons/training, llama2_70b_lora: rank 16 on query, key, value and output projections; the frozen weights stay in fp8 where layers multiply in it.
ADAPTERS = {"lora": {"method": "lora", "rank": 16, "targets": "q,k,v,o", "fp8": "parameters"}, "pretrain": {"fp8": "compute"}}
# Rules of the benchmarks (mlcommons/training: README.md of llama2_70b_lora and of llama3.1 in large_language_model_pretraining, section 5, and
# training_policies): sequences between two evaluations, and sequences that each reads.
EVALUATIONS = {"llama2_70b_lora": (384, 173), "llama31_405b": (46_080, 5_760)}
MOST_SAMPLES = 10_000_000
NEVER = 1_000_000  # minutes
RECOMPUTED_BLOCK = re.compile(r"full block ([0-9]{1,3})")


def read_recompute(draft):
    text = draft.text("recompute")
    if not text:
        draft.assumed.append("Nothing is recomputed.")
    elif block := RECOMPUTED_BLOCK.fullmatch(text):
        draft.inputs |= {"recompute": "block", "recompute_layers": int(block[1])}
    elif not text.startswith("none"):
        raise NotCovered(f"The row's recompute says {text}, which is not covered.")


def degree(draft, name):
    found = draft.size(name, LONGEST_CONTEXT)
    if not found and name != "vp":
        raise NotCovered(f'The row does not tell its "{name}".')
    return found or 1


def read_layout(draft):
    tensor, pipeline, context, replicas, virtual = (degree(draft, name) for name in ("tp", "pp", "cp", "dp", "vp"))
    gpus = draft.size("n_gpus", MOST_GPUS)
    if gpus != tensor * pipeline * context * replicas:
        raise NotCovered(f"{replicas} replicas of {tensor * pipeline * context} GPUs are not {gpus} GPUs.")
    if (draft.text("layout_basis") or "inferred").startswith("inferred"):
        draft.assumed.append("Whoever wrote the row inferred its layout.")
    draft.chunks = pipeline * virtual
    draft.inputs |= {"tensor_parallel": tensor, "sequence_parallel": tensor > 1, "pipeline_parallel": pipeline, "virtual_stages": virtual,
                     "context_parallel": context, "data_parallel": replicas, "communication_overlap": tensor > 1,
                     "sharding": "optimizer" if replicas * context > 1 else "none",
                     "batch": degree(draft, "micro_batch"), "micro_batches": draft.size("grad_accum", MOST_SEQUENCES) or 1,
                     "context_tokens": degree(draft, "seq_len")}
    cut_layers(draft)


def read(draft):
    method = draft.text("method")
    if method not in ADAPTERS:
        raise NotCovered(f"The method {method!r} is not covered.")
    if draft.text("precision") != "fp8":
        raise NotCovered(f"The precision {draft.text('precision')!r} is not covered.")
    if draft.row.get("use_in_test") is False:
        raise NotCovered("The row lacks what a comparison needs.")
    draft.inputs |= {"task": "finetune" if method == "lora" else "pretrain", "profile": "megatron", "precision": "master_bf16", **ADAPTERS[method]}
    read_device(draft)
    read_model(draft)
    read_recompute(draft)
    read_layout(draft)
    read_graphs(draft)


def evaluations(draft, samples, global_batch):
    """How often a run evaluates: after every so many whole steps; of adapters not before the FLOOR(0.125 * global batch + 2) that the rules skip."""
    interval = math.ceil(EVALUATIONS[draft.text("benchmark")][0] / global_batch) * global_batch
    skipped = math.floor(0.125 * global_batch + 2) if draft.text("method") == "lora" else 0
    return max(round(samples / interval) - skipped, 1)


def read_run(draft):
    """The clock of a run goes from run_start to run_stop: steps and evaluations, no start-up, compilation or warm-up, no checkpoint, no failure."""
    samples = draft.size("samples_to_target", MOST_SAMPLES)
    if not samples or draft.text("benchmark") not in EVALUATIONS:
        return False
    replicas, batch, micro_batches, length = (draft.inputs[name] for name in ("data_parallel", "batch", "micro_batches", "context_tokens"))
    each = EVALUATIONS[draft.text("benchmark")][1]
    read_at_once = math.ceil(each / (replicas * batch)) * replicas * batch
    tokens = "dataset_tokens" if draft.inputs["task"] == "finetune" else "train_tokens"
    draft.inputs |= {tokens: samples * length, "job_losses": True, "restart_minutes": 0, "failures_per_million_gpu_hours": 0, "checkpoint_minutes": NEVER,
                     "evaluation_tokens": evaluations(draft, samples, replicas * batch * micro_batches) * read_at_once * length}
    draft.assumed.append("The run takes as many samples as half of its logs took; it evaluates as the benchmark's rules have it, all replicas at once.")
    return True


def read_graphs(draft):
    """NVIDIA's code of the benchmark, which submitters on its GPUs ran, captures layers (MCORE_CUDA_GRAPH=1 in its configurations of rounds 4.1
    to 5.1); AMD's does not."""
    if draft.text("method") == "lora" and not (draft.text("gpu") or "").startswith("mi"):
        draft.inputs["training_graphs"] = "layers"
        draft.assumed.append("Layers run as CUDA graphs, as NVIDIA's configurations of this benchmark have it.")


def convert(row):
    draft = Draft(row)
    step = row.get("step_time_s")
    made = {"id": draft.text("id"), "group": f"MLPerf {draft.text('benchmark')}", "source": {"text": draft.text("source")}, "notes": draft.text("notes"),
            "measured": [figure("step_time_s", step, "s", metric="step_time_s")] if is_number(step) else [],
            "config": " ".join(map(draft.text, ("benchmark", "gpu", "precision", "parallelism"))),  # which several submitters ran
            "features": [text for text in map(draft.text, ("method", "gpu", "round")) if text]}
    try:
        read(draft)
        if read_run(draft) and is_number(row.get("run_time_s")):
            made["measured"].append(figure("job_time_s", row["run_time_s"], "s", metric="job_time_s"))
        made["query"] = query_text(draft.inputs)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    return evidence(**made, assumed=draft.assumed)


if __name__ == "__main__":
    main(convert)
