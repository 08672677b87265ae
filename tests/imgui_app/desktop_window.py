"""Starts plimsoll-desktop on a virtual screen, takes pictures of its window and looks whether something is on them.

usage: desktop_window.py PLIMSOLL_DESKTOP DIRECTORY_FOR_PICTURES
"""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

JOB = ("model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=4&data_parallel=16&micro_batches=16"
       "&train_tokens=1000000000000")
PICTURES = {
    "fits": (1440, 900, ["model=llama-3-8b&device=rtx4090"]),
    "overload_light": (1024, 768, ["model=llama-3-8b", "device=rtx4090", "task=finetune", "--light"]),
    "phone": (390, 844, ["model=llama-3.2-1b&device=rtx4090&task=pretrain"]),
    "pipeline": (1440, 900, ["model=llama-3-70b&device=h100-80-sxm&task=pretrain&tensor_parallel=4&pipeline_parallel=4&data_parallel=2"]),
    "pipeline_phone": (390, 844, ["model=llama-3-8b&device=h100-80-sxm&task=pretrain&pipeline_parallel=16", "--light"]),
    "time": (1440, 900, [JOB, "--view", "tab=time"]),
    "time_phone": (390, 844, ["model=llama-3-8b&device=h100-80-sxm&batch=16", "--view", "tab=time", "--light"]),
    "timeline": (1024, 768, [JOB, "--view", "tab=timeline&rank=2", "--light"]),
    "plan": (1440, 900, ["model=llama-3-70b&device=h100-80-sxm&task=finetune&profile=torchtitan&context_tokens=8192", "--view",
                         "tab=plan&objective=time&gpus=64"]),
    "compare": (1440, 900, [JOB, "--view", "tab=compare&pin1=model%3Dllama-3-8b%26task%3Dpretrain"]),
    "sources": (1024, 768, ["model=llama-3-8b&device=rtx4090", "--view", "tab=sources"]),
    "fields": (390, 844, ["model=llama-3-8b&device=rtx4090", "--view", "tab=fields", "--light"]),
    "error": (1440, 900, ["model=llama-3-8b&batch=many"]),
}
LEAST_COLOURS = 40    # a blank or torn window has a handful; text alone makes dozens of shades


def rows_of(png):
    """(width, height, rows) of an 8-bit RGB picture without filters, as png.cpp writes them."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    at, data, size = 8, b"", None
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        body = png[at + 8:at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0], "bad CRC"
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    width, height = size
    raw = zlib.decompress(data)
    assert len(raw) == height * (width * 3 + 1), "bad size of data"
    return width, height, [raw[y * (width * 3 + 1) + 1:(y + 1) * (width * 3 + 1)] for y in range(height)]


def run(app, *arguments, **variables):
    return subprocess.run(["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", app, *arguments], timeout=120,
                          capture_output=True, text=True, env={**os.environ, **variables})


def check_memory(app):
    """The window opens where it was closed; a file that makes no sense is named, ignored and replaced."""
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "plimsoll" / "window"

        def opened(*arguments):
            done = run(app, *arguments, "--frames", "4", XDG_STATE_HOME=folder)
            assert done.returncode == 0, f"left with {done.returncode}\n{done.stdout}{done.stderr}"
            return place.read_text(), done.stderr

        first, complaint = opened("--size", "700x500")
        assert first.startswith("width 700\nheight 500\n") and "window" not in complaint, first + complaint
        place.write_text(first.replace("width 700", "width 900").replace("maximised 1", "maximised 0"))
        again, complaint = opened()
        assert again.startswith("width 900\nheight 500\n") and "window" not in complaint, again + complaint
        picture = pathlib.Path(folder) / "picture.png"
        run(app, "--screenshot", str(picture), XDG_STATE_HOME=folder)
        assert rows_of(picture.read_bytes())[:2] == (1280, 800) and place.read_text() == again, "a picture is that of every other user"
        place.write_text("width many\n")
        replaced, complaint = opened()
        assert replaced.startswith("width 1280\nheight 800\n") and str(place) in complaint and "ignored" in complaint, replaced + complaint


def main():
    app, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("xvfb-run"):
        sys.exit("there is no xvfb-run (package xvfb); scripts/setup desktop installs it")
    for name, (width, height, arguments) in PICTURES.items():
        picture = directory / f"desktop_{name}.png"
        picture.unlink(missing_ok=True)
        done = run(app, *arguments, "--size", f"{width}x{height}", "--screenshot", str(picture))
        assert done.returncode == 0, f"{name}: left with {done.returncode}\n{done.stdout}{done.stderr}"
        seen_width, seen_height, rows = rows_of(picture.read_bytes())
        assert (seen_width, seen_height) == (width, height), f"{name}: {seen_width}x{seen_height}"
        colours = {row[x:x + 3] for row in rows for x in range(0, len(row), 3)}
        assert len(colours) >= LEAST_COLOURS, f"{name}: only {len(colours)} colours"
        print(f"{picture}: {len(colours)} colours")
    check_memory(app)
    helped = subprocess.run([app, "--help"], capture_output=True, text=True, timeout=60)
    assert helped.returncode == 0 and "usage:" in helped.stdout, "--help"
    wrong = subprocess.run([app, "--no-such-option"], capture_output=True, text=True, timeout=60)
    assert wrong.returncode == 2 and "--no-such-option" in wrong.stderr, "an unknown option must be named"
    return 0


sys.exit(main())
