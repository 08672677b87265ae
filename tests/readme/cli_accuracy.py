"""One file of rows that cannot be read hides no other.

    cli_accuracy.py path/to/plimsoll folder/of/evidence
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def main(plimsoll, evidence):
    good = [str(path) for path in sorted(pathlib.Path(evidence).glob("*.json"))[:2]]
    rows = len({row["id"] for path in good for row in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))})
    with tempfile.TemporaryDirectory() as folder:
        broken = pathlib.Path(folder, "broken.json")
        broken.write_text("[", encoding="utf-8")
        bad = [folder, str(pathlib.Path(folder, "missing.json")), str(broken)]
        run = subprocess.run([plimsoll, "accuracy", "--json", bad[0], good[0], *bad[1:], good[1]], capture_output=True, encoding="utf-8", check=False)
    wrong = []
    if run.returncode != 1:
        wrong.append(f"status {run.returncode}, not 1")
    if len({row["id"] for row in json.loads(run.stdout)}) != rows:
        wrong.append("not every row of the files that can be read")
    wrong += [f"nothing about {path}" for path in bad if path not in run.stderr]
    print("\n".join(wrong) or f"{rows} rows beside {len(bad)} files that cannot be read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
