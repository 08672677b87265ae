"""Writes what the package takes from elsewhere: the types of its fields from the field tables, as the extension module knows them, and the style sheet of
its card from the element's.

usage: write_fields.py FOLDER_OF_THE_BUILT_PACKAGE
"""

import importlib.util
import json
import pathlib
import re
import sys

ELEMENT = pathlib.Path(__file__).resolve().parents[1] / "web/plimsoll-element-style.mjs"


def core_in(folder):
    (path,) = folder.glob("_core.*.so")
    spec = importlib.util.spec_from_file_location("_core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def type_of(field):
    names = [choice["name"] for choice in field["choices"]]
    if field["kind"] == "flag":
        return "bool"
    if field["kind"] == "integer":
        return "int | float | str" if field["decimals"] else "int | str"
    if names and not field["parts"]:
        return "Literal[" + ", ".join(json.dumps(name) for name in names) + "]"
    return "str"


def sentence_of(field):
    unit = f" In {field['unit']}." if field["unit"] else ""
    span = f" {field['min']:,} to {field['max']:,}." if field["min"] is not None else ""
    return f"{field['help']}{unit}{span}"


def types_of(fields):
    lines = ['"""The inputs of a scenario, written from the field tables."""', "", "from typing import Literal, TypedDict", "", "class ScenarioFields(TypedDict, total=False):"]
    for field in fields:
        if field["name"] in ("model", "device"):
            continue
        lines += [f"    {field['name']}: {type_of(field)}", f'    """{sentence_of(field)}"""']
    return "\n".join(lines) + "\n"


def style_sheet():
    """The element's, for a part of a page in place of a shadow."""
    css = re.search(r"const css = `\n(.*?)`;", ELEMENT.read_text(encoding="utf-8"), re.DOTALL)[1]
    scoped = re.sub(r":host\(([^)]*)\)", r":scope\1", css).replace(":host", ":scope")
    return "@scope (.plimsoll-estimate) {\n" + scoped.replace(", ::slotted([slot=\"title\"])", "").replace(", ::slotted([slot=\"footer\"])", "") + "}\n"


def main(folder):
    folder = pathlib.Path(folder)
    fields = json.loads(core_in(folder).fields())
    (folder / "_fields.pyi").write_text(types_of(fields), encoding="utf-8")
    (folder / "_style.py").write_text(f'"""The style sheet of the card, that of <plimsoll-estimate>."""\n\nCSS = """{style_sheet()}"""\n', encoding="utf-8")
    return 0


sys.exit(main(*sys.argv[1:]))
