"""A process of its own for one setting of the environment: tests/measure/process.py."""

from common import NotCovered, is_whole
from measured_steps_rows import figures
from measured_steps_rows.part import apart, ask
from measured_steps_rows.settings import EVERYWHERE
from measured_steps_rows.steps import read_step
from sections import Section

KNOWN = EVERYWHERE | {"env", "lengths"}
EXPANDABLE = {"PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"}
# The inputs that the environment would set, and the counters that they decide.
DECIDES = {"module_loading": {"process", "context"}}


def read_environment(row):
    """What no input says, by the name that the input would have."""
    scenario, needs = Section(row, "scenario"), {}
    if scenario.has("env") and not isinstance(scenario.find("env"), dict):
        raise NotCovered("scenario.env is no list of settings by name.")
    for name, value in scenario.inside("env").members.items():
        if name in EXPANDABLE and value == "expandable_segments:True":
            continue  # an input: read_process
        if name == "CUDA_MODULE_LOADING" and value == "EAGER":
            needs["module_loading"] = "eager"
        elif value is not None:
            raise NotCovered(f"scenario.env.{name} is {value!r}, which is not covered.")
    return needs


def read_lengths(row):
    """Steps of different lengths, whose sequences are all as long as each other: the longest, and the mean of all."""
    lengths = Section(row, "workload").find("lengths")
    if not isinstance(lengths, list) or not lengths or not all(is_whole(length) and length >= 1 for length in lengths):
        raise NotCovered("workload.lengths is no list of tokens.")
    longest = int(max(lengths))
    if min(lengths) == longest:
        return {"context_tokens": longest}
    return {"context_tokens": longest, "batching": "padded", "mean_tokens": round(sum(lengths) / len(lengths))}


def read_process(row, assumed):
    read_environment(row)
    expandable = any(name in EXPANDABLE and value is not None for name, value in Section(row, "scenario").inside("env").members.items())
    return read_step(row, assumed, KNOWN) | read_lengths(row) | ({"expandable_segments": "on"} if expandable else {})


def process(row):
    part = ask(row, read_process, figures.of_process)
    needs = {} if part.reason else read_environment(row)
    return apart(part, lambda figure: any(figure.get("moment", figure["counter"]) in DECIDES[name] for name in needs),
                 f"No input sets {' and '.join(needs)}.", needs)
