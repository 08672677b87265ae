#!/usr/bin/env python3
"""Fits core/catalog/data/serving.json anew: python3 tests/fit/serving.py FIT_SERVING EVIDENCE [--report]

FIT_SERVING is the program of that name (cmake --build build/native-fast --target fit_serving), EVIDENCE what
tests/corpus/convert/serving_load.py made of closed-load runs. One fit for each engine; --report only prints errors.
"""

import json
import re
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


def main(program, evidence, report):
    text = DATA.read_text()
    data = json.loads(text)
    rows = json.loads(Path(evidence).read_text())
    for engine in data["engines"]:
        profiles = {profile for profile, of in data["profiles"].items() if of == engine}
        print(engine, file=sys.stderr, flush=True)
        done = subprocess.run([program] + (["--report"] if report else []), input="\n".join(lines_of(rows, profiles)) + "\n", capture_output=True, text=True)
        print(done.stderr, file=sys.stderr, flush=True)
        for key, value in (line.split() for line in done.stdout.splitlines()):
            line = re.search(rf'  "{engine}": {{.*', text)[0]
            number = f"{float(value):.4g}"
            text = text.replace(line, re.sub(rf'"{key}": [^,}}]+', f'"{key}": {float(number):g}' if float(number) < 1e6 else f'"{key}": {int(float(number))}', line))
    if not report:
        DATA.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], "--report" in sys.argv)
