"""Scenario files: a base, and a grid of values that multiplies it. One dictionary comes out for each combination."""

import hashlib
import itertools
import json
from pathlib import Path

# What a training scenario means where it does not say.
DEFAULTS = {"run": "train", "batch": 2, "seq": 2048, "regime": "bf16", "optimizer": "adamw_fused", "recompute": "none",
            "loop": "kept", "attention": "sdpa", "use_cache": False, "norm": "eager", "compile": False, "steps": 3}


def expand(path):
    file = json.loads(Path(path).read_text())
    for entry in file["scenarios"]:
        grid = entry.get("grid", {})
        for values in itertools.product(*grid.values()):
            scenario = {**DEFAULTS, **entry.get("base", {})}
            for key, value in zip(grid, values):
                # "model+layers": a pair of settings that belong together varies as one
                if "+" in key:
                    scenario.update(zip(key.split("+"), value))
                else:
                    scenario[key] = value
            scenario["id"] = identity(scenario)
            yield scenario


def identity(scenario):
    """Readable and unique: the settings that differ from the defaults, and a hash over all of them."""
    told = [str(scenario.get("model", scenario["run"])), f"{scenario['batch']}x{scenario['seq']}"]
    for key, value in scenario.items():
        if key in ("model", "batch", "seq", "id") or DEFAULTS.get(key) == value:
            continue
        if isinstance(value, dict):
            value = "-".join(f"{v}" for v in value.values() if not isinstance(v, (list, dict)))
        told.append(f"{value}" if isinstance(value, str) and key in ("regime", "optimizer", "run") else f"{key}={value}")
    return "/".join(told).replace(" ", "") + "/" + digest(scenario)[:6]


def digest(scenario):
    plain = {key: value for key, value in scenario.items() if key not in ("id", "time")}
    return hashlib.sha1(json.dumps(plain, sort_keys=True).encode()).hexdigest()
