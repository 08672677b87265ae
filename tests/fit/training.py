"""Rows for fit_training: python3 tests/fit/training.py tests/corpus/training-runs.json … | build/native-fast/tests/fit/fit_training

Throughputs, and times of steps: the unit says which."""

import json
import sys
from urllib.parse import parse_qs

for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    for row in rows:
        for figure in row["measured"]:
            if figure["counter"] not in ("tokens_per_s_per_gpu", "step_time_s") or row.get("twin") or row.get("set") or "query" not in row:
                continue
            asked = parse_qs(row["query"])
            configuration = " ".join(asked.get(name, [""])[0] for name in ("model", "device", "hidden_size", "layers"))
            print(configuration, row["query"], figure["value"], figure["unit"], sep="\t")
