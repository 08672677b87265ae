"""What a row says of its configuration: "TP4 PP8 CP1 VP4", "FSDP32 TP8 async", "FULL_SHARD"."""

import re

from common import NotCovered
from torchtune import climbed
from words import contains_word, words_of

# The frameworks that sources of such rows publish for, by the name of the repository. What each runs: llm-foundry's FSDP shards weights
# in bf16; torchtitan's keeps fp32 shards; Megatron-Bridge turns on Transformer Engine's overlap of tensor-parallel communication
# (NVIDIA-NeMo/Megatron-Bridge, src/megatron/bridge/training/comm_overlap.py) and its loss (cross_entropy_fusion_impl), and the table of Megatron-LM names it too.
SOURCES = {
    "llm-foundry": {"profile": "fsdp1", "precision": "bf16"},
    "torchtitan": {"profile": "torchtitan", "precision": "sharded_bf16"},
    "torchtune": {"profile": "torchtune", "precision": "bf16"},
    "megatron-bridge": {"profile": "megatron", "precision": "master_bf16", "communication_overlap": True, "loss": "te_fused"},
    "megatron-lm": {"profile": "megatron", "precision": "master_bf16", "communication_overlap": True},
    "nanotron": {"profile": "megatron", "precision": "master_bf16"},
}
UNKNOWN_SOURCE = {"profile": "pytorch", "precision": "master_bf16"}

PRECISIONS = {"": {}, "bf16": {}, "fp16": {"precision": "master_fp16"}, "fp32": {"precision": "fp32"}}
RECOMPUTES = {"": "none", "none": "none", "full": "full", "selective": "selective"}
DEGREES = ("fsdp", "tp", "pp", "cp", "vp", "ep", "dp")
# Words beside degrees. "float8" repeats the row's precision.
WORDS = ("full", "shard", "fsdp", "compile", "async", "interleaved", "1f1b", "float8")
ALWAYS_SHARDS = ("torchtitan", "torchtune", "fsdp1")
# As many micro-batches as GPUs in the pipeline where nobody says how many: pytorch/torchtitan @6806473,
# torchtitan/parallelisms/pipelining_utils.py, build_pipeline_schedule.
ONE_FOR_EACH_STAGE = ("torchtitan",)

MOST_GPUS, MOST_SEQUENCES, MOST_TOKENS = 10_000_000, 1_000_000, 1_000_000_000_000_000
USUAL_CONTEXT, LONGEST_CONTEXT = 4096, 100_000_000
USUAL_TOKENS = 16_384  # of a micro-batch for each GPU
SEVERAL_NODES = 256


def read_precision(draft):
    words = words_of(draft.text("precision"))
    word = words[0] if words else ""
    if "fp4" in word:
        raise NotCovered("4-bit matrix multiplication is not covered.")
    if "fp8" in word:
        draft.inputs["fp8"] = "compute"
    elif word not in PRECISIONS:
        raise NotCovered(f"The precision {word} is not covered.")
    if not word:
        draft.assumed.append("The precision is bf16.")
    draft.inputs |= PRECISIONS.get(word, {})


def read_recompute(draft):
    word = draft.text("recompute").lower()
    if word not in RECOMPUTES:
        raise NotCovered(f"The row's recompute says {word}, which is not covered.")
    if not word:
        draft.assumed.append("Nothing is recomputed.")
    by_operation = draft.inputs["profile"] == "torchtitan" and word == "selective"  # its "selective" is by operation
    draft.inputs["recompute"] = "per_op" if by_operation else RECOMPUTES[word]


def read_common(draft):
    """Precision, recomputation, framework; of whole jobs too, where a row tells them."""
    source = draft.text("source").lower()
    draft.inputs |= next((made for repository, made in SOURCES.items() if repository in source), UNKNOWN_SOURCE)
    read_precision(draft)
    read_recompute(draft)
    tokens = draft.size("seq_len", LONGEST_CONTEXT)
    if not tokens:
        draft.assumed.append("Sequences have 4,096 tokens.")
    draft.inputs["context_tokens"] = tokens or USUAL_CONTEXT


def degrees_in(words):
    """{"tp": 4, …}; a word that is neither a degree nor known says something that would be dropped."""
    found = {}
    for word in words:
        degree = re.fullmatch(f"({'|'.join(DEGREES)})([0-9]{{1,6}})", word)
        if degree:
            found.setdefault(degree.group(1), int(degree.group(2)))
        elif word not in WORDS:
            raise NotCovered(f"The row's parallelism says {word}, which is not understood.")
    return found


