#!/usr/bin/env python3
"""How far off the times of training are, by what was trained on what.

python3 tests/corpus/training_figures.py PLIMSOLL

Prints medians, nine of ten, and how many lie in the range, of the rows in tests/corpus; how many GPU-hours are within 1.25 and 1.5 times, and as many
where each job is left out of what published jobs on such devices reach; and how often of two layouts of one model, on as many GPUs, the faster is
predicted to be faster, where they differ by more than a tenth. What rows are off by that were left out of the fit, tests/fit/fit_training prints.
"""

import itertools
import json
import math
import subprocess
import sys
from pathlib import Path
from statistics import median
from urllib.parse import parse_qsl

FOLDER = Path(__file__).parent
FILES = ("training-runs", "bridge-training", "mlperf-training", "rl-steps", "rl-phases", "megatron")
DEGREES = ("tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel")
EXPERTS = ("a3b", "a12b", "a22b", "a55b", "v3", "oss", "mixtral", "kimi")
DIFFER = 1.1
FEW = 8  # jobs, which a share of their time is not chosen by


def rows_of(program):
    for name in FILES:
        done = subprocess.run([program, "accuracy", str(FOLDER / f"{name}.json"), "--json"], capture_output=True, text=True, check=False)
        for row in json.loads(done.stdout):
            if row["status"] != "modelled" or not row["measured"] or row["predicted"] is None:
                continue
            inputs = dict(parse_qsl(row["scenario"]))
            gpus = math.prod(int(inputs.get(degree, 1)) for degree in DEGREES)
            yield row | {"file": name, "inputs": inputs, "gpus": gpus, "off": abs(row["predicted"] / row["measured"] - 1)}


def show(what, rows):
    if not rows:
        return
    off = sorted(row["off"] for row in rows)
    inside = sum(row["low"] <= row["measured"] <= row["high"] for row in rows)
    print(f"{what:44} {len(rows):4} rows  median {100 * median(off):5.1f} %  nine of ten {100 * off[min(len(off) - 1, len(off) * 9 // 10)]:5.1f} %  in range {100 * inside // len(rows)} %")


def pairs(rows):
    """(in order, all) of layouts that differ by more than a tenth as measured."""
    groups = {}
    for row in rows:
        inputs = row["inputs"]
        key = (row["file"], row["gpus"], *(inputs.get(name) for name in ("model", "device", "context_tokens", "fp8", "precision", "profile", "task")))
        groups.setdefault(key, []).append(row)
    judged = [(one["predicted"] - other["predicted"]) * (one["measured"] - other["measured"]) > 0
              for group in groups.values() for one, other in itertools.combinations(group, 2)
              if max(one["measured"], other["measured"]) > DIFFER * min(one["measured"], other["measured"])]
    return sum(judged), len(judged)


def fitted(jobs):
    """What predictions are multiplied by so that half of the jobs are above and half below: how a share of a job's time is chosen."""
    return math.exp(median(math.log(job["measured"] / job["predicted"]) for job in jobs))


def left_out(jobs):
    """Predictions of each job with the share of its time that suits the others on such GPUs."""
    for job in jobs:
        others = [other for other in jobs if other is not job and other["inputs"]["device"][0] == job["inputs"]["device"][0] and (other["gpus"] > 8) == (job["gpus"] > 8)]
        yield job["predicted"] * (fitted(others) if len(others) >= FEW else 1)


def within(times, predicted, jobs):
    good = sum(max(guess / job["measured"], job["measured"] / guess) <= times for guess, job in zip(predicted, jobs))
    return f"{100 * good / len(jobs):.1f} %"


def main(program):
    rows = list(rows_of(program))
    speed = [row for row in rows if row["metric"] == "tokens_per_s_per_gpu"]
    show("tokens per second, published runs", [row for row in speed if row["file"] == "training-runs"])
    show("tokens per second, tables of Megatron-Bridge", [row for row in speed if row["file"] == "bridge-training"])
    show("  mixtures of experts", [row for row in speed if any(word in row["inputs"].get("model", "") for word in EXPERTS)])
    show("  more than 512 GPUs", [row for row in speed if row["gpus"] > 512])
    mlperf = [row for row in rows if row["file"] == "mlperf-training"]
    steps = [row for row in mlperf if row["metric"] == "step_time_s"]
    show("MLPerf: steps", steps)
    show("  AMD", [row for row in steps if row["inputs"].get("device", "").startswith("mi")])
    show("  adapters", [row for row in steps if "lora" in row["inputs"].get("method", "")])
    show("  more than 512 GPUs", [row for row in steps if row["gpus"] > 512])
    show("MLPerf: whole runs", [row for row in mlperf if row["metric"] == "job_time_s"])
    show("Megatron-LM's functional tests: steps", [row for row in rows if row["file"] == "megatron" and row["metric"] == "step_time_s"])
    for metric in ("learning_step_s", "training_s", "weight_transfer_s"):
        show(f"reinforcement learning: {metric}", [row for row in rows if row["metric"] == metric])
    jobs = [row for row in rows if row["metric"] == "gpu_hours"]
    for what, predicted in (("GPU-hours", [job["predicted"] for job in jobs]), ("GPU-hours, each job left out", list(left_out(jobs)))):
        print(f"{what:44} {len(jobs):4} rows  within 1.25 times {within(1.25, predicted, jobs)}, within 1.5 times {within(1.5, predicted, jobs)}")
    good, all_pairs = pairs(speed)
    print(f"{'layouts in the order of their speed':44} {good} of {all_pairs} pairs")


if __name__ == "__main__":
    main(*sys.argv[1:])
