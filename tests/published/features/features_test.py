"""What people expect of an estimator of memory, time and money, row by row: the command that answers, and what it must print.

features.json: `command` is what follows "plimsoll" on a command line, `files` what it reads; `expect` are triples of a path, the value and the
thousandths by which a number may be off. A path goes through the printed JSON by names and numbers, joined by points; one that begins with "~"
adds up `amount` of every component of that id, wherever it stands. `times` are a path, another command, and how many times what that prints at
the path this one must print, with thousandths: an input that did nothing would give the same. `proved` is a test that holds what no command shows, with words of it. A row
that has `missing` is not full, and says what it lacks. claims.json: what articles claim, likewise; `so` says what is instead.
"""

import json
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CLI = os.environ["PLIMSOLL_CLI"]
TABLE = json.loads((HERE / "features.json").read_text(encoding="utf-8"))
CLAIMS = json.loads((HERE / "claims.json").read_text(encoding="utf-8"))


def sum_of(tree, name):
    if isinstance(tree, list):
        return sum(sum_of(part, name) for part in tree)
    if not isinstance(tree, dict):
        return 0
    if tree.get("id") == name and "amount" in tree:
        return tree["amount"]
    return sum(sum_of(part, name) for part in tree.values())


def at(tree, path):
    if path.startswith("~"):
        return sum_of(tree.get("explanation", tree), path[1:])
    for step in path.split("."):
        tree = tree[int(step)] if isinstance(tree, list) else tree[step]
    return tree


def answer_of(row):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in row.get("files", {}).items():
            written = text if isinstance(text, str) else json.dumps(text)
            pathlib.Path(folder, name).write_text(written, encoding="utf-8")
        ran = subprocess.run([CLI, *shlex.split(row["command"]), "--json"], cwd=folder, capture_output=True, text=True, timeout=120)
    if not ran.stdout:
        raise AssertionError(ran.stderr)
    return json.loads(ran.stdout)


class Features(unittest.TestCase):
    def test_every_row_prints_what_its_source_says(self):
        for row in TABLE["rows"]:
            with self.subTest(row=row["row"]):
                if "proved" in row:
                    self.assertIn(row["words"], (ROOT / row["proved"]).read_text(encoding="utf-8"))
                    continue
                if "command" not in row:
                    self.assertIn("missing", row)
                    continue
                self.check(row)

    def test_what_is_claimed_is_shown_or_said_to_be_otherwise(self):
        for row in CLAIMS["claims"]:
            with self.subTest(claim=row["claim"]):
                if "command" in row:
                    self.check(row)
                else:
                    self.assertIn("so", row)

    def check(self, row):
        printed = answer_of(row)
        for path, value, thousandths in row["expect"]:
            found = at(printed, path)
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                self.assertLessEqual(abs(found - value), abs(value) * thousandths / 1000, f"{path}: {found}, not {value}")
            else:
                self.assertEqual(found, value, path)
        for path, other, factor, thousandths in row.get("times", []):
            ratio = at(printed, path) / at(answer_of({**row, "command": other}), path)
            self.assertLessEqual(abs(ratio - factor), factor * thousandths / 1000, f"{path}: {ratio} times, not {factor}")

    def test_the_count_of_full_rows_is_told(self):
        full = sum("missing" not in row for row in TABLE["rows"])
        self.assertEqual((full, len(TABLE["rows"])), (TABLE["full"], TABLE["of"]))


if __name__ == "__main__":
    unittest.main()
