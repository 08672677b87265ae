"""The model: by the shapes that a row gives, else by its name."""

from catalog import find_model, parameters_of
from common import NotCovered, is_whole
from decoder import facts_of
from words import letters_of

from table_rows import litgpt

# What configs of the catalogue call the same.
NAMES = {
    "layers": ("num_hidden_layers", "n_layer", "num_layers"),
    "hidden": ("hidden_size", "n_embd"),
    "heads": ("num_attention_heads", "n_head"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads"),
    "head_dim": ("head_dim",),
}


def sizes_of_config(config):
    """Layers, width, heads; None where the config says them in another way."""
    found = {ours: next((config[name] for name in names if is_whole(config.get(name))), None) for ours, names in NAMES.items()}
    if not all(found[key] for key in ("layers", "hidden", "heads")):
        return None
    if config.get("multi_query") is True and not config.get("new_decoder_architecture"):
        found["kv_heads"] = 1
    found["kv_heads"] = found["kv_heads"] or found["heads"]
    found["head_dim"] = found["head_dim"] or found["hidden"] // found["heads"]
    return found


def parts_of(sizes):
    """Layers, and what one rank of adapters on queries and values has in a layer."""
    if sizes is None:
        return {}
    return {"layers": sizes["layers"], "of_a_rank": 2 * sizes["hidden"] + (sizes["heads"] + sizes["kv_heads"]) * sizes["head_dim"]}


def read_model(draft):
    id, shapes = draft.row.get("model_id"), draft.row.get("model")
    id = litgpt.model_of_file(draft) or (id if isinstance(id, str) else "")
    if shapes is not None:
        facts = facts_of(shapes)
        draft.inputs |= {"model": "custom", **facts}
        draft.parts = parts_of({"layers": facts["layers"], "hidden": facts["hidden_size"], "heads": facts["query_heads"],
                                "kv_heads": facts["kv_heads"], "head_dim": facts["head_dim"]})
    else:
        found = find_model(id)
        if found is None:
            raise NotCovered(f"The model's shape is not given: {id}.")
        if letters_of(id) != letters_of(found["id"]):
            draft.assumed.append(f"The model {id} is {found['name']}.")
        draft.inputs["model"] = found["id"]
        draft.parts = {**parts_of(sizes_of_config(found["config"])), "parameters": parameters_of(found)}
    if draft.framework == "litgpt":
        draft.inputs["tied_embeddings"] = False  # its head has a matrix of its own (litgpt/model.py, GPT)
