"""Runs every command in ```console blocks of documents and compares what it prints, and so with the tables that a program wrote.

    check_readme.py README.md docs/accuracy.md path/to/plimsoll            compares
    check_readme.py --write README.md docs/accuracy.md path/to/plimsoll    writes the tables anew

In a console block, a line "$ plimsoll ..." is a command, the lines up to the next one are its output; a line "..." stands for any
lines. Other commands (scripts/serve and the like) are not run. A table stands between <!-- plimsoll ... --> and <!-- end -->, and is
all that this command prints. docs/accuracy.json, beside the second document, is all that ACCURACY prints. Patterns of files in a command (tests/corpus/*.json) are seen from the repository's folder.
"""
import pathlib
import re
import shlex
import subprocess
import sys
from itertools import islice, zip_longest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
ACCURACY = "plimsoll accuracy --by-file tests/corpus/*.json"
TABLE = re.compile(r"^(<!-- (plimsoll [^\n]*?) -->\n)(.*?)^(<!-- end -->)$", re.DOTALL | re.MULTILINE)


def console_blocks(text):
    return re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def commands(block):
    """Pairs of a command line and its expected output."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        while command.endswith("\\"):
            more, _, output = output.partition("\n")
            command = command[:-1] + more.strip()
        yield command, output


def pattern(expected):
    """The expected output as a regular expression."""
    lines = [".*" if line.strip() == "..." else re.escape(line) for line in expected.rstrip("\n").split("\n")]
    return re.compile("\n".join(lines) + r"\n*", re.DOTALL)


def printed_by(words, plimsoll):
    files = [[word] if "*" not in word else sorted(str(path.relative_to(REPOSITORY)) for path in REPOSITORY.glob(word)) for word in words[1:]]
    run = subprocess.run([plimsoll, *(word for some in files for word in some)], capture_output=True, encoding="utf-8", check=False, cwd=REPOSITORY)
    return run.stdout, run


def table_of(command, plimsoll):
    """What stands between the two comments; fails when the command does."""
    printed, run = printed_by(shlex.split(command), plimsoll)
    if run.returncode != 0 or not printed:
        sys.exit(f"{command}: status {run.returncode}\n{run.stderr}")
    return printed


def write(documents, plimsoll):
    for path in documents:
        text = path.read_text(encoding="utf-8")
        path.write_text(TABLE.sub(lambda found: found[1] + table_of(found[2], plimsoll) + found[4], text), encoding="utf-8")
    evidence_beside(documents).write_text(table_of(ACCURACY, plimsoll), encoding="utf-8")
    return 0


def evidence_beside(documents):
    return documents[-1].with_name("accuracy.json")


def differing_lines(expected, printed, most=5):
    """The first lines that differ: a row each."""
    pairs = zip_longest(expected.splitlines(), printed.splitlines(), fillvalue="")
    return list(islice((f"shows:  {old}\nprints: {new}" for old, new in pairs if old != new), most))


def check(documents, plimsoll):
    checked, tables, failed = 0, 0, 0
    for path in documents:
        text = path.read_text(encoding="utf-8")
        for block in console_blocks(text):
            for command, expected in commands(block):
                words = shlex.split(command)
                if words[0] != "plimsoll":
                    continue
                printed, _ = printed_by(words, plimsoll)
                checked += 1
                if not pattern(expected).fullmatch(printed):
                    failed += 1
                    print(f"{path.name}: $ {command}\nshows:\n{expected}\nprints:\n{printed}")
        for _, command, expected, _ in TABLE.findall(text):
            printed = table_of(command, plimsoll)
            tables += 1
            if printed != expected:
                failed += 1
                print(f"{path.name}: {command}\nshows:\n{expected}\nprints:\n{printed}\nWrite it anew with check_readme.py --write.")
    expected, printed = evidence_beside(documents).read_text(encoding="utf-8"), table_of(ACCURACY, plimsoll)
    if printed != expected:
        failed += 1
        print("\n".join([f"docs/accuracy.json: {ACCURACY}", *differing_lines(expected, printed), "Write it anew with check_readme.py --write."]))
    print(f"{checked} commands and {tables} tables checked, {failed} differ")
    return 0 if checked > 0 and tables > 0 and failed == 0 else 1


def main(*words):
    task, words = (write, words[1:]) if words[0] == "--write" else (check, words)
    *documents, plimsoll = (pathlib.Path(word).resolve() for word in words)
    return task(documents, plimsoll)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
