#!/usr/bin/env python3
"""ablate.py PLIMSOLL FILE...: takes each key out of a file in turn and imports what is left.

A key that the import calls read, and whose removal changes neither the question nor a message nor what is asked back, has no effect: it may be one
that says what happens anyway, or a defect. Keys of the list of harmless ones are printed with --harmless, to be read beside the program's source.
"""

import json
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def imported(program, path, text):
    """What the import says of the text: its question, messages, what it asks, and how many keys it read and called harmless."""
    name = str(path)
    out = subprocess.run([program, "import", "-", "--json"], input=text, capture_output=True, text=True, timeout=120).stdout
    try:
        said = json.loads(out)
    except json.JSONDecodeError:
        raise SystemExit(f"{name}: no answer")
    visible = json.dumps([said.get("query"), said.get("issues"), said.get("questions"), said.get("assumed"), said.get("unread")], sort_keys=True)
    return visible, said.get("read") or 0, said.get("harmless") or 0


def without_yaml(text):
    """(key, text without it) for each line that holds a key, with what stands deeper below it."""
    lines, above = text.split("\n"), []
    for i, line in enumerate(lines):
        key = re.match(r"^(\s*)(?:- )?([A-Za-z_][\w.\-]*):(\s|$)", line)
        if not key or line.lstrip().startswith("#"):
            continue
        depth = len(key[1])
        above = [*((at, name) for at, name in above if at < depth), (depth, key[2])]
        end = i + 1
        while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth or (lines[end].lstrip().startswith("- ") and len(lines[end]) - len(lines[end].lstrip()) >= depth)):
            end += 1
        yield ".".join(name for _, name in above), "\n".join(lines[:i] + lines[end:])


def without_json(text):
    tree = json.loads(text)

    def walk(node, path):
        for key in list(node):
            value = node.pop(key)
            yield ".".join([*path, key]), json.dumps(tree)
            node[key] = value
            if isinstance(value, dict):
                yield from walk(value, [*path, key])

    yield from walk(tree, [])


def without_toml(text):
    lines, section = text.split("\n"), ""
    for i, line in enumerate(lines):
        section = (re.match(r"^\s*\[([\w.]+)\]", line) or [None, section])[1]
        key = re.match(r"^\s*([\w.]+)\s*=", line)
        if key:
            yield f"{section}.{key[1]}", "\n".join(lines[:i] + lines[i + 1:])


def without_override(text):
    """Words that give a name a value, as Hydra takes them."""
    for word in re.finditer(r"(?<!\S)[+~]*([A-Za-z_][\w.]*)=\S+", text):
        yield word[1], text[: word.start()] + text[word.end():]


def without_option(text):
    """Options of a command line, each with the words behind it that begin no other."""
    for option in re.finditer(r"(?<=\s)--?[A-Za-z][\w.\-]*(?:=\S+|(?:[ \t]+(?!-)[^\s\\]+)*)", text):
        yield option[0], text[: option.start()] + text[option.end():]


def ways(path, text):
    if path.suffix == ".json" or text.lstrip().startswith("{"):
        return without_json(text)
    if path.suffix == ".toml":
        return without_toml(text)
    if path.suffix in (".yaml", ".yml"):
        return without_yaml(text)
    return without_override(text) if path.suffix == ".txt" else without_option(text)


def without_effect(program, path):
    """(key, why) of each key whose removal changes nothing that is visible; how many keys there are, are read, are called harmless."""
    text = path.read_text(errors="replace")
    whole, read, harmless = imported(program, path, text)
    tried = list(ways(path, text))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda one: imported(program, path, one[1]), tried))
    found = []
    for (key, _), (said, still_read, still_harmless) in zip(tried, answers):
        if said != whole:
            continue
        if still_read < read:
            found.append((key, "read, and without effect"))
        elif still_harmless < harmless:
            found.append((key, "harmless"))
        else:
            found.append((key, "not looked at"))
    return found, (len(tried), read, harmless)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--harmless"]
    program, paths = arguments[0], [pathlib.Path(argument) for argument in arguments[1:]]
    silent = 0
    for path in paths:
        found, (keys, read, harmless) = without_effect(program, path)
        for key, why in found:
            silent += why != "harmless"
            if why != "harmless" or "--harmless" in sys.argv:
                print(f"{path.name}: {key}: {why}")
        print(f"{path.name}: {keys} keys, {read} read, {harmless} harmless")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
