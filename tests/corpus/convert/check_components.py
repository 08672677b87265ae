"""Asks for what an answer's tree tells and its numbers do not: the component of a figure at a moment, and how many parameters train.

python3 tests/corpus/convert/check_components.py CLI EVIDENCE...

Until `plimsoll accuracy` reads evidence itself: `plimsoll explain` shows the tree of the fullest moment alone, so that a component of the
activations is told from what they lose when its width is 1.
"""

import json
import re
import subprocess
import sys

from common import read_rows

ACTIVATIONS, OPTIMIZER = "memory.activations", ("memory.optimizer.states", "memory.optimizer")
WIDTHS = {"memory.activations.mlp": "intermediate_size"}


def ask(cli, command, query):
    done = subprocess.run([cli, command, query, "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def find(tree, id):
    return tree if tree["id"] == id else next(filter(None, (find(part, id) for part in tree["parts"])), None)


def part_at(answer, part, moment):
    moments = {one["moment"]: one["parts"] for one in answer["estimate"]["moments"]}
    return sum(one["bytes"] for one in moments[moment] if one["id"] == part)


def component(cli, query, figure):
    answer = ask(cli, "estimate", query)
    if figure["part"] not in WIDTHS:
        return part_at(answer, figure["part"], figure["moment"])
    name = WIDTHS[figure["part"]]
    width = int(re.search(f"{name}=([0-9]+)", query).group(1))
    narrow = ask(cli, "estimate", re.sub(f"{name}=[0-9]+", f"{name}=1", query))
    lost = part_at(answer, ACTIVATIONS, figure["moment"]) - part_at(narrow, ACTIVATIONS, figure["moment"])
    return lost * width // (width - 1)


def trained(cli, query):
    tree = ask(cli, "explain", query)["explanation"]["memory"]
    states = next(filter(None, (find(tree, id) for id in OPTIMIZER)), {"symbols": []})
    return next((symbol["value"] for symbol in states["symbols"] if symbol["name"] == "elements"), None)


def predicted(cli, row, figure):
    if figure["counter"] == "trainable_parameters":
        return trained(cli, row["query"])
    if figure["counter"] != "component":
        return None
    return component(cli, row["query"], figure) - (component(cli, row["minus"], figure) if "minus" in row else 0)


def main(cli, *paths):
    errors = {}
    for row in (row for path in paths for row in read_rows(path) if "query" in row):
        for figure in row["measured"]:
            said = predicted(cli, row, figure)
            if said is None:
                continue
            error = (said + figure.get("explained", 0)) / figure["value"] - 1
            errors.setdefault((row["group"], figure["counter"]), []).append(abs(error))
            if abs(error) > 0.01:
                print(f"{error:+.1%} {row['id']}: {said} of {figure['value']} {figure['unit']}, needs {row.get('needs')}")
    for (group, counter), found in sorted(errors.items()):
        found.sort()
        print(f"{group:30}{counter:22}{len(found):5}  median {found[len(found) // 2]:.3%}  worst {found[-1]:.3%}")


if __name__ == "__main__":
    main(*sys.argv[1:])
