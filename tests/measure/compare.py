#!/usr/bin/env python3
"""Measured steps against the estimator's predictions, moment by moment.

  compare.py h200.json --cli build/cli/plimsoll [--moments] [--only TEXT]

tests/corpus/convert/measured_steps.py makes the questions, and says what today's inputs cannot describe; `plimsoll accuracy` compares
whole steps with them; this adds the moments inside of a step. Predicted bytes are those of `plimsoll explain --json` less what the allocator does not see. Measured bytes are the
allocator's peaks of the last step (optimizer states exist, `out` of the step before)."""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus" / "convert"))

from common import convert_rows  # noqa: E402: found by the line above
from measured_steps import convert  # noqa: E402

# The estimator's moments, and the measured interval that each of them claims to predict.
MOMENTS = {"forward_end": "forward_end", "loss_backward": "loss_backward", "head_backward": "head_backward",
           "last_layer_backward": "last_layer_backward", "first_layer_backward": "first_layer_backward",
           "backward_end": "embedding_backward", "optimizer_step": "optimizer_step"}

# Components outside of the framework's allocator.
OUTSIDE = ("memory.runtime.context", "memory.communicators")


def read_rows(path):
    text = Path(path).read_text()
    rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    return {row["id"]: row for row in rows if row["kind"] == "training"}


def questions(rows):
    """Group and query of every row that has a question, by id."""
    return {row["id"]: (row["group"], row["query"]) for row in convert_rows(rows.values(), convert) if "query" in row}


def amounts(node, wanted):
    """The sum of all components whose id begins so, the outermost ones alone."""
    if any(node["id"].startswith(each) for each in wanted):
        return node["amount"]
    return sum(amounts(part, wanted) for part in node.get("parts", []))


def predict(cli, query):
    answer = json.loads(subprocess.run([cli, "explain", "--json", query], capture_output=True, text=True).stdout)
    outside = amounts(answer["explanation"]["memory"], OUTSIDE)
    return {moment["moment"]: moment["bytes"] - outside for moment in answer["estimate"]["moments"]}


def statistics(errors):
    ordered = sorted(errors, key=abs)
    return f"{len(errors):4d}  median {100 * abs(ordered[len(ordered) // 2]):6.2f} %  worst {100 * ordered[-1]:+7.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--only", default="", help="rows whose id has this text")
    parser.add_argument("--moments", action="store_true", help="every moment of each row, with the difference in bytes per token")
    args = parser.parse_args()
    errors = defaultdict(lambda: defaultdict(list))
    rows = read_rows(args.rows)
    for name, (group, query) in questions(rows).items():
        if args.only not in name or name not in rows:
            continue
        predicted, row = predict(args.cli, query), rows[name]
        peaks, tokens = row["measured"]["steady"]["peaks"], row["scenario"]["batch"] * row["scenario"]["seq"]
        if args.moments:
            print(name)
        for moment, interval in MOMENTS.items():
            if interval not in peaks or moment not in predicted:
                continue
            value, guess = peaks[interval], predicted[moment]
            errors["all"][moment].append(guess / value - 1)
            errors[group][moment].append(guess / value - 1)
            if args.moments:
                print(f"  {moment:<22} {value:>14} {guess:>14} {100 * (guess / value - 1):+7.2f} %"
                      f"  {guess - value:>13}  {(guess - value) / tokens:>11.1f} B/token")
    for group in sorted(errors):
        print(f"\n{group}")
        for moment, values in errors[group].items():
            print(f"  {moment:<22} {statistics(values)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
