"""The model: that of the catalogue where it agrees with the row's dimensions, otherwise the dimensions."""

from catalog import find_model, language_config, layers_of, longest_context
from common import NotCovered, is_whole
from measured_inference_rows.question import text
from words import number_behind

MOST_LAYERS, LARGEST = 2_000, 100_000_000


def size(section, key):
    """A size, written as a number or as text; 0 where there is none."""
    value = section.get(key) if isinstance(section, dict) else None
    number = int(value) if is_whole(value) else number_behind(value, "") if isinstance(value, str) else None
    return number if number is not None and 1 <= number <= LARGEST else 0


def is_described_by(entry, arch):
    """Whether the catalogue's model has the dimensions that the row states."""
    config = language_config(entry)
    ours = {"n_layer": layers_of(entry), "hidden": config.get("hidden_size") or config.get("n_embd") or config.get("d_model"),
            "vocab": config.get("vocab_size")}
    return all(not size(arch, key) or value is None or value == size(arch, key) for key, value in ours.items())


def read_latent(question, arch):
    """Latent attention as GGUF files describe it: expanded widths, or one key head as wide as the latent vector."""
    mla = arch.get("mla") if isinstance(arch.get("mla"), dict) else {}
    heads, keys, values = size(arch, "n_head"), size(arch, "n_embd_k_gqa"), size(arch, "n_embd_v_gqa")
    rank = max(size(arch, "n_lora_kv"), size(mla, "kv_lora_rank"))
    rope, nope, value = size(mla, "qk_rope"), size(mla, "qk_nope"), size(mla, "v_head")
    if not rope and size(arch, "n_kv_head") == 1 and keys > rank:
        rope = keys - rank
        if values == rank:
            question.inputs["latent_cache"] = "latent_and_values"
    if not rope:
        rope = 64
        question.assume("arch.qk_rope: 64, as in every published model of this architecture")
    if not nope and heads and keys // heads > rope:
        nope = keys // heads - rope
    question.is_latent = True
    question.config = {"model_type": "deepseek_v3"}
    question.inputs.update(query_heads=max(heads, 1), kv_lora_rank=rank or None, qk_rope_head_dim=rope, qk_nope_head_dim=nope,
                           v_head_dim=value or (values // heads if heads else 0) or None)


def read_attention(question, arch):
    heads, kv_heads, keys, values = (size(arch, key) for key in ("n_head", "n_kv_head", "n_embd_k_gqa", "n_embd_v_gqa"))
    kv_heads = kv_heads or heads
    heads = heads or kv_heads
    head_dim = size(arch, "head_dim")
    if not head_dim and keys and kv_heads:
        head_dim = keys // kv_heads
        if values and values != keys:
            question.needs["v_head_dim"] = values // kv_heads
    if not head_dim and size(arch, "n_head"):
        head_dim = size(arch, "hidden") // heads
    question.knows_cache = bool(head_dim and kv_heads)
    question.inputs.update(query_heads=heads or None, kv_heads=kv_heads or None, head_dim=head_dim or None,
                           qkv_bias=arch.get("qkv_bias") is True)


def full_every(swa):
    """"5 local : 1 global": every sixth layer attends to everything; "alternating": every second."""
    pattern = text(swa, "pattern")
    local = number_behind(pattern, "")
    if local is not None and "local" in pattern and 1 <= local < 100:
        return local + 1
    return 2 if any(word in pattern for word in ("alternat", "1:1", "half")) else 0


def read_windows(question, arch, layers):
    swa = arch.get("swa")
    if not isinstance(swa, dict):
        return
    every, window = full_every(swa), size(swa, "window")
    if every > 1 and window:
        question.inputs.update(sliding_layers=layers - layers // every, sliding_window=window)


def build(question, arch):
    layers = size(arch, "n_layer")
    if not 0 < layers <= MOST_LAYERS:
        raise NotCovered("The row names no model that the catalogue has, and states no layers.")
    question.config = {}
    moe = arch.get("moe") if isinstance(arch.get("moe"), dict) else {}
    question.inputs.update(model="custom", layers=layers, hidden_size=size(arch, "hidden") or None, vocab_size=size(arch, "vocab") or None,
                           intermediate_size=size(arch, "ffn") or None, tied_embeddings=arch.get("tied") is True, max_context=0)
    if size(arch, "n_lora_kv") or "mla" in arch:
        read_latent(question, arch)
    else:
        read_attention(question, arch)
    read_windows(question, arch, layers)
    if size(moe, "n_expert"):
        question.inputs.update(experts=size(moe, "n_expert"), experts_per_token=size(moe, "top_k") or None,
                               expert_size=size(moe, "moe_ffn") or None)
        if not size(arch, "ffn") and size(moe, "moe_ffn"):
            question.inputs.pop("intermediate_size")
    elif question.is_latent:
        question.inputs["experts"] = 0
    question.is_whole = bool(size(arch, "hidden") and size(arch, "vocab") and size(arch, "ffn")) and not moe and not question.is_latent
    if question.config:
        question.inputs["config"] = question.config


def read_model(question):
    row, arch = question.row, question.row.get("arch")
    arch = arch if isinstance(arch, dict) else None
    question.arch_row, question.longest = arch or {}, 0
    entry = find_model(text(row, "model"))
    if entry is not None and (arch is None or is_described_by(entry, arch)):
        question.entry, question.is_whole, question.longest = entry, True, longest_context(entry)
        question.inputs["model"] = entry["id"]
        question.is_latent = bool(language_config(entry).get("kv_lora_rank"))
        # A file may describe one key head as wide as the latent vector, and values that are the vector again.
        if arch and size(arch, "n_kv_head") == 1 and size(arch, "n_embd_v_gqa") and size(arch, "n_embd_v_gqa") == size(arch, "n_lora_kv"):
            question.inputs["latent_cache"] = "latent_and_values"
        return
    if arch is None:
        raise NotCovered(f'The catalogue has no model "{text(row, "model")}", and the row states no dimensions.')
    build(question, arch)
