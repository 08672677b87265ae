"""How the weights are stored, and the cache."""

from catalog import is_weight_format
from common import NotCovered
from measured_inference_rows.question import text
from words import number_behind

SIZES = {" - small": "_s", " - medium": "_m", " - large": "_l"}
PLAIN_GGUF = {"f32": "gguf_f32", "bf16": "gguf_bf16"}
BEGINNINGS = {"int4wo-": "int4wo_{}", "awq 4-bit g": "awq_4bit_g{}", "awq w4a16 g": "awq_4bit_g{}"}  # of names that end in a number
NAMES = {"int8 wo": "int8_weight_only", "int4 wo": "int4_weight_only", "int8 w8a8": "int8_channel"}
CACHES = ("fp32", "bf16", "fp16", "fp8", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl", "nvfp4", "int8", "int8_per_token_head",
          "fp8_per_token_head", "int4_per_token_head", "fp8_ds_mla")


def scheme_name(told, question):
    """"q4_k - medium" is "q4_k_m", "int4wo-64" "int4wo_64", "awq 4-bit g128 gemm" "awq_4bit_g128", "mlx q4 g64" "mlx_4bit_g64"."""
    for words, letter in SIZES.items():
        told = told.replace(words, letter, 1)
    if question.is_llama() and told.startswith(("f16", "bf16/f16")):
        return "gguf_f16"
    if question.is_llama() and told in PLAIN_GGUF:
        return PLAIN_GGUF[told]
    for begin, name in BEGINNINGS.items():
        if told.startswith(begin):
            return name.format(number_behind(told, begin) or 0)
    if told.startswith("mlx q"):
        return f"mlx_{number_behind(told, 'mlx q') or 0}bit_g{number_behind(told, ' g') or 0}"
    if told.startswith("mxfp4_moe"):
        return "mxfp4_moe"
    if told.startswith("aqlm") and "1x16" in told:
        return "aqlm_1x16"
    if told == "fp8":
        return "fp8_tensor" if question.profile == "tensorrt_llm" else "fp8_block"
    return NAMES.get(told, told)


def read_weights(question):
    stated = text(question.row, "weights_format")
    told = stated.lower()
    if not told:
        raise NotCovered("The row does not say how the weights are stored.")
    if "custom per-tensor mix" in question.notes:
        raise NotCovered("The mix of formats is the file's maker's own, which the row does not list.")
    name = scheme_name(told.split(" (imatrix)")[0], question)
    if ("imatrix" in told or "imatrix branch" in question.notes) and is_weight_format(name + "_imatrix"):
        name += "_imatrix"
    if not is_weight_format(name):
        raise NotCovered(f'There is no weight format "{stated}".')
    question.inputs["weight_dtype"] = name
    if "+k_b/v_b" in told:
        question.needs["latent_map"] = "both"


def cache_format(told):
    """The longest name of a format that stands in the text; GGUF writes f16."""
    named = [name for name in CACHES if name in told or (name == "fp16" and "f16" in told and "bf16" not in told)]
    return max(named, key=len) if named else None


def read_cache(question):
    stated, inputs = text(question.row, "kv_format"), question.inputs
    told = stated.lower()
    if not told:
        question.assume("The cache's format: 16 bits.")
        return
    if "kvt" in told:
        inputs["latent_cache"] = "latent_and_values"
    elif "mla" in told:
        inputs.setdefault("latent_cache", "latent")
    elif question.is_llama():
        inputs.setdefault("latent_cache", "expanded")
    if not question.is_latent:
        inputs.pop("latent_cache", None)
    for name, part in zip(("kv_dtype", "value_dtype"), told.split("/", 1)):
        inputs[name] = cache_format(part)
        if inputs[name] is None:
            raise NotCovered(f'The cache\'s format "{stated}" is not known.')
    if inputs.get("value_dtype") == inputs["kv_dtype"]:
        inputs.pop("value_dtype")
