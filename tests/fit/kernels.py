#!/usr/bin/env python3
"""Fits core/catalog/data/kernels.json anew: python3 tests/fit/kernels.py FIT_KERNELS DIR

FIT_KERNELS is the program of that name (cmake --build build/native-fast --target fit_kernels), DIR a folder of measured
kernels. The program uses the forms of core/method/kernels themselves, so that no second copy of a formula is fitted.
"""

import subprocess
import sys
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "core/catalog/data/kernels.json"


def main(program, folder):
    rows = subprocess.run([program, folder], check=True, capture_output=True, text=True).stdout
    text = DATA.read_text()
    head = text[: text.index(' "rows": [')]
    DATA.write_text(head + ' "rows": [\n' + rows + " ]\n}\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
