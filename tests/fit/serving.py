#!/usr/bin/env python3
"""Fits core/catalog/data/serving.json anew: python3 tests/fit/serving.py FIT_SERVING EVIDENCE [--report | --fitted | --rows | --ranges]

FIT_SERVING is the program of that name (cmake --build build/native-fast --target fit_serving), EVIDENCE what
tests/corpus/convert/serving_load.py made of closed-load runs. One fit for each engine; --report only prints errors, --fitted those of
the runs in the fit, --rows also what is off by how much for each engine and GPU of them, --ranges keeps the fit and only tells anew how far its runs are from it.
"""

import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "core/catalog/data/serving.json"


def lines_of(rows, profiles):
    """Configuration, query and both times of the rows of those profiles."""
    for row in rows:
        times = {figure["counter"]: figure["value"] for figure in row["measured"]}
        if "query" in row and re.search(r"profile=([a-z_0-9]+)", row["query"])[1] in profiles and {"ttft_ms", "tpot_ms"} <= times.keys():
            yield "\t".join([row["config"].rsplit("/", 1)[0], row["query"], str(times["ttft_ms"]), str(times["tpot_ms"])])


def print_groups(lines):
    """Medians over the runs of an engine on a GPU: how far off both times are, and in which direction."""
    groups = {}
    for line in lines:
        configuration, _, first, simulated, _, each, step, _ = line.split("\t")
        group = groups.setdefault(" ".join(configuration.split("/")[i] for i in (-9, -7)), ([], []))
        for ratios, predicted, measured in zip(group, (simulated, step), (first, each)):
            ratios.append(float(predicted) / float(measured))
    for name, both in sorted(groups.items()):
        off = [f"{100 * statistics.median(abs(ratio - 1) for ratio in ratios):5.1f} % (predicted / measured {statistics.median(ratios):.2f})" for ratios in both]
        print(f"{name:24} {len(both[0]):4} runs: first {off[0]}, each {off[1]}")


def main(program, evidence, option):
    text = DATA.read_text()
    data = json.loads(text)
    rows = json.loads(Path(evidence).read_text())
    for engine in (name for name, row in data["engines"].items() if row.get("measured", True)):
        profiles = {profile for profile, of in data["profiles"].items() if of == engine}
        print(engine, file=sys.stderr, flush=True)
        done = subprocess.run([program] + ([option] if option else []), input="\n".join(lines_of(rows, profiles)) + "\n", capture_output=True, text=True)
        print(done.stderr, file=sys.stderr, flush=True)
        if option == "--rows":
            print_groups(line for line in done.stdout.splitlines() if "\t" in line)
        if option and option != "--ranges":
            continue
        for key, value in (line.split() for line in done.stdout.splitlines()):
            line = re.search(rf'  "{engine}": {{.*', text)[0]
            number = f"{float(value):.4g}"
            text = text.replace(line, re.sub(rf'"{key}": [^,}}]+', f'"{key}": {float(number):g}' if float(number) < 1e6 else f'"{key}": {int(float(number))}', line))
    if option in ("", "--ranges"):
        DATA.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "")
