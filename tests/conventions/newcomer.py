"""Conventions on what a newcomer is told: the README's commands exist, and a test that cannot do its work says so."""

import re

from repository import Problem

SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r"^(scripts/[\w.-]+)", re.MULTILINE)
TEST_COMMAND = "scripts/test"    # .ci/run takes it from the README and runs it


def check_commands_of_the_readme(repository):
    if "README.md" not in repository.paths:
        return
    text = repository.text("README.md")
    tests = 0
    for block in SHELL_BLOCK.finditer(text):
        for script in SCRIPT.finditer(block.group(1)):
            tests += script.group(1) == TEST_COMMAND
            if script.group(1) not in repository.paths:
                number = text.count("\n", 0, block.start(1) + script.start()) + 1
                yield Problem("README.md", number, f"there is no {script.group(1)}.", "Name a script that is there.")
    if tests != 1:
        yield Problem("README.md", 1, f"{tests} lines of its shell blocks begin with {TEST_COMMAND}.", "One must: .ci/run runs what it says.")


def check_tests_do_not_skip(repository):
    for path in repository.under("tests", "cmake", suffixes=("CMakeLists.txt", ".cmake")):
        for number, line in enumerate(repository.lines(path), 1):
            if re.search(r"\bSKIP_(RETURN_CODE|REGULAR_EXPRESSION)\b", line):
                yield Problem(path, number, "a test that skips hides what is missing.", "Let it fail, and let scripts/setup install what it needs.")
