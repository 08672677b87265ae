"""A plain decoder that a row describes by its shapes: {"layers", "hidden", "ffn_hidden", "heads", "kv_heads", "head_dim", "vocab",
"padded_vocab", "tied", "gated_mlp", "norm", …}."""

from common import NotCovered, is_whole

WIDEST, MOST_LAYERS, MOST_HEADS, MOST_TOKENS = 16_777_216, 4096, 65_536, 67_108_864
OTHER_PARTS = ("moe", "mla", "hybrid", "linear_attention")
NORMS = ("rmsnorm", "layernorm")


def size(shapes, key, most=WIDEST):
    value = shapes.get(key)
    return int(value) if is_whole(value) and 1 <= value <= most else None


def norm_of(shapes):
    if shapes["norm"] == "layernorm" and shapes.get("norm_bias") is False:
        return "layernorm_no_bias"
    return shapes["norm"]


def facts_of(shapes):
    """Its facts as inputs. Parts that no plain decoder has, and shapes that are missing, are the reason why it is none."""
    if not isinstance(shapes, dict):
        raise NotCovered("The row gives no model.")
    for part in OTHER_PARTS:
        if shapes.get(part) is not None:
            raise NotCovered(f"Models with {part} are not read from such rows.")
    if shapes.get("norm") not in NORMS:
        raise NotCovered(f"The norm {shapes.get('norm')} is not covered.")
    heads = size(shapes, "heads", MOST_HEADS)
    facts = {"layers": size(shapes, "layers", MOST_LAYERS), "hidden_size": size(shapes, "hidden"),
             "intermediate_size": size(shapes, "ffn_hidden"), "query_heads": heads, "head_dim": size(shapes, "head_dim", MOST_HEADS),
             "vocab_size": size(shapes, "padded_vocab", MOST_TOKENS) or size(shapes, "vocab", MOST_TOKENS)}
    missing = [name for name, value in facts.items() if not value]
    if missing:
        raise NotCovered(f"The shapes of the row's model lack {', '.join(missing)}.")
    bias, positions = shapes.get("linear_bias") is True, size(shapes, "max_positions", MOST_TOKENS) or 0
    return facts | {
        "kv_heads": size(shapes, "kv_heads", MOST_HEADS) or heads,
        "norm": norm_of(shapes),
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
