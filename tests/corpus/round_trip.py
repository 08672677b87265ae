#!/usr/bin/env python3
"""round_trip.py PLIMSOLL DIR: import, export and import again of each file below DIR that is answered; the scenarios are compared input by input.

A difference is stated where a message or a comment of the export names the input, or the second import asks for it.
"""

import json
import pathlib
import subprocess
import sys

ENGINES = {"vLLM": "vllm", "SGLang": "sglang", "llama.cpp": "llama_cpp", "TensorRT-LLM": "tensorrt_llm"}


def said(program, *arguments, text=None):
    out = subprocess.run([program, *arguments, "--json"], input=text, capture_output=True, text=True, timeout=120).stdout
    try:
        return json.loads(out)
    except json.JSONDecodeError:
        return {}


def scenario(program, query):
    """The inputs of a question that is answered on a device of ours."""
    answer = said(program, "estimate", query + ("" if "device=" in query else "&device=h100-80-sxm"))
    return (answer.get("scenario") or {}) if answer.get("ok") else None


def model_fields(program):
    return {field["name"] for field in json.loads(subprocess.run([program, "fields", "--json"], capture_output=True, text=True, check=True).stdout) if field["topic"] == "model"}


def main():
    program, root = sys.argv[1], pathlib.Path(sys.argv[2])
    of_model = model_fields(program)
    same = stated = 0
    silent = []
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        first = said(program, "import", str(path))
        target = first.get("format") if isinstance(first.get("format"), str) else ENGINES.get(first.get("name") or first.get("engine"))
        if not first.get("ok") or not first.get("query") or not target:
            continue
        before = scenario(program, first["query"])
        if before is None:
            continue
        exported = said(program, "export", first["query"] + ("" if "device=" in first["query"] else "&device=h100-80-sxm"), "--to", target)
        if not exported.get("ok"):
            continue
        second = said(program, "import", "-", text=exported.get("text", ""))
        if not second.get("query"):
            silent.append(f"{path.name}: what was exported to {target} is not read")
            continue
        query = second["query"] if "model=" in second["query"] else second["query"] + "&model=" + str(before.get("model"))
        after = scenario(program, query)
        told = exported.get("text", "") + json.dumps([exported.get("issues"), second.get("issues"), second.get("questions"), second.get("assumed")])
        if after is None and ": pass the model apart" in told:  # a custom model has no name to pass: what the file says of it is all there is
            stated += 1
            continue
        others = {key for key in {*before, *(after or {})} if (before.get(key) or None) != ((after or {}).get(key) or None)}  # 0 experts are none
        if "task" in others:  # each task has inputs of its own
            others &= {*before} & {*(after or {})}
        if before.get("method") == (after or {}).get("method") == "full":
            others -= {"rank", "targets"}  # of adapters, which neither has
        others -= {"config"}  # by which a size was told; the sizes are compared
        if ": pass the model apart" in told and others & of_model:
            others = {"model"} | others - of_model
        if not others:
            same += 1
        elif all(key in told for key in others):
            stated += 1
        else:
            silent.append(f"{path.name}, {target}: " + ", ".join(f"{key} {before.get(key)} -> {(after or {}).get(key)}" for key in sorted(others) if key not in told))
    for line in silent:
        print(line)
    if same == 0:
        silent.append("nothing was compared")
    print(f"{same} the same, {stated} with their difference stated, {len(silent)} others")
    return 1 if silent else 0


sys.exit(main())
