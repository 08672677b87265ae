#!/usr/bin/env python3
"""JSON lines of one or more runs become one corpus file, in the schema of the other corpora.

  collect.py rows1.jsonl rows2.jsonl --out h200.json

A later line replaces an earlier one of the same id, so a run can be repeated. Failures and smoke runs stay out.
tests/corpus/convert/measured_steps.py makes of that file questions that `plimsoll accuracy` reads."""

import argparse
import json
from pathlib import Path

import scenario as scenarios


def listed():
    """Every id that the scenario files of this folder would make, with its file: rows of no file cannot be repeated."""
    folder = Path(__file__).parent / "scenarios"
    return {item["id"]: path.name for path in sorted(folder.glob("*.json")) for item in scenarios.expand(path)
            if path.name != "smoke.json"}


def compact(row):
    """Lists of many layers say the same thing many times: the first, the last and their number are enough."""
    for step in ("first", "steady"):
        summary = row.get("measured", {}).get(step)
        if not isinstance(summary, dict):
            continue
        for key in ("layer_peaks", "layer_ends", "layer_saved"):
            values = summary.get(key, [])
            if len(values) > 8:
                summary[key] = values[:4] + values[-4:]
                summary[key + "_of"] = len(values)
    return row


def corpus_row(row, file):
    identity = scenarios.digest(row["scenario"])
    row = {"id": "h200/" + row["id"], "kind": row["kind"],
           "source": {"repo": "plimsoll", "path": f"tests/measure/scenarios/{file}"},
           "config_id": identity[:12], "dup_of": None, "split": "dev" if int(identity, 16) % 100 < 60 else "heldout",
           **{key: value for key, value in row.items() if key not in ("id", "kind", "config_id", "concurrent", "wall_s")}}
    return compact(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="+")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    files, found = listed(), {}
    for path in args.rows:
        for line in Path(path).read_text().splitlines():
            row = json.loads(line)
            if row["kind"] != "failed" and row["id"] in files:
                found[row["id"]] = corpus_row(row, files[row["id"]])
    order = sorted(found.values(), key=lambda row: (row["kind"], row["source"]["path"], row["id"]))
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in order)
    Path(args.out).write_text("[\n" + lines + "\n]\n")
    print(f"{len(order)} rows: " + ", ".join(f"{kind} {sum(r['kind'] == kind for r in order)}"
                                             for kind in sorted({r["kind"] for r in order})))


if __name__ == "__main__":
    main()
