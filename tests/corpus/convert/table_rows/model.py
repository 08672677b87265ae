"""The model: by the shapes that a row gives, else by its name."""

from catalog import find_model
from common import NotCovered, is_whole
from words import letters_of

WIDEST, MOST_LAYERS, MOST_HEADS, MOST_TOKENS = 16_777_216, 4096, 65_536, 67_108_864
OTHER_PARTS = ("moe", "mla", "hybrid", "linear_attention")
NORMS = {"rmsnorm": {True: "rmsnorm", False: "rmsnorm"}, "layernorm": {True: "layernorm", False: "layernorm_no_bias"}}
# What configs of the catalogue call the same.
NAMES = {
    "layers": ("num_hidden_layers", "n_layer", "num_layers"),
    "hidden": ("hidden_size", "n_embd"),
    "heads": ("num_attention_heads", "n_head"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads"),
    "head_dim": ("head_dim",),
}


def size(shapes, key, most=WIDEST):
    value = shapes.get(key)
    return int(value) if is_whole(value) and 1 <= value <= most else None


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


def facts_of(shapes):
    """The facts of a plain decoder; None where one is missing, or where it has parts that no row of these tables has."""
    if any(shapes.get(part) is not None for part in OTHER_PARTS) or shapes.get("norm") not in NORMS:
        return None
    heads = size(shapes, "heads", MOST_HEADS)
    facts = {"layers": size(shapes, "layers", MOST_LAYERS), "hidden_size": size(shapes, "hidden"), "intermediate_size": size(shapes, "ffn_hidden"),
             "query_heads": heads, "head_dim": size(shapes, "head_dim", MOST_HEADS),
             "vocab_size": size(shapes, "padded_vocab", MOST_TOKENS) or size(shapes, "vocab", MOST_TOKENS)}
    if not all(facts.values()):
        return None
    bias, positions = shapes.get("linear_bias") is True, size(shapes, "max_positions", MOST_TOKENS) or 0
    return facts | {
        "kv_heads": size(shapes, "kv_heads", MOST_HEADS) or heads,
        "norm": NORMS[shapes["norm"]][shapes.get("norm_bias") is True],
        "norms_per_layer": size(shapes, "norms_per_layer", 8) or 2,
        "mlp_kind": "gated" if shapes.get("gated_mlp") is True else "plain",
        "qkv_bias": bias or shapes.get("qkv_bias") is True,
        "output_bias": bias,
        "mlp_bias": bias,
        "qk_norm": "per_head" if shapes.get("qk_norm") is True else "none",
        "parallel_block": shapes.get("parallel_block") is True,
        "max_context": positions,
        "learned_positions": positions if shapes.get("position") == "learned" else 0,
        "tied_embeddings": shapes.get("tied") is True,
    }


def read_model(draft):
    id, shapes = draft.row.get("model_id"), draft.row.get("model")
    id = id if isinstance(id, str) else ""
    if shapes is not None:
        facts = facts_of(shapes) if isinstance(shapes, dict) else None
        if facts is None:
            raise NotCovered("The shapes of the row's model are not complete.")
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
        draft.parts = parts_of(sizes_of_config(found["config"]))
    if draft.framework == "litgpt":
        draft.inputs["tied_embeddings"] = False  # its head has a matrix of its own (litgpt/model.py, GPT)
