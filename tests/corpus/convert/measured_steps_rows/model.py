"""{"family", "layers", "hidden", …, "moe"}: tests/measure/families.py, facts_of. What a family's code does beyond its dimensions stands
in transformers, src/transformers/models/*/modeling_*.py."""

from common import NotCovered
from decoder import facts_of
from measured_steps_rows.settings import LacksInput, refuse_others
from sections import Section

FUSED = {"fused_projections": True}  # queries, keys and values are one linear map
ZERO_CENTERED = {"norm": "rmsnorm_zero_centered"}  # RMSNorm multiplies by 1 + weight
CAPS = {"caps_logits": True, "caps_scores": True}
FAMILIES = {"llama": {}, "mistral": {}, "qwen2": {}, "qwen3": {}, "phi": {}, "mixtral": {}, "qwen3_moe": {}, "gpt2": FUSED, "phi3": FUSED,
            "gemma2": ZERO_CENTERED | CAPS, "gemma3_text": ZERO_CENTERED}
WINDOWS = {"gemma2": 4096, "gemma3_text": 4096}  # of sliding layers, as the family's config has it unless told otherwise
ACTIVATIONS = {"silu": None, "gelu": None, "gelu_pytorch_tanh": None, "gelu_new": "gelu_new"}
FLAGS = ("tied", "gated_mlp", "norm_bias", "qkv_bias", "linear_bias", "qk_norm", "parallel_block")
FEWEST_POSITIONS = 2048  # tests/measure/train.py, build


def experts_of(model):
    """Experts in the place of the MLP."""
    if model.find("moe") is None:
        return {}
    moe = model.inside("moe")
    refuse_others(moe, {"experts", "top_k", "ffn"})
    return {"intermediate_size": None, "dense_layers": 0, "shared_expert_size": 0, "experts": moe.integer("experts"),
            "experts_per_token": moe.integer("top_k"), "expert_size": moe.integer("ffn")}


def read_model(row, tokens):
    """Its facts as inputs; `tokens` are the longest sequence, for which tables of positions are made."""
    model = Section(row, "model")
    family = model.text("family")
    if family not in FAMILIES:
        raise NotCovered(f"model.family is {family!r}, whose code is not known here.")
    if tokens > WINDOWS.get(family, tokens):
        raise LacksInput("Masks of sliding layers beyond their window are not covered.", sliding_window_mask=True)
    shapes = {**model.members, "moe": None, **{name: model.flag(name, None) for name in FLAGS}}
    model.choice("position", {"rope": False, "learned": True}, "rope")
    model.integer("norms_per_layer", 2, most=8)
    model.integer("kv_heads")
    if shapes.get("max_positions") is None:
        shapes["max_positions"] = max(tokens, FEWEST_POSITIONS)
    extras = {"activation": model.choice("activation", ACTIVATIONS, "silu"), "head_bias": model.flag("head_bias") or None}
    return {"model": "custom", **facts_of(shapes), **extras, **FAMILIES[family], **experts_of(model)}


def matrices_of_layer(facts):
    """Numbers in the matrices of one layer."""
    hidden, queries = facts["hidden_size"], facts["query_heads"] * facts["head_dim"]
    keys = facts["kv_heads"] * facts["head_dim"]
    maps = 3 if facts["mlp_kind"] == "gated" else 2
    if "experts" in facts:
        mlp = facts["experts"] * hidden * (maps * facts["expert_size"] + 1)
    else:
        mlp = maps * hidden * facts["intermediate_size"]
    return hidden * (2 * queries + 2 * keys) + mlp
