"""Runs every command of the README's ```console blocks and compares what it prints.

    check_readme.py README.md path/to/plimsoll

A line "$ plimsoll ..." is a command, the lines up to the next one are its output; a line "..." stands for any lines. Other
commands (scripts/serve and the like) are not run.
"""
import pathlib
import re
import shlex
import subprocess
import sys


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


def main(readme, plimsoll):
    checked, failed = 0, 0
    for block in console_blocks(pathlib.Path(readme).read_text(encoding="utf-8")):
        for command, expected in commands(block):
            words = shlex.split(command)
            if words[0] != "plimsoll":
                continue
            printed = subprocess.run([plimsoll, *words[1:]], capture_output=True, text=True, check=False).stdout
            checked += 1
            if not pattern(expected).fullmatch(printed):
                failed += 1
                print(f"README: $ {command}\nshows:\n{expected}\nprints:\n{printed}")
    print(f"{checked} commands checked, {failed} differ")
    return 0 if checked > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