def cut_layers(draft):
    """Layers that chunks cannot divide evenly: embedding and loss take the place of one each where the rest then divides, as recipes for
    Megatron have it and torchtitan cuts by itself. Elsewhere the first chunks get one more."""
    layers, chunks = draft.layers, draft.chunks
    if not layers or chunks < 2 or layers < chunks or layers % chunks == 0:
        return
    if (layers + 2) % chunks == 0:
        draft.inputs |= {"embedding_in_split": True, "loss_in_split": True}
        draft.assumed.append("The first and the last part of the pipeline have one layer less than the others.")
    else:
        draft.inputs["chunk_layers"] = ",".join(str(layers // chunks + (index < layers % chunks)) for index in range(chunks))
        draft.assumed.append("The first parts of the pipeline have one layer more than the others.")


def read_degrees(draft):
    words = words_of(draft.text("parallelism"))
    degrees = degrees_in(words)
    tensor, pipeline, context, expert = (max(degrees.get(name, 1), 1) for name in ("tp", "pp", "cp", "ep"))
    virtual = max(degrees.get("vp", 1), 1) if pipeline > 1 else 1
    if "interleaved" in words and virtual == 1:
        virtual = 2
    inputs = draft.inputs
    inputs |= {"tensor_parallel": tensor, "sequence_parallel": tensor > 1, "pipeline_parallel": pipeline, "context_parallel": context,
               "virtual_stages": virtual, "expert_parallel": expert}
    draft.chunks = pipeline * virtual
    if expert > 1:
        inputs["expert_tensor_parallel"] = 1
    shards = degrees.get("fsdp", 0) > 1 or "fsdp" in words or "shard" in words or inputs["profile"] in ALWAYS_SHARDS
    inputs["sharding"] = "parameters" if shards else "optimizer"
    if "compile" in words or "compile" in words_of(draft.text("model")):
        inputs |= {"norms": "compiled", "mlp": "compiled"}
    inputs["communication_overlap"] = (inputs.get("communication_overlap", False) or "async" in words) and tensor > 1
    draft.replicas = degrees.get("dp")


def read_techniques(draft):
    """"Llama 3.2 3B + compile (torchtune)": techniques that a table adds one after the other; and what notes say of the host's memory."""
    technique = draft.text("model").split("(")[0].partition("+")[2]
    if technique and contains_word(draft.text("notes"), "cumulative"):
        found = climbed(technique)
        if found is None:
            raise NotCovered(f"The row's model says {technique.strip()}, which is not understood.")
        draft.inputs |= found[0]
    if contains_word(draft.text("notes"), "cpu offload"):
        draft.inputs["offload"] = "parameters"
        if draft.inputs["profile"] == "torchtune" and not draft.text("recompute"):  # recipes/configs/llama3_1/70B_full.yaml
            draft.inputs["recompute"] = "full"
            draft.assumed.remove("Nothing is recomputed.")


def read_batch(draft):
    """Sequences of a micro-batch and micro-batches of a step."""
    inputs = draft.inputs
    pipeline, replicas = inputs["pipeline_parallel"], inputs["data_parallel"]
    batch = draft.size("micro_batch", MOST_SEQUENCES)
    if not batch and inputs["sharding"] == "parameters" and pipeline == 1:
        tokens = USUAL_TOKENS * inputs["tensor_parallel"] * inputs["context_parallel"]
        batch = min(max(tokens // inputs["context_tokens"], 1), MOST_SEQUENCES)
        draft.assumed.append("A micro-batch has 16,384 tokens for each GPU.")
    elif not batch:
        batch = 1
        draft.assumed.append("A micro-batch has one sequence.")
    inputs["batch"] = batch
    step = inputs["context_tokens"] * batch * replicas
    if tokens := draft.size("batch_tokens", MOST_TOKENS):
        inputs["micro_batches"] = min(max((tokens + step // 2) // step, 1), MOST_SEQUENCES)
    elif pipeline > 1 and inputs["profile"] in ONE_FOR_EACH_STAGE:
        inputs["micro_batches"] = pipeline
        draft.assumed.append("As many micro-batches as GPUs in the pipeline, torchtitan's default.")
    elif pipeline > 1:
        inputs["micro_batches"] = 2 * pipeline
        draft.assumed.append("Two micro-batches for each stage of the pipeline.")
    else:
        draft.assumed.append("One micro-batch in a step.")


def read_layout(draft):
    """Replicas and batch of a benchmark; after its degrees and its model."""
    cut_layers(draft)
    read_techniques(draft)
    inputs = draft.inputs
    replica = inputs["tensor_parallel"] * inputs["pipeline_parallel"] * inputs["context_parallel"]
    gpus = draft.size("n_gpus", MOST_GPUS)
    if not gpus:
        raise NotCovered("The row does not tell how many GPUs ran.")
    if gpus % replica != 0:
        raise NotCovered(f"{gpus} GPUs are not a multiple of the {replica} of one replica.")
    if draft.replicas and draft.replicas != gpus // replica:
        raise NotCovered(f"{draft.replicas} replicas of {replica} GPUs are not {gpus} GPUs.")
    inputs["data_parallel"] = gpus // replica
    if inputs["data_parallel"] * inputs["context_parallel"] == 1:
        inputs["sharding"] = "none"
    read_batch(draft)


def read_gpus(draft):
    """How many GPUs, where nothing else of the layout is known."""
    gpus = draft.size("n_gpus", MOST_GPUS)
    replicas = gpus or SEVERAL_NODES
    draft.inputs |= {"data_parallel": replicas, "sharding": "parameters" if replicas > 1 else "none", "typical_job": True,
                     "batch": max(1, USUAL_TOKENS // draft.inputs["context_tokens"]), "train_tokens": int(draft.row["tokens"])}
    draft.inputs.pop("communication_overlap", None)
    if not gpus:
        draft.assumed.append("More GPUs than one node has.")
    draft.assumed.append("What published jobs reached on such devices: nothing of the layout is known.")
