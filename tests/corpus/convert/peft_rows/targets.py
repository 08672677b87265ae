"""Names of modules in transformers' model code and of peft, and the sets of them that the product's choices name."""

from common import NotCovered

MODULES = {
    "q_proj": "q", "query": "q", "q_a_proj": "q", "q_b_proj": "q", "k_proj": "k", "key": "k", "v_proj": "v", "value": "v", "o_proj": "o",
    "gate_proj": "gate", "up_proj": "up", "down_proj": "down", "embed_tokens": "embedding", "lm_head": "head", "gate_up_proj": "gate,up",
    "qkv_proj": "q,k,v", "query_key_value": "q,k,v", "c_attn": "q,k,v", "Wqkv": "q,k,v", "kv_a_proj_with_mqa": "k,v", "kv_b_proj": "k,v",
    "dense_h_to_4h": "up", "dense_4h_to_h": "down", "fc1": "up", "fc2": "down", "fc_in": "up", "fc_out": "down", "c_fc": "up",
    "w1": "gate", "w2": "down", "w3": "up", "wte": "embedding", "word_embeddings": "embedding",
    "input_layernorm": "norms", "post_attention_layernorm": "norms", "norm": "final_norm",
}
ORDER = ("q", "k", "v", "o", "gate", "up", "down", "embedding", "head", "norms", "final_norm")
CHOICES = {"qv": "q,v", "qkv": "q,k,v", "attention": "q,k,v,o", "mlp": "gate,up,down", "all_linear": "q,k,v,o,gate,up,down"}
NORMS = {"norms", "final_norm"}
NORMS_OF_A_LAYER = {"input_layernorm", "post_attention_layernorm"}


def listed(value):
    """A list of names, or one alone."""
    names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return [name if isinstance(name, str) else "" for name in names]


def targets_of(modules):
    """The set of targets; one unknown module is one too many."""
    found = set()
    for module in modules:
        if module == "all-linear":
            found |= set(CHOICES["all_linear"].split(","))
        elif (name := module.rsplit(".", 1)[-1]) in MODULES:
            found |= set(MODULES[name].split(","))
        else:
            raise NotCovered(f"The target module {module} is not covered.")
    return found


def ask_for(targets, inputs):
    """The choice that names this very set; else the list."""
    named = next((choice for choice, parts in CHOICES.items() if set(parts.split(",")) == targets), None)
    inputs["targets"] = named or ",".join(target for target in ORDER if target in targets)


def check_norms(modules):
    named = NORMS_OF_A_LAYER & set(modules)
    if modules and named and named != NORMS_OF_A_LAYER:
        raise NotCovered("Training only some of a layer's norms is not covered.")
