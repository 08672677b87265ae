""""lora" and "quant": what trains, and how the frozen weights beside it are stored."""

from catalog import cache_width, find_model
from common import NotCovered, is_number
from measured_training_rows.run import member, quoted, text, whole
from peft_rows.targets import ask_for
from words import contains_any, letters_of, understand, version_after

QKV, MLP = {"q", "k", "v"}, {"gate", "up", "down"}
ATTENTION = QKV | {"o"}
LINEAR = ATTENTION | MLP
WHOLE, INFERRED, UNTOLD = {"whole"}, {"inferred"}, {"untold"}

# Qwen 1's names: w1 and w2 are up and gate, attn.c_proj the output map (modeling_qwen.py).
TARGETS = {
    "q": {"q"},
    "k": {"k"},
    "v": {"v"},
    "o": {"o"},
    "q proj": {"q"},
    "k proj": {"k"},
    "v proj": {"v"},
    "o proj": {"o"},
    "output proj": {"o"},
    "gate": {"gate"},
    "up": {"up"},
    "down": {"down"},
    "gate proj": {"gate"},
    "up proj": {"up"},
    "down proj": {"down"},
    "qkv": QKV,
    "qkv proj": QKV,
    "c attn": QKV,
    "c attn qkv": QKV,
    "attn c proj": {"o"},
    "c proj": {"o", "down"},
    "w1": {"up"},
    "w2": {"gate"},
    "mlp": MLP,
    "attention": ATTENTION,
    "attn": ATTENTION,
    "all linear": LINEAR,
    "all attention and mlp": LINEAR,
    "all": LINEAR,
    "head": {"head"},
    "lm head": {"head"},
    "wte": {"embedding"},
    "embed tokens": {"embedding"},
    "wte and lm head fully trained": WHOLE,
    "fully trained": WHOLE,
    "inferred": INFERRED,
    "default": UNTOLD,
    "recipe default": UNTOLD,
    "peft default": None,
    "yaml default": None,
    "rows of fused qkv": None,
    "example script": None,
    "and": None,
    "proj": None,
    "model language model layers d mlp cross attn self attn up down gate q k v o proj": LINEAR,  # a pattern
}

METHODS = {"": "lora", "lora": "lora", "rslora": "lora", "pissa": "lora", "qlora": "lora", "dora": "dora", "ia3": "ia3",
           "prompttuning": "prompt", "prefixtuning": "prefix", "lntuning": "norms", "bottleneck": "bottleneck"}
HAS_MATRICES = ("lora", "dora", "bottleneck")

QUANTS = {"nf4": "nf4", "bnb.nf4": "nf4", "nf4 dq": "double", "double quant": "double", "dq": "double", "gptq int4": "gptq_4bit_g128",
          "gptq int8": "gptq_8bit_g128", "torchao": "torchao", "int8": "int8_bnb", "bnb": None, "bf16 quant storage": None,
          "bf16 storage": None}
FREES_INPUTS = (0, 43, 2)  # github.com/bitsandbytes-foundation/bitsandbytes, pull request 1270


def read_targets(run, told):
    meanings, rest = understand(told, TARGETS)
    run.refuse_rest("lora", told, rest)
    targets = set().union(*meanings)
    if "whole" in targets:
        raise NotCovered(f"Modules that train as a whole beside the adapters have no field: {quoted(told)}.")
    if "untold" in targets or not targets - INFERRED:
        raise NotCovered("The row does not tell which maps get adapters.")
    if "inferred" in targets:
        run.assume(f'Adapters are on "{told}", as the row infers.')
    targets -= INFERRED
    ask_for(targets, run.inputs)


def targets_text(lora):
    targets = member(lora, "targets")
    if isinstance(targets, list):
        return ", ".join(map(str, targets))
    return targets if isinstance(targets, str) else ""


def read_virtual_tokens(run, lora):
    """Their parameters are tokens × width: learned vectors of the hidden size, or keys and values of every layer."""
    trainable, width = whole(lora, "trainable"), 0
    found = find_model(run.inputs["model"])
    if found is not None:
        width = cache_width(found) if run.inputs["method"] == "prefix" else found["config"].get("hidden_size", 0)
    if not trainable or trainable <= 0 or not width or trainable % width:
        raise NotCovered("The row does not tell how many virtual tokens are learned.")
    run.inputs["virtual_tokens"] = trainable // width


