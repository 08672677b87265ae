"""What the product answers to the questions of evidence: PLIMSOLL_CLI names the command that is asked."""

import json
import os
import shutil
import subprocess
import tempfile

from common import write_rows

MISSING = "Set PLIMSOLL_CLI to the plimsoll command: this test compares what the product answers, and does not pass without asking it."


def cli():
    named = os.environ.get("PLIMSOLL_CLI", "")
    if not named:
        raise AssertionError(MISSING)
    found = shutil.which(named)
    if found is None:
        raise AssertionError(f"PLIMSOLL_CLI is {named}, which cannot be run.")
    return found


def _run(*arguments):
    done = subprocess.run([cli(), *arguments], capture_output=True, text=True, check=False, timeout=120)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError as wrong:
        raise AssertionError(f"plimsoll {arguments[0]} printed no JSON ({wrong}): {done.stderr.strip()[:500]}") from wrong


def compared(rows):
    """`plimsoll accuracy FILE --json` of the evidence: one object for each figure, in the order of the rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "evidence.json")
        write_rows(path, rows)
        return _run("accuracy", path, "--json")


def asked(questions):
    """The predicted numbers of {name: (query, figure)}; a question that the product refuses fails with its reason."""
    rows = [{"id": name, "group": "", "query": query, "measured": [{"value": 1, **figure}]} for name, (query, figure) in questions.items()]
    made = {}
    for answer in compared(rows):
        if answer["status"] != "modelled":
            raise AssertionError(f"{answer['id']} is not answered: {answer['reason']}")
        made[answer["id"]] = answer["predicted"]
    return made


def estimate(query):
    """`plimsoll estimate QUERY --json`."""
    return _run("estimate", query, "--json")


PARAMETERS = {"counter": "parameters", "unit": "parameters"}
WEIGHTS = {"counter": "weights", "unit": "bytes"}
TRAINABLE = {"counter": "trainable_parameters", "unit": "parameters"}


def part(id, moment):
    return {"counter": "component", "unit": "bytes", "part": id, "moment": moment}
