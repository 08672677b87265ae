#!/usr/bin/env python3
"""Runs scenario files and writes one JSON line for each scenario at once, so that a run cut short loses nothing.

  run.py scenarios/training.json scenarios/adapters.json --out rows.jsonl --budget 500 --jobs 1

Each file has a worker process of its own. A worker that meets a broken GPU state ends, and a new one goes on after it."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import scenario as scenarios

BROKEN = 75  # exit status of a worker whose CUDA context cannot be used again


def counter(file, parent):
    """Where a worker notes the next scenario's index for the parent."""
    return Path(tempfile.gettempdir()) / f"measure-{parent}-{Path(file).stem}.next"


def runner(name):
    module = {"train": "train", "trainer": "trainer", "saved": "saved", "anatomy": "anatomy", "process": "process",
              "serve": "serve", "speed": "speed"}[name]
    return getattr(__import__(module), name)


def write(path, row):
    with open(path, "a") as file:
        file.write(json.dumps(row) + "\n")


def measure(scenario, alone):
    """One row, whatever happens."""
    start = time.time()
    try:
        row = runner(scenario["run"])(scenario, alone)
    except Exception as error:  # noqa: BLE001: a failure is a result too
        row = {"kind": "failed", "error": f"{type(error).__name__}: {error}"[:600],
               "trace": traceback.format_exc()[-1500:]}
    return {"id": scenario["id"], **row, "scenario": scenario, "config_id": scenarios.digest(scenario)[:12],
            "concurrent": not alone, "wall_s": round(time.time() - start, 2)}


def work(args):
    """The worker: scenarios of one file, from --start on."""
    from machine import describe
    machine = None  # asked after the first row: asking makes a CUDA context, which a `process` scenario measures
    for index, scenario in enumerate(scenarios.expand(args.files[0])):
        if index < args.start or (args.only and args.only not in scenario["id"]):
            continue
        if time.time() > args.until:
            print(f"out of time before {scenario['id']}", flush=True)
            return 0
        row = measure(scenario, args.jobs == 1)
        machine = machine or describe()
        row.update(machine)
        write(args.out, row)
        peak = row.get("measured", {}).get("peak_steady")
        print(f"{row['wall_s']:6.1f}s {row['kind']:<9} {scenario['id']} {peak or row.get('error', '')[:150]}", flush=True)
        counter(args.files[0], os.getppid()).write_text(str(index + 1))
        if "CUDA error" in row.get("error", ""):
            return BROKEN
    return 0


def drive(args, file):
    """The parent's part for one file: never touches the GPU."""
    items = list(scenarios.expand(file))
    if items and (items[0]["run"] == "process" or items[0].get("fresh")):  # a process each, with its own environment
        for index, item in enumerate(items):
            if time.time() > args.until or (args.only and args.only not in item["id"]):
                continue
            call(args, file, index, item.get("env", {}), item["id"])
        return
    start = 0
    while start < len(items):
        code = call(args, file, start, {}, None)
        if code == 0:
            return
        note = counter(file, os.getpid())
        reached = int(note.read_text()) if note.exists() else 0
        start = max(start + 1, reached if code == BROKEN else reached + 1)  # a crash skips the scenario that crashed


def call(args, file, start, env, only):
    command = [sys.executable, __file__, str(file), "--worker", "--start", str(start), "--out", args.out,
               "--until", str(args.until), "--jobs", str(args.jobs)]
    command += ["--only", only] if only else ["--only", args.only] if args.only else []
    left = max(30.0, args.until - time.time() + 30)
    try:
        return subprocess.run(command, env={**os.environ, **env}, timeout=left).returncode
    except subprocess.TimeoutExpired:
        print(f"{file}: stopped at its limit", flush=True)
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--budget", type=float, default=3600, help="seconds after which no scenario is begun")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time; above 1 no times are recorded")
    parser.add_argument("--only", help="only scenarios whose id contains this")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--until", type=float, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.list:
        for file in args.files:
            for item in scenarios.expand(file):
                print(item["id"])
        return 0
    if args.worker:
        return work(args)
    args.until = time.time() + args.budget
    with ThreadPoolExecutor(args.jobs) as pool:
        for done in [pool.submit(drive, args, file) for file in args.files]:
            done.result()
    return 0


if __name__ == "__main__":
    sys.exit(main())
