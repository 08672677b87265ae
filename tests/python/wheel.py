"""Builds the wheel and the sources, and uses both as people do: installed into an environment of its own, and configured from the unpacked archive.

usage: wheel.py BUILD_FOLDER VERSION
"""

import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_IMPORT_S = 0.3


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: left with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(build, version):
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PIP_FIND_LINKS")}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        run(ROOT / "scripts/wheel", folder, env={**bare, "PLIMSOLL_BUILD": build, "PYTHON": sys.executable})
        (wheel,), (sources,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
        assert wheel.name.startswith(f"plimsoll-{version}-cp3"), wheel.name

        run(sys.executable, "-m", "venv", folder / "venv", env=bare)
        python = folder / "venv/bin/python"
        # what installs from the sources asks the same backend, and gets the same bytes
        run(python, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", folder / "again", ROOT, env={**bare, "PLIMSOLL_BUILD": build})
        assert (folder / "again" / wheel.name).read_bytes() == wheel.read_bytes(), "pip makes another wheel"
        run(python, "-m", "pip", "install", "--no-index", "--no-deps", wheel, env=bare)
        elsewhere = {"env": bare, "cwd": folder}
        ask = 'import plimsoll, json; print(plimsoll.__version__, plimsoll.estimate("llama-3-8b", device="rtx4090", context_tokens=8192, batch=4).estimate.peak.text)'
        assert run(python, "-c", ask, **elsewhere) == f"{version} 20.3 GiB\n"
        timed = "import time; start = time.process_time(); import plimsoll; print(time.process_time() - start)"
        imported = min(float(run(python, "-c", timed, **elsewhere)) for _ in range(5))    # of the processor: other tests run beside this one
        assert imported < MOST_IMPORT_S, imported
        assert version in run(folder / "venv/bin/plimsoll", "--version", **elsewhere)
        answer = json.loads(run(folder / "venv/bin/plimsoll", "estimate", "--json", "model=llama-3-8b&device=rtx4090", **elsewhere))
        assert answer["ok"]
        run(python, "-m", "pip", "check", **elsewhere)
        run(python, "-m", "pip", "uninstall", "-y", "plimsoll", **elsewhere)

        with tarfile.open(sources) as archive:
            archive.extractall(folder / "sources")
        source = folder / "sources" / f"plimsoll-{version}"
        assert f"Version: {version}" in (source / "PKG-INFO").read_text()
        deps = ROOT / ".deps"    # what would be fetched otherwise
        run("cmake", "-S", source, "-B", folder / "configured", "-DPLIMSOLL_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}", f"-DPLIMSOLL_DEPS_DIR={deps}")
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {sources.name}: {sources.stat().st_size:,} bytes; imported in {1000 * imported:.0f} ms")
    return 0


sys.exit(main(*sys.argv[1:]))
