#!/usr/bin/env python3
"""Would one have chosen well? Of each model, GPU and load that was measured in two layouts, engines or formats or more: how many answer tokens per
second and GPU the configuration loses that is best as predicted, against the one that is best as measured.

plimsoll accuracy --json EVIDENCE | python3 tests/corpus/best_configuration.py

EVIDENCE is what tests/corpus/convert/serving_load.py made: the load is concurrency, prompt and answer tokens of the question.
"""

import json
import sys
from statistics import mean
from urllib.parse import parse_qs

LOAD = ("model", "device", "prompt_tokens", "answer_tokens", "concurrency")
DEGREES = ("tensor_parallel", "pipeline_parallel", "data_parallel")
NEAR = 0.1  # what is lost at most where the choice counts as good


def rate(inputs, first_ms, each_ms):
    """Answer tokens per second and GPU by Little's law."""
    gpus = 1
    for degree in DEGREES:
        gpus *= int(inputs.get(degree, 1))
    answer = int(inputs["answer_tokens"])
    return int(inputs["concurrency"]) * answer * 1000 / (first_ms + each_ms * (answer - 1)) / gpus


def groups_of(figures):
    """Of each load the rates of its configurations, as predicted and as measured; runs of one question are one configuration, their mean."""
    runs = {}
    for figure in figures:
        if figure["status"] == "modelled" and figure["metric"] in ("ttft_ms", "tpot_ms") and figure["measured"]:
            runs.setdefault(figure["id"], {})[figure["metric"]] = figure
    groups = {}
    for times in runs.values():
        if len(times) < 2:
            continue
        inputs = {name: values[0] for name, values in parse_qs(times["ttft_ms"]["scenario"]).items()}
        if not all(name in inputs for name in LOAD):
            continue
        rates = [rate(inputs, times["ttft_ms"][side], times["tpot_ms"][side]) for side in ("predicted", "measured")]
        groups.setdefault(tuple(inputs[name] for name in LOAD), {}).setdefault(times["ttft_ms"]["scenario"], []).append(rates)
    of_load = {load: [[mean(side) for side in zip(*repeated)] for repeated in by_scenario.values()] for load, by_scenario in groups.items()}
    return {load: rates for load, rates in of_load.items() if len(rates) > 1}


def lost(rates):
    """The share of the best measured rate that the choice by prediction does not have."""
    return 1 - max(rates)[1] / max(measured for _, measured in rates)


def main():
    groups = groups_of(json.load(sys.stdin))
    if not groups:
        sys.exit("No load was measured in two configurations.")
    losses = {load: lost(rates) for load, rates in groups.items()}
    good = sum(loss <= NEAR for loss in losses.values())
    print(f"{good} of {len(losses)} loads ({100 * good / len(losses):.0f} %): the choice is within {100 * NEAR:.0f} % of the best")
    for load, loss in sorted(losses.items(), key=lambda item: -item[1]):
        if loss > NEAR:
            print(f"{100 * loss:5.1f} % lost: {' '.join(f'{name}={value}' for name, value in zip(LOAD, load))}, of {len(groups[load])} configurations")


if __name__ == "__main__":
    main()
