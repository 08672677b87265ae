"""Installs the library, moves it elsewhere, and builds and runs the project in consumer/ with it.

usage: find_package.py CMAKE BUILD_FOLDER GENERATOR COMPILER PLIMSOLL
"""

import pathlib
import subprocess
import sys
import tempfile

QUESTION = "model=llama-3-8b&device=rtx4090"


def run(*command, succeeds=True):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if (done.returncode == 0) != succeeds:
        sys.exit(f"{' '.join(map(str, command))}: left with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if succeeds else done.stdout + done.stderr


def main(cmake, build, generator, compiler, plimsoll):
    source = pathlib.Path(__file__).resolve().parent / "consumer"
    with tempfile.TemporaryDirectory() as folder:
        prefix, moved, out = (pathlib.Path(folder) / name for name in ("installed", "somewhere else", "build"))
        run(cmake, "--install", build, "--component", "development", "--prefix", prefix)
        prefix.rename(moved)
        for written in moved.rglob("*.cmake"):
            text = written.read_text()
            assert str(build) not in text and str(prefix) not in text, f"{written.name} names a folder of this machine"

        # Linked without optimisation of the whole program: that the archives are of use to any linker, and in a second.
        options = (f"-G{generator}", f"-DCMAKE_PREFIX_PATH={moved}", f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_BUILD_TYPE=Debug",
                   "-DCMAKE_EXE_LINKER_FLAGS=-fno-lto")
        run(cmake, "-S", source, "-B", out, *options)
        run(cmake, "--build", out)
        assert run(out / "consumer", QUESTION).strip() == run(plimsoll, "estimate", QUESTION, "--json").strip(), "another answer"
        assert run(out / "numbers_only") == "3.00 GiB\n"

        newer = pathlib.Path(folder) / "newer"
        newer.mkdir()
        (newer / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(newer LANGUAGES CXX)\nfind_package(plimsoll 0.99 REQUIRED)\n")
        refused = run(cmake, "-S", newer, "-B", newer / "build", *options, succeeds=False)
        assert "0.99" in refused, refused
    return 0


sys.exit(main(*sys.argv[1:]))
