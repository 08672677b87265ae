"""What LitGPT's scripts and recipes do where a row of its tables does not say it."""

from common import NotCovered
from words import letters_of

# lora_r and lora_query ... lora_head of config_hub/finetune/MODEL/lora.yaml and qlora.yaml: rank, rank beside quantised weights, whether
# every linear map and the head are adapted or queries and values alone. Where no file was at hand, the recipe of the model's sister.
RECIPES = {
    "falcon7b": (32, 32, False), "gemma2b": (8, 16, True), "gemma7b": (16, 16, True), "gemma22b": (8, 16, True),
    "llama27b": (32, 32, False), "llama38b": (32, 32, False), "llama321b": (32, 32, False), "mistral7b": (32, 32, False),
    "phi2": (8, 8, True), "phi3mini4kinstruct": (8, 8, True), "tinyllama": (32, 32, True), "tinyllama11b": (32, 32, True),
}
SISTERS = {"gemma29b": "gemma7b", "llama318b": "llama38b", "llama323b": "llama321b", "mistral7bv02": "mistral7b",
           "stablelmbasealpha3b": "llama27b"}
# Folders of config_hub/finetune whose files load another model than the column beside them says (checkpoint_dir: google/gemma-2-2b; README.md has
# gemma-2b in both lines, and in one of them the folder without "-2"). The file is the first part of a line's name.
FOLDERS = {"gemma2-2b": "gemma-2-2b", "gemma2b": "gemma-2-2b"}
SEQUENCES, SEQUENCES_OF_ADAPTERS = 64, 8  # of a step: config_hub/finetune/*/full.yaml and lora.yaml, global_batch_size


def model_of_file(draft):
    name = draft.row.get("id")
    return FOLDERS.get(name.removeprefix("litgpt/hub/").split("_")[0]) if isinstance(name, str) and draft.framework == "litgpt" else None


def micro_batches(batch, adapters):
    return max(1, (SEQUENCES_OF_ADAPTERS if adapters else SEQUENCES) // batch)


def take_longest_first(draft):
    """The longest example of the dataset is in the first micro-batch, and others are shorter: what that one needs is the peak.
    Lightning-AI/litgpt at 8641822, finetune/lora.py, get_batch. Only where the model is divided do gradients wait whole."""
    if draft.gpus > 1:
        draft.inputs["micro_batches"] = max(draft.inputs["micro_batches"], 2)
        draft.figure = {"step": "first", "micro_batch": "first"}
    else:
        draft.inputs["micro_batches"] = 1
        draft.figure = {"step": "first"}
    draft.assumed.append("The first micro-batch, which has the longest example, is the peak.")


def take_devices(draft):
    """Where a row names a machine of several GPUs, and nothing that divides the work: recipes with adapters run on one of them
    ("devices: 1", config_hub/finetune/README.md), those that train whole models shard them."""
    if draft.method == "full":
        draft.inputs["sharding"] = "parameters"
        draft.assumed.append("Several GPUs divide the model as LitGPT's scripts do: with FSDP.")
    else:
        draft.inputs["data_parallel"] = 1
        draft.assumed.append("One of the machine's GPUs is in use, as in LitGPT's recipes with adapters.")


def recompute(draft):
    """litgpt/finetune/full.py and lora.py, FSDPStrategy."""
    draft.assumed.append("Blocks run again in the backward pass, as LitGPT's scripts have it with several GPUs.")
    return "full"


def check_states(draft):
    """A weight, its gradient and two states take 8 bytes in 16 bits: less than that is what a source got wrong, not a measurement."""
    states, inputs = 8 * draft.parts.get("parameters", 0), draft.inputs
    plain = inputs["precision"] == "bf16" and inputs["optimizer"] == "adamw_foreach" and draft.gpus == 1
    if plain and draft.number("measured", "bytes_rounded") < states:
        raise NotCovered("The figure is below the bytes of weights, gradients and AdamW states: no run of this configuration.")


def take_recipe(draft):
    """What the recipe for the row's model adapts."""
    name = letters_of(draft.row.get("model_id") if isinstance(draft.row.get("model_id"), str) else "")
    recipe = RECIPES.get(SISTERS.get(name, name))
    if recipe is None:
        raise NotCovered("The row does not tell what its adapters train, and no recipe is known for its model.")
    rank, rank_quantised, everything = recipe
    draft.inputs["rank"] = rank_quantised if draft.inputs.get("weight_dtype") else rank
    draft.inputs["targets"] = "q,k,v,o,gate,up,down,head" if everything else "qv"
    targets = "all linear maps and the head" if everything else "queries and values"
    whose = "a sister of the model" if name in SISTERS else "the model"
    draft.assumed.append(f"Adapters of rank {draft.inputs['rank']} on {targets}, as in LitGPT's recipe for {whose}.")
