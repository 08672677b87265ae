"""{"rank", "targets", "fp32", "dropout", "dora"}: tests/measure/train.py, add_adapters."""

from common import NotCovered
from measured_steps_rows.settings import refuse_others
from peft_rows.targets import CHOICES, ORDER, targets_of


def targets_text(peft):
    """The choice that names this very set, else the list."""
    modules = peft.find("targets")
    if not isinstance(modules, list) or not modules or not all(isinstance(module, str) for module in modules):
        raise NotCovered(f"{peft.path}targets is no list of modules.")
    targets = targets_of(modules)
    named = next((choice for choice, parts in CHOICES.items() if set(parts.split(",")) == targets), None)
    return named or ",".join(target for target in ORDER if target in targets)


def read_adapters(scenario, regime):
    """Adapters beside frozen weights, in fp32 unless autocast_adapter_dtype is off."""
    if not scenario.has("peft"):
        return {}
    peft = scenario.inside("peft")
    refuse_others(peft, {"rank", "targets", "fp32", "dropout", "dora"})
    half = regime == "bf16" and not peft.flag("fp32", True)
    return {"task": "finetune", "method": "dora" if peft.flag("dora") else "lora", "rank": peft.integer("rank"),
            "targets": targets_text(peft), "adapter_dtype": "half" if half else "fp32",
            "adapter_dropout": True if peft.real("dropout", 0.0) > 0 else None, "weight_dtype": "bf16" if regime == "bf16" else "fp32"}
