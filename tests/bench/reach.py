"""How far the product reaches, as one Markdown table: many questions by one core, the wheel as people install it, manifests that come back, sizes.

    reach.py PLIMSOLL [--questions N] [--wheel FILE] [FILE...]

PLIMSOLL is the command line; FILE are further artefacts to weigh. `node tests/bench/mcp_round_trip.mjs` prints the times of agents.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

MODELS = "llama-3-8b,qwen3-32b,llama-3-70b,qwen3-8b,gemma-3-27b"
DEVICES = "rtx4090,h100-80-sxm,a100-80-sxm,l40s,b200"
CONTEXTS = 20
SERVED = "model=llama-3-8b&device=h100-80-pcie&profile=vllm&tensor_parallel=2&context_tokens=8192"
MANIFESTS = {name: SERVED for name in ("kubernetes", "leaderworkerset", "kserve", "llm_d", "dynamo", "ray_serve", "compose", "slurm", "skypilot", "dstack")} | {
    "modelfile": "model=llama-3-8b&device=rtx4090&profile=ollama&weight_dtype=q4_k_m&context_tokens=8192"}


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def row(what, figure):
    print(f"| {what} | {figure} |", flush=True)


def sweep(plimsoll, questions, judge):
    batches = max(1, questions // (len(MODELS.split(",")) * len(DEVICES.split(",")) * CONTEXTS))
    query = f"model={MODELS}&device={DEVICES}&context_tokens=1k..{CONTEXTS}k:1k&batch=1..{batches}"
    before, start, rows = processor_seconds(), time.monotonic(), 0
    process = subprocess.Popen([plimsoll, "sweep", query, "--judge", judge, "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    while piece := process.stdout.read(1 << 20):
        rows += piece.count(b"\n")
    assert process.wait() == 0, query
    took, clock = processor_seconds() - before, time.monotonic() - start
    row(f"{rows:,} questions, `--judge {judge} --threads 1`", f"{took:,.0f} s of one core ({clock:,.0f} s by the clock): {rows / took:,.0f} in a second of a core")


def wheel(path):
    row("wheel", f"{path.stat().st_size:,} bytes")
    with tempfile.TemporaryDirectory() as folder:
        bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, env=bare)
        python = pathlib.Path(folder, "bin/python")
        start = time.monotonic()
        subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", path], check=True, env=bare)
        row("`pip install` of it", f"{time.monotonic() - start:.1f} s")
        timed = "import time; start = time.perf_counter(); import plimsoll; print(time.perf_counter() - start)"
        times = [float(subprocess.run([python, "-c", timed], check=True, capture_output=True, text=True, env=bare, cwd=folder).stdout) for _ in range(9)]
        row("`import plimsoll`", f"{statistics.median(times) * 1000:.0f} ms at the median of {len(times)}, {max(times) * 1000:.0f} ms at most")


def manifests(plimsoll):
    for name, query in MANIFESTS.items():
        text = subprocess.run([plimsoll, "export", query, "--to", name], check=True, capture_output=True, text=True).stdout
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "manifest")
            file.write_text(text, encoding="utf-8")
            done = subprocess.run([plimsoll, "import", file, "--json"], capture_output=True, text=True)
        read = json.loads(done.stdout)
        asked = dict(pair.split("=") for pair in query.split("&"))
        assert read["ok"] and not read["questions"], (name, read)
        back = sum(str(read["fields"].get(field)) == value for field, value in asked.items())
        row(f"`export --to {name}`", f"{len(text):,} bytes; read back without a question, {back} of {len(asked)} stated inputs as stated, device {read['fields']['device']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plimsoll", type=pathlib.Path)
    parser.add_argument("--questions", type=int, default=1_000_000)
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    asked = parser.parse_args()
    print("| what | figure |\n|---|---|")
    manifests(asked.plimsoll)
    if asked.wheel:
        wheel(asked.wheel.resolve())
    for file in [asked.plimsoll, *asked.files]:
        row(file.name, f"{file.stat().st_size:,} bytes")
    for judge in ("estimate", "process"):
        sweep(asked.plimsoll, asked.questions, judge)


main()
