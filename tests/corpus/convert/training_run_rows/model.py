"""A model from its name and counts. Depth and width of decoders go together: 128 channels of width for each layer, which GPT-3's and
Llama's sizes keep to within a third (Brown et al., 2020, table 2.1; Touvron et al., 2023, table 2)."""

import re

from catalog import models
from common import NotCovered
from words import letters_of, words_of

CHANNELS, MOST_LAYERS, WIDEST, MOST_PARAMETERS = 128, 1000, 1_000_000, 100_000_000_000_000
GPT2_VOCABULARY = 50_304  # padded
CHOSEN, MOST_EXPERTS = 8, 4096
BESIDES_MODELS = ("sft", "lora", "qlora", "full", "pretrain", "finetune")
MATRICES_OF_A_LAYER = 12  # of width × width: four of attention, eight of an MLP four times as wide


def usual_width(parameters):
    """The width, a multiple of 128, of a decoder that has so many parameters in layers: width / 128 of them."""
    width = CHANNELS
    while width < WIDEST and float(width) ** 3 * MATRICES_OF_A_LAYER / CHANNELS < float(parameters):
        width += CHANNELS
    return width


def usual_layers(parameters, width):
    one = MATRICES_OF_A_LAYER * width * width
    return min(max((parameters + one // 2) // one, 1), MOST_LAYERS)


def divisible(amount, parts):
    """The closest amount that so many stages or GPUs divide: what nobody told is such that the run could take place."""
    return max((amount + parts // 2) // parts, 1) * parts


def experts_of(total, active, matrices, rest, active_rest):
    """Eight of as many experts as the two counts say; a power of two, so that GPUs can divide them."""
    wanted = min(max(CHOSEN * rest // active_rest, CHOSEN), MOST_EXPERTS)
    experts = CHOSEN
    while 2 * experts <= wanted + wanted // 3:
        experts *= 2
    return {"experts": experts, "experts_per_token": CHOSEN, "expert_size": max(active_rest // (matrices * CHOSEN), 1)}


def block(draft, total, active, layers, width, vocabulary):
    """The MLP has the parameters that embeddings and attention leave."""
    around = vocabulary * width + layers * 4 * width * width
    least = layers * width
    active_rest, rest, matrices = max(active - around, least), max(total - around, least), layers * 2 * width
    if total <= active + active // 10:
        draft.assumed.append("The MLP has the parameters that embeddings and attention leave.")
        channels = max(active_rest // matrices, 1)
        return {"intermediate_size": divisible(channels, draft.inputs.get("tensor_parallel", 1))}
    draft.assumed.append("Each token goes to 8 experts of about as many as the counts of all and of active parameters say.")
    return experts_of(total, active, matrices, rest, active_rest)


def agree(a, b):
    return 20 * abs(a - b) <= max(a, b)  # names and tables round to a few per cent


def count_of(model):
    """What the language model has: the published count without what its row says only the publisher counts."""
    return model["published_parameters"] - sum(term["parameters"] for term in model.get("differences", []))


def names_of(text):
    """The letters of a name: whole, and without the sizes at its end: "Kimi K2 1T", "Qwen3 30B-A3B"."""
    words = words_of(text)
    whole = "".join(map(letters_of, words))
    while len(words) > 1 and re.fullmatch("a?[0-9.]+[bmt]", words[-1]):
        words.pop()
    return whole, "".join(map(letters_of, words))


def model_words(name):
    """What of a name says the model: "Llama 3.1 8B (torchtitan)", "LLAMA3_70B SFT", "Llama 3.2 3B + compile (torchtune)"."""
    words = re.split(r"[\s_]+", name.split("(")[0].split("+")[0].strip())
    while len(words) > 1 and words[-1].lower() in BESIDES_MODELS:
        words.pop()
    return " ".join(words)


def named_model(name, total):
    """The catalogue's model of that name with about as many parameters: by its whole name, else without sizes where one alone fits."""
    wanted, short = names_of(model_words(name))
    fitting = [model for model in models() if agree(count_of(model), total)]
    for index, letters in enumerate((wanted, short)):
        named = [model for model in fitting if letters in (names_of(model["name"])[index], names_of(model["id"])[index])]
        if letters and (named and index == 0 or len(named) == 1):
            return named[0]
    return None


def custom_model(draft, total, active):
    width, layers = draft.size("hidden", WIDEST), draft.size("layers", MOST_LAYERS)
    if not width or not layers:
        draft.assumed.append("Width and depth are the usual ones for so many parameters: 128 channels for each layer.")
    width = width or usual_width(active)
    layers = layers or divisible(usual_layers(active, width), draft.chunks)
    vocabulary = GPT2_VOCABULARY
    while vocabulary * width > active // 2 and vocabulary > CHANNELS:
        vocabulary //= 2
    draft.assumed.append(f"A decoder with heads of 128 channels, keys and values for each, and one table of {vocabulary} tokens.")
    heads = max(width // CHANNELS, 1)
    draft.layers = layers
    draft.inputs |= {"model": "custom", "hidden_size": width, "layers": layers, "query_heads": heads, "kv_heads": heads,
                     "head_dim": max(width // heads, 1), "vocab_size": vocabulary, "mlp_kind": "plain", "tied_embeddings": True,
                     "max_context": 0, **block(draft, total, active, layers, width, vocabulary)}


def read_model(draft):
    total, active = draft.size("params_total", MOST_PARAMETERS), draft.size("params_active", MOST_PARAMETERS)
    if not total and not active:
        raise NotCovered("The row does not tell how many parameters the model has.")
    named = named_model(draft.text("model"), total or active)
    if named is None:
        return custom_model(draft, total or active, active or total)
    draft.inputs["model"] = named["id"]
    config = named["config"]
    draft.layers = next((config[key] for key in ("num_hidden_layers", "n_layer", "n_layers", "num_layers") if key in config), None)
    return None
