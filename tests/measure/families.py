"""A transformers model of any shape, with random weights made on the GPU. Nothing is downloaded."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def shapes():
    return json.loads((HERE / "models.json").read_text())["models"]


def shape_of(scenario):
    """The named shape with the scenario's own changes, as {"model": "llama-s", "layers": 2}."""
    shape = dict(shapes()[scenario["model"]])
    for key in ("layers", "vocab", "tied", "hidden", "ffn", "heads", "kv_heads", "head_dim", "dropout"):
        if key in scenario:
            shape[key] = scenario[key]
    return shape


def facts_of(shape):
    """What the corpus schema wants to know of a model. Facts of the families, not guesses: transformers' model code."""
    family = shape["family"]
    gated = family not in ("gpt2", "phi")
    layernorm = family in ("gpt2", "phi")
    return {
        "family": family, "layers": shape["layers"], "hidden": shape["hidden"], "ffn_hidden": shape["ffn"],
        "heads": shape["heads"], "kv_heads": shape["kv_heads"], "head_dim": shape["head_dim"],
        "vocab": shape["vocab"], "padded_vocab": shape["vocab"],
        "position": "learned" if family == "gpt2" else "rope", "rotary_percent": 0.5 if family == "phi" else 1.0,
        "tied": shape["tied"], "gated_mlp": gated,
        "activation": {"gpt2": "gelu_new", "phi": "gelu_new", "gemma2": "gelu_pytorch_tanh",
                       "gemma3_text": "gelu_pytorch_tanh"}.get(family, "silu"),
        "norm": "layernorm" if layernorm else "rmsnorm", "norm_bias": layernorm,
        "norms_per_layer": 1 if family == "phi" else 4 if family.startswith("gemma") else 2,
        "qkv_bias": family in ("gpt2", "phi", "qwen2"), "linear_bias": layernorm, "head_bias": family == "phi",
        "qk_norm": family in ("qwen3", "qwen3_moe", "gemma3_text"), "parallel_block": family == "phi",
        "dropout_hidden": shape.get("dropout", 0.0), "dropout_attention": shape.get("dropout", 0.0),
        "moe": {"experts": shape["experts"], "top_k": shape["top_k"], "ffn": shape["ffn"]} if "experts" in shape else None,
        "mla": None, "hybrid": None,
    }


def make_config(shape, positions):
    from transformers import AutoConfig

    family, dropout = shape["family"], shape.get("dropout", 0.0)
    if family == "gpt2":
        return AutoConfig.for_model(
            "gpt2", n_embd=shape["hidden"], n_layer=shape["layers"], n_head=shape["heads"], n_inner=shape["ffn"],
            vocab_size=shape["vocab"], n_positions=positions, resid_pdrop=dropout, embd_pdrop=dropout,
            attn_pdrop=dropout, tie_word_embeddings=shape["tied"], bos_token_id=0, eos_token_id=0)
    options = dict(
        hidden_size=shape["hidden"], num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"],
        num_key_value_heads=shape["kv_heads"], intermediate_size=shape["ffn"], vocab_size=shape["vocab"],
        max_position_embeddings=positions, tie_word_embeddings=shape["tied"], attention_dropout=dropout,
        pad_token_id=None, bos_token_id=0, eos_token_id=0)
    if family == "phi":
        options.update(resid_pdrop=dropout, embd_pdrop=dropout)
    elif family != "phi3":  # phi and phi3 derive it from the width
        options["head_dim"] = shape["head_dim"]
    if family in ("mistral", "mixtral"):
        options["sliding_window"] = None
    if family == "mixtral":
        options.update(num_local_experts=shape["experts"], num_experts_per_tok=shape["top_k"])
    elif family == "qwen3_moe":
        options.update(num_experts=shape["experts"], num_experts_per_tok=shape["top_k"],
                       moe_intermediate_size=shape["ffn"], decoder_sparse_step=1, mlp_only_layers=[])
    return AutoConfig.for_model(family, **options)


def make_model(shape, positions, dtype, attention, train=True):
    """On the GPU from the start: weights made on the CPU would take longer than the measurement."""
    import torch
    from transformers import AutoModelForCausalLM

    config = make_config(shape, positions)
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, dtype=dtype, attn_implementation=attention)
    model = model.to("cuda")
    return model.train() if train else model.eval()


def decoder_layers(model):
    """The list of decoder layers, whatever wraps the model."""
    import torch

    for name, module in model.named_modules():
        if isinstance(module, torch.nn.ModuleList) and name.split(".")[-1] in ("layers", "h"):
            return module
    raise LookupError("no list of decoder layers")


def named_part(model, ending):
    for name, module in model.named_modules():
        if name.split(".")[-1] in ending:
            return module
    raise LookupError(f"no module called {ending}")


def head_of(model):
    return named_part(model, ("lm_head",))

