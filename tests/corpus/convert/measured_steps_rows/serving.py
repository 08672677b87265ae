"""Prefill and decoding of a plain loop over transformers' models: tests/measure/serve.py."""

from common import NotCovered
from measured_steps_rows import figures
from measured_steps_rows.model import read_model
from measured_steps_rows.part import apart, ask
from measured_steps_rows.settings import EVERYWHERE, LacksInput, refuse_others
from measured_steps_rows.steps import read_device
from sections import Section

KNOWN = EVERYWHERE | {"answers", "last_only"}


def read_serving(row, tokens):
    """Weights in bf16, a cache that grows with every token, prompts read in one pass."""
    scenario, workload = Section(row, "scenario"), Section(row, "workload")
    if scenario.text("run") != "serve":
        raise NotCovered(f"scenario.run is {scenario.find('run')!r}, which does not serve.")
    refuse_others(scenario, KNOWN)
    scenario.choice("attention", {"sdpa": None}, "sdpa")
    scenario.choice("regime", {"bf16": None}, "bf16")
    Section(row, "implementation").choice("cache", {"DynamicCache": None}, "DynamicCache")
    if not workload.flag("last_logits_only", True):
        raise LacksInput("Logits of every token of the prompt are not covered.", prompt_logits=True)
    if (scenario.integer("batch"), scenario.integer("seq")) != (workload.integer("batch"), workload.integer("prompt")):
        raise NotCovered("The row's workload is not the scenario's.")
    whole = workload.integer("prompt") + workload.integer("answers")  # for which tables of positions are made
    return {**read_model(row, whole), "device": read_device(row), "task": "inference", "profile": "transformers",
            "context_tokens": whole if tokens == "all" else workload.integer("prompt"), "batch": workload.integer("batch"),
            "weight_dtype": "bf16"}


def inference(row):
    """What prompts need that are read, and a token of their answers takes. The estimate's first token is that of one prompt alone."""
    prompts = ask(row, lambda row, _assumed: read_serving(row, "prompt"), figures.of_prompts)
    answers = ask(row, lambda row, _assumed: read_serving(row, "all"), figures.of_answers)
    together = prompts.inputs.get("batch", 1)
    return apart(prompts, lambda figure: figure["counter"] == "ttft_ms", "No answer tells how long several prompts take together.",
                 {"prompts_at_once": together} if together > 1 else {}) + [answers]
