"""Which code runs: tests/measure/train.py, trainer.py and loop.py."""

from common import NotCovered
from measured_steps_rows.settings import LacksInput, words

PROFILES = {"train": "pytorch", "trainer": "hf_trainer", "saved": "pytorch", "process": "pytorch", "anatomy": "pytorch"}
# All three keep queries, keys, values, output and one number per head and query.
BACKENDS = {"": None, "FLASH_ATTENTION": "flash", "EFFICIENT_ATTENTION": "flash", "CUDNN_ATTENTION": "cudnn"}
NORMS = {"eager": None, "fused": "fused"}
COMPILED = {"norms": "compiled", "mlp": "compiled"}
KEEPS_CACHE = "Keys and values that the outputs keep are those that the backward pass needs."
OLD_LOGITS = "The logits of the step before are alive while the loss is computed."


def read_attention(row, scenario, regime):
    """transformers' eager attention casts scores to fp32 for the softmax, but for GPT-2's, which leaves them as they are; autocast casts
    all. A mask of ones is dropped (transformers, masking_utils.py); one with zeros ends the kernel that takes grouped keys and values."""
    if scenario.text("padding") == "some":
        raise LacksInput("A mask with zeros, for padding, is not covered.", padding_mask=True)
    scenario.choice("padding", {"ones": None}, "ones")
    if scenario.choice("attention", {"sdpa": False, "eager": True}, "sdpa"):
        gpt2 = isinstance(row.get("model"), dict) and row["model"].get("family") == "gpt2"
        return "fused_softmax" if gpt2 and regime == "bf16" else "eager"
    if scenario.text("backend") == "MATH":
        raise LacksInput("PyTorch's math kernel of attention is not covered where a fused one could run.", attention="math")
    return scenario.choice("backend", BACKENDS, "")


def read_loss(scenario, profile, assumed):
    loop = scenario.choice("loop", {"kept": "kept", "deleted": "deleted", "dropped": "dropped"}, "kept")
    if profile == "hf_trainer":
        return None
    if loop == "deleted":
        assumed.append(OLD_LOGITS)
    return "hf_trainer" if loop == "dropped" else None


def read_compiled(scenario, model, assumed):
    compiled = words(scenario, "compile", {False: None, "layers": "layers", "model": "model"}, False)
    if not compiled:
        return {}
    code = COMPILED | ({"experts_kernel": "compiled"} if model.has("moe") else {})
    if compiled == "model":
        assumed.append("The loss is compiled with the model.")
        code["loss"] = "torch_float_compiled"
    return code


def drops(model, key):
    share = model.real(key, 0.0)
    if not 0 <= share <= 1:
        raise NotCovered(f"model.{key} is {share!r}, where a share from 0 to 1 is needed.")
    return True if share > 0 else None


def read_code(row, scenario, model, regime, assumed):
    profile = scenario.choice("run", PROFILES, "train")
    code = {"profile": profile, "attention": read_attention(row, scenario, regime), "norms": scenario.choice("norm", NORMS, "eager"),
            "loss": read_loss(scenario, profile, assumed), "hidden_dropout": drops(model, "dropout_hidden"),
            "attention_dropout": drops(model, "dropout_attention")}
    if scenario.flag("use_cache", True):  # null: the model's own choice, which is yes
        assumed.append(KEEPS_CACHE)
    return code | read_compiled(scenario, model, assumed)
