"""The command line: ``python -m plimsoll`` and the script ``plimsoll``."""

import sys

from . import _core


def main() -> int:
    """Does what the words of the command line say; the exit status is that of the program."""
    sys.stdout.flush()
    return _core.run_program(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