def read_dropout(run, lora):
    dropout = member(lora, "dropout")
    if dropout is not None:
        run.inputs["adapter_dropout"] = is_number(dropout) and dropout > 0
    elif run.profile == "litgpt":
        run.inputs["adapter_dropout"] = True  # litgpt/finetune/lora.py, lora_dropout
        run.assume("Dropout in front of the adapters, as in LitGPT's recipes.")
    else:
        run.assume("No dropout in front of the adapters.")


def read_tuning(run):
    lora = run.row.get("lora")
    if lora is None:
        if contains_any(text(run.row, "category"), ("lora", "qlora", "peft")):
            raise NotCovered("The row names no adapter.")
        if run.profile == "peft":
            run.inputs["profile"] = "pytorch"  # nothing of PEFT runs where every parameter trains
        return
    method = METHODS.get(letters_of(text(lora, "method")))
    if method is None:
        run.refuse("lora", text(lora, "method"))
    run.inputs["method"] = "dora" if member(lora, "dora") is True else method
    read_dropout(run, lora)
    if run.inputs["method"] in HAS_MATRICES:
        rank = whole(lora, "rank")
        if not rank or rank < 1:
            raise NotCovered("The row does not tell the rank of the adapters.")
        run.inputs["rank"] = rank
        if not (told := targets_text(lora)):
            raise NotCovered("The row does not tell which maps get adapters.")
        read_targets(run, told)
    if run.inputs["method"] in ("prompt", "prefix"):
        read_virtual_tokens(run, lora)


def read_bitsandbytes(run, texts):
    """What its version did with the inputs of 4-bit multiplications; a new one where none is named."""
    versions = [version_after(told, name) for told in texts for name in ("bitsandbytes", "bnb")]
    if known := next((version for version in versions if version is not None), None):
        run.inputs["keeps_quantised_inputs"] = known < FREES_INPUTS
        return
    # LitGPT required 0.42 until it left Python 3.8 (litgpt, pyproject.toml), and the runs of its recipe table are of that time.
    run.inputs["keeps_quantised_inputs"] = run.profile == "litgpt"
    run.assume("bitsandbytes is 0.42, as in LitGPT's other measurements of the time: 4-bit multiplications keep their inputs."
               if run.profile == "litgpt" else "bitsandbytes is 0.43.2 or newer: 4-bit multiplications do not keep their inputs.")


def store_base(run, scheme):
    run.inputs["weight_dtype"] = scheme
    # Lightning Fabric replaces every linear map, the output head among them (plugins/precision/bitsandbytes.py).
    if run.profile == "litgpt" and scheme not in ("bf16", "fp16", "fp32"):
        run.inputs["quantised_head"] = True


def read_base(run):
    row, told = run.row, text(run.row, "quant")
    if run.inputs.get("method", "full") == "full":
        if told:
            raise NotCovered("Quantised weights that train as a whole are not covered.")
        return
    if not told:
        store_base(run, "fp32" if run.inputs["precision"] in ("fp32", "mixed_bf16", "sharded_bf16") else "bf16")
        return
    meanings, rest = understand(told, QUANTS)
    run.refuse_rest("quant", told, rest)
    if not meanings:
        run.refuse("quant", told)
    if scheme := next((meaning for meaning in meanings if meaning.startswith("gptq")), None):
        run.assume("GPTQ groups have 128 weights.")
        store_base(run, scheme)
        return
    if "int8_bnb" in meanings:
        store_base(run, "int8_bnb")
        return
    if "torchao" not in meanings:
        read_bitsandbytes(run, (text(row, "framework"), told, text(row, "notes")))
    # torchao's NF4Tensor quantises its scales too (torchao/dtypes/nf4tensor.py).
    store_base(run, "nf4_double_quant" if {"double", "torchao"} & set(meanings) else "nf4")
