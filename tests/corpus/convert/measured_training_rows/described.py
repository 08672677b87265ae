"""A model in words: "GPT 7B (h4096 L32 a32 ffn16384 vocab50304)". A number belongs to the name before it ("hidden 2048", "h2048",
"kv heads 8") or to the unit behind it ("24 layers", "16 heads", "24L")."""

import re

from measured_training_rows.framework import framework_of
from measured_training_rows.run import member, text, whole
from words import words_of

LLAMA = {"llama", "llama2", "llama3", "mistral", "qwen2", "rmsnorm", "swiglu"}
GPT = {"gpt", "gpt2", "gpt3", "mcore"}
OTHERS = {"moe", "experts", "mamba", "hybrid", "mla", "t5", "bert", "retro", "multimodal"}
NAMES = {  # names that stand before a number, units that stand behind it
    "hidden": (("h", "hidden", "size", "dim", "width"), ("hidden", "wide")),
    "layers": (("l", "layers"), ("l", "layers", "layer")),
    "heads": (("heads", "a"), ("heads", "a")),
    "ffn": (("ffn", "f"), ("ffn",)),
    "groups": (("kv", "groups", "gqa", "g", "query groups"), ("kv", "groups")),
    "vocab": (("vocab", "vocabulary", "v"), ("vocab", "tokens")),
}


def number_in(digits):
    """"2048", or "250k" for 250,000."""
    found = re.fullmatch(r"([0-9]{1,9})|([0-9]{1,4})k", digits)
    return None if found is None else int(found[1]) if found[1] else int(found[2]) * 1000


def dimension(words, names, units):
    for i, word in enumerate(words):
        for name in names:
            candidates = [words[i + 1]] if word == name and i + 1 < len(words) else []
            candidates += [word[len(name):]] if word.startswith(name) else []
            for candidate in candidates:
                if (number := number_in(candidate)) is not None:
                    return number
        for unit in units:
            candidates = [words[i - 1]] if word == unit and i > 0 else []
            candidates += [word[:-len(unit)]] if word.endswith(unit) else []
            for candidate in candidates:
                if (number := number_in(candidate)) is not None:
                    return number
    return None


def described_layers(name):
    """"4 layers", where the text says so."""
    return dimension(words_of(name), ("layers",), ("layers", "layer"))


def padded(vocab, row):
    """Megatron-LM pads the vocabulary to a multiple of 128 for each tensor-parallel GPU (megatron/training/tokenizer,
    _vocab_size_with_padding)."""
    framework = framework_of(row)
    if framework is None or framework.profile != "megatron":
        return vocab
    degree = whole(member(row, "parallelism"), "tp") or 1
    step = 128 * min(max(degree, 1), 1000)
    return -(-vocab // step) * step


def vocabulary(words, row):
    knobs = member(row, "other_knobs")
    if (exact := whole(knobs, "padded_vocab")) is not None:
        return exact
    for key in ("vocab", "vocab_size"):
        if 0 < (whole(knobs, key) or 0) < 100_000_000:
            return padded(whole(knobs, key), row)
    named = dimension(words, *NAMES["vocab"])
    return None if named is None else padded(named, row)


def described_model(run):
    """The dimensions of a plain decoder; None when the words do not suffice, or tell of another kind."""
    row = run.row
    words = words_of(f"{text(row, 'model')}, {text(row, 'notes')}")
    said = set(words)
    llama, gpt = bool(LLAMA & said), bool(GPT & said)
    if (llama == gpt and not llama) or OTHERS & said:
        return None
    hidden, layers, heads, ffn, groups = (dimension(words, *NAMES[name]) for name in ("hidden", "layers", "heads", "ffn", "groups"))
    vocab = vocabulary(words, row)
    if not hidden or not layers or not heads or not vocab or hidden % heads:
        return None
    tied, untied = "tied" in said, "untied" in said
    if llama and (not ffn or tied == untied):
        return None
    inputs = {"model": "custom", "hidden_size": hidden, "layers": layers, "query_heads": heads, "kv_heads": groups or heads,
              "head_dim": hidden // heads, "intermediate_size": ffn or 4 * hidden, "vocab_size": vocab, "max_context": 0,
              "norm": "rmsnorm" if llama or "rmsnorm" in said else "layernorm",
              "qkv_bias": not llama, "output_bias": not llama, "mlp_bias": not llama,
              "mlp_kind": "gated" if llama or {"swiglu", "gated"} & said else "plain", "tied_embeddings": not untied}
    if llama:
        return inputs
    if (tokens := whole(row, "seq_len")) and tokens > 0:
        inputs["max_context"] = tokens
        inputs["learned_positions"] = 0 if {"rope", "rotary"} & said else tokens
    if not ffn:
        run.assume("The MLP is four times as wide as the model, as Megatron-LM makes it unless told otherwise.")
    if not tied and not untied:
        run.assume("Embedding and head share one table, as in Megatron-LM unless told otherwise.")
    run.assume("Layers of GPT: LayerNorm, GELU, biases.")
    return inputs
