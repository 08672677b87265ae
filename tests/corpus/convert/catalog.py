"""Models, devices and weight formats that the product knows, from core/catalog/data: a name that a row writes must be one of them."""

import functools
import json
import re
from pathlib import Path

from words import letters_of, words_of

DATA = Path(__file__).resolve().parents[3] / "core" / "catalog" / "data"
DEFAULT_DEVICE = "h100-80-sxm"


def _rows(folder):
    return [row for file in sorted((DATA / folder).glob("*.json")) for row in json.loads(file.read_text(encoding="utf-8"))]


@functools.cache
def models():
    return _rows("models")


@functools.cache
def devices():
    return _rows("devices")


@functools.cache
def _weight_patterns():
    """Ids and aliases, in lower case: "awq_4bit_g{group}" has a number in its braces."""
    names = []
    for file in sorted((DATA / "weights").glob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        for row in document.get("schemes", []):
            names += [row["id"], *row.get("aliases", [])]
    return [re.compile(re.sub(r"\\{[^}]*\\}", r"[0-9.]+", re.escape(name.lower()))) for name in names]


def is_weight_format(name):
    return any(pattern.fullmatch(name.lower()) for pattern in _weight_patterns())


def _is_size(word):
    return word in ("b", "m") or re.fullmatch(r"[0-9.]+[bm]?", word) is not None


def _with_letters(letters):
    found = [row for row in models() if letters in map(letters_of, [row["id"], row["name"], *row.get("aliases", [])])]
    return found[0] if len(found) == 1 else None


def find_model(name):
    """A catalogue model by id, alias or name, letter case and signs between words ignored; a size at the end of the name may be left
    out ("phi-1.5 1.3 B"). None when none or several are meant."""
    if not name:
        return None
    for row in models():
        if name.lower() in (other.lower() for other in [row["id"], *row.get("aliases", [])]):
            return row
    if row := _with_letters(letters_of(name)):
        return row
    words = words_of(name)
    count = len(words)
    while len(words) > 1 and _is_size(words[-1]) and len(words) + 2 > count:
        words.pop()
    return _with_letters("".join(map(letters_of, words))) if len(words) < count else None


def _form(device, text):
    """How well its form factor suits the text: named, else that of servers, which have modules."""
    for form in ("pcie", "nvl", "sxm"):
        if form in device["id"]:
            return 2 if form in text.lower() else int(form == "sxm")
    return 0


def _device_name(device):
    """"rtx4090", "h100", "m2ultra": what texts call it, less its memory and form."""
    parts = device["id"].split("-")
    chip = device["vendor"] == "Apple" and len(parts) > 1
    return "".join(parts[:2]) if chip else "quadrortx6000" if parts[0] == "quadro" else parts[0]


def _names_in(text):
    """What the words of a text, alone and together, may call a device: "RTX 4070 Ti SUPER" has "rtx4070", "rtx4070ti", "rtx4070tis"."""
    words = ["s" if word == "super" else word for word in words_of(text)]
    return {"".join(words[first:end]) for first in range(len(words)) for end in range(first + 1, min(first + 4, len(words)) + 1)}


def find_devices(text):
    """The devices that the text names, in its order, each of the size and form that it names, else the first."""
    names, words, letters = _names_in(text), words_of(text), letters_of(text).replace("super", "s")
    named = {}
    for device in devices():
        name = _device_name(device)
        said = next((other for other in (name, name.removeprefix("rtx")) if re.search(r"[0-9]", other) and other in names), None)
        if said is not None:
            named.setdefault((letters.find(said), name), []).append(device)

    def suits(device):
        label = str(device["memory_label_gb"])
        return label + "gb" in words or label in words, _form(device, text)

    whole = [key for key in sorted(named) if not any(key[1] != other and key[1] in other for _, other in named)]
    return [max(named[key], key=suits) for key in whole]


def _first(config, *names):
    """What a config.json says under the first of the names, in the language model's part where it has parts."""
    parts = [config] + [config[part] for part in ("text_config", "llm_config", "language_config") if isinstance(config.get(part), dict)]
    return next((part[name] for part in parts for name in names if isinstance(part.get(name), int)), 0)


def highest_rate(device):
    """Multiplications and additions per second of the catalogue's device, dense, in the number format in which it has most of them; 0 where none is published."""
    row = next((row for row in devices() if row["id"] == device), {})
    return max(row.get("peak_dense_flop_per_s", {}).values(), default=0)


def layers_of(row):
    return _first(row["config"], "num_hidden_layers", "n_layer", "n_layers", "num_layers")


def parameters_of(row):
    """What the product counts: the published number less what the catalogue explains of it."""
    return row["published_parameters"] - sum(term["parameters"] for term in row.get("differences", []))


def multiplied_parameters(row):
    """At least so many parameters multiply each token of a prompt: those that are active less embedding and head, where published; else 0."""
    config = language_config(row)
    if any(name in config for name in ("num_experts", "num_local_experts", "n_routed_experts")):
        active = row.get("published_active_parameters", 0)
    else:
        active = parameters_of(row)
    return max(0, active - 2 * _first(row["config"], "vocab_size") * _first(row["config"], "hidden_size", "n_embd", "d_model"))


def cache_width(row):
    """Keys and values of one token in all layers, for plain attention."""
    config = row["config"]
    heads = _first(config, "num_attention_heads", "n_head", "n_heads", "num_heads")
    size = _first(config, "head_dim") or _first(config, "hidden_size", "n_embd", "d_model") // max(heads, 1)
    return 2 * layers_of(row) * (_first(config, "num_key_value_heads") or heads) * size


def language_config(row):
    """The language model's part of a config.json."""
    config = row["config"]
    return next((config[part] for part in ("text_config", "llm_config", "language_config") if isinstance(config.get(part), dict)), config)


def longest_context(row):
    return _first(row["config"], "max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "seq_length",
                  "model_max_length", "n_ctx")


def has_towers(row):
    return any(name in row["config"] for name in ("vision_config", "audio_config", "vit_hidden_size"))
