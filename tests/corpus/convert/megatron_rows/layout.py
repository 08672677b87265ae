"""Pipeline layouts that are written out: --pipeline-model-parallel-layout (NVIDIA/Megatron-LM,
megatron/core/transformer/pipeline_parallel_layer_layout.py) and cuts in the pattern of a hybrid model."""

import re

from common import NotCovered

MOST_PARTS = 10_000


def written_out(text):
    """Repetitions written out: "t*2|(tt|)*2" becomes "tt|tt|tt|". None where brackets do not match, or it is too long."""
    text = re.sub(r"[\\ ,]", "", text)  # a shell's escapes; spaces and commas are ignored
    repeated = re.compile(r"\(([^()]*)\)(?:\*([0-9]+))?|([^()*])\*([0-9]+)")
    while found := repeated.search(text):
        part, times = (found[1], found[2]) if found[3] is None else (found[3], found[4])
        times = int((times or "1")[:6])
        if times == 0 or not part or len(part) * times > MOST_PARTS:
            return None
        text = text[:found.start()] + part * times + text[found.end():]
        if len(text) > MOST_PARTS:
            return None
    return text


def chunks_of_layout(text):
    """The parts of each chunk of a layout such as "Et*3|(tt|)*6mL": E embedding, t a layer, m a prediction depth, L the loss."""
    parts = written_out(text) if len(text) <= MOST_PARTS else None
    if not parts or re.search(r"[^EtmL|]", parts):
        raise NotCovered(f"strategy.pipeline_layout is {text!r}, which is no layout of layers.")
    return parts.split("|")


def read_layout(draft):
    """After the model and the parallel degrees."""
    text, pattern = draft.strategy.text("pipeline_layout"), draft.model.inside("hybrid").text("pattern").split("/")[0]
    if text:
        chunks = chunks_of_layout(text)
        layers = [chunk.count("t") for chunk in chunks]
        if any("m" in chunk and "L" not in chunk for chunk in chunks):
            raise NotCovered("Prediction depths away from the loss are not covered.")
    elif "|" in pattern:
        layers = [len(chunk) for chunk in pattern.split("|")]
    else:
        return
    inputs = draft.inputs
    if sum(layers) != draft.layers:
        raise NotCovered("The pipeline's chunks do not have model.layers layers.")
    if inputs["virtual_stages"] == 1:
        inputs["virtual_stages"] = max(1, -(-len(layers) // inputs["pipeline_parallel"]))
    if inputs["virtual_stages"] * inputs["pipeline_parallel"] != len(layers):
        raise NotCovered("The pipeline's chunks cannot be divided among its stages.")
    if len(set(layers)) == 1:
        return  # as layers are divided without a layout
    if inputs["virtual_stages"] == 1 and len(set(layers[1:-1])) <= 1 and 0 not in layers:
        inputs.update(first_stage_layers=layers[0], last_stage_layers=layers[-1])
        return
    draft.inputs["chunk_layers"] = ",".join(map(str, layers))
