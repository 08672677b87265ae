"""NVIDIA's tables of Megatron-Bridge's performance, as `bridge-training.json` has them: rows of training_runs.py with columns for the layout.

python3 tests/corpus/convert/bridge_training.py IN OUT
"""

import training_runs
from common import main


def fsdp_of(row):
    """The column FSDP says how many GPUs share the weights, or, where it says 1, that all replicas do."""
    return row.get("dp") if row.get("fsdp") == 1 else row.get("fsdp")


def convert(row):
    degrees = {"FSDP": fsdp_of(row), "TP": row.get("tp"), "PP": row.get("pp"), "CP": row.get("cp"), "VP": row.get("vp"), "EP": row.get("ep")}
    words = " ".join(f"{name}{degree}" for name, degree in degrees.items() if degree)
    made = training_runs.convert(row | {"parallelism": words})
    return made | ({"config": row["config_group"]} if row.get("config_group") else {})


if __name__ == "__main__":
    main(convert)
