#!/usr/bin/env python3
"""Checks what reviewers should not have to: python3 tests/conventions/conventions.py [repository]

Prints one line for each problem, as path:line: what is wrong, what to do. Exit status 1 when there are any.
A new convention is a function that takes a Repository and yields Problems, added to CHECKS, with a sample that breaks it
in self_test.py.
"""

import sys
from pathlib import Path

import data
import includes
import newcomer
import source
import tracked
from repository import Repository

CHECKS = (
    includes.check_core_directions,
    includes.check_front_end_includes,
    source.check_file_sizes,
    source.check_platform_macros,
    source.check_mutable_statics,
    source.check_unit_literals,
    source.check_degree_divisions,
    data.check_data_parses,
    data.check_device_units,
    data.check_sources_and_dates,
    data.check_citations,
    tracked.check_no_build_outputs,
    tracked.check_no_vendored_code,
    tracked.check_no_machine_paths,
    tracked.check_page_loads_its_own_files,
    newcomer.check_commands_of_the_readme,
    newcomer.check_tests_do_not_skip,
)


def main(root):
    repository = Repository(root)
    problems = [problem for check in CHECKS for problem in check(repository)]
    for problem in problems:
        print(problem)
    print(f"{len(repository.paths)} files, {len(CHECKS)} conventions, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]))
