"""The question of a training step that tests/measure ran."""

from catalog import find_devices
from common import NotCovered
from measured_steps_rows import figures
from measured_steps_rows.adapters import read_adapters
from measured_steps_rows.code import OLD_LOGITS, read_code
from measured_steps_rows.model import matrices_of_layer, read_model
from measured_steps_rows.part import apart, ask
from measured_steps_rows.ranks import read_ranks
from measured_steps_rows.settings import EVERYWHERE, refuse_others, refuse_unused
from measured_steps_rows.work import read_optimizer, read_recompute, read_regime, read_tokens
from sections import Section

KNOWN = EVERYWHERE | {"accumulate", "clip", "optim", "peft", "ranks"}
HALF = 2  # bytes


def read_device(row):
    name = Section(row, "gpu").text("name")
    devices = find_devices(name)
    if len(devices) != 1:
        raise NotCovered(f"The device {name!r} is not in the catalogue.")
    return devices[0]["id"]


def read_step(row, assumed, known=KNOWN):
    scenario = Section(row, "scenario")
    if not scenario.members:
        raise NotCovered("The row has no scenario.")
    refuse_others(scenario, known)
    refuse_unused(scenario)
    tokens = read_tokens(scenario, Section(row, "workload"))
    regime = read_regime(scenario, Section(row, "precision"))
    inputs = {**read_model(row, tokens["context_tokens"]), "device": read_device(row), "task": "pretrain", **tokens, "precision": regime,
              "optimizer": read_optimizer(scenario), "recompute": read_recompute(scenario)}
    inputs |= read_code(row, scenario, Section(row, "model"), regime, assumed)
    return inputs | read_ranks(scenario, Section(row, "strategy"), regime, assumed) | read_adapters(scenario, regime)


def kept_outputs(row):
    """What the outputs of a step keep until the next, where that is not the logits alone or, as the loss input has it, nothing."""
    scenario = Section(row, "scenario")
    if scenario.find("run") == "trainer" or scenario.find("loop") == "dropped":
        return {}
    if scenario.find("loop") == "deleted":
        return {"kept_outputs": "none"}
    return {} if scenario.find("use_cache") is False else {"kept_outputs": "logits,keys,values"}


def training(row):
    return apart(ask(row, read_step, figures.of_steps), lambda figure: figure.get("moment") == "between_steps",
                 "No input says what the outputs of a step keep until the next.", kept_outputs(row))


def read_layer(row, assumed):
    """One layer of the model: all are alike."""
    return read_step(row, assumed) | {"layers": 1}


def copies_of_layer(inputs):
    """Autocast's 16-bit copies of a layer's matrices, which autograd keeps for the gradient of their input, and which the estimate counts
    with the weights."""
    return HALF * matrices_of_layer(inputs) if inputs.get("precision") == "mixed_bf16" else None


def saved_tensors(row):
    """What autograd keeps of one layer."""
    def of_layer(measured, inputs):
        return figures.counted(measured, "layer_bytes", "requested", moment="layer_saved", explained=copies_of_layer(inputs))

    return [ask(row, read_layer, of_layer)]


def read_anatomy(row, assumed):
    """The recorded step is the first of a new loop: no logits of a step before are there, which the peak does not depend on."""
    inputs = read_step(row, assumed)
    if OLD_LOGITS not in assumed and inputs.get("loss") is None:
        assumed.append(OLD_LOGITS)
    return inputs


def anatomy(row):
    return [ask(row, read_anatomy, figures.of_anatomy)]
