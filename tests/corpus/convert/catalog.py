"""Models, devices and weight formats that the product knows, from core/data: a name that a row writes must be one of them."""

import functools
import json
import re
from pathlib import Path

from words import letters_of, words_of

DATA = Path(__file__).resolve().parents[3] / "core" / "data"
DEFAULT_DEVICE = "h100-80-sxm"


def _rows(folder):
    return [row for file in sorted((DATA / folder).glob("*.json")) for row in json.loads(file.read_text(encoding="utf-8"))]


@functools.cache
def models():
    return _rows("models")


@functools.cache
def devices():
    return _rows("devices")


@functools.cache
def weight_formats():
    """Ids and aliases, in lower case, and the id that each means."""
    named = {}
    for file in sorted((DATA / "weights").glob("*.json")):
        document = json.loads(file.read_text(encoding="utf-8"))
        for row in document.get("schemes", []) if isinstance(document, dict) else document:
            for name in [row["id"], *row.get("aliases", [])]:
                named.setdefault(name.lower(), row["id"])
    return named


def _is_size(word):
    return word in ("b", "m") or re.fullmatch(r"[0-9.]+[bm]?", word) is not None


def _with_letters(letters):
    found = [row for row in models() if letters in map(letters_of, [row["id"], row["name"], *row.get("aliases", [])])]
    return found[0] if len(found) == 1 else None


def find_model(name):
    """A catalogue model by id, alias or name, letter case and signs between words ignored; a size at the end of the name may be left
    out ("phi-1.5 1.3 B"). None when none or several are meant."""
    if not name:
        return None
    for row in models():
        if name.lower() in (other.lower() for other in [row["id"], *row.get("aliases", [])]):
            return row
    if row := _with_letters(letters_of(name)):
        return row
    words = words_of(name)
    count = len(words)
    while len(words) > 1 and _is_size(words[-1]) and len(words) + 2 > count:
        words.pop()
    return _with_letters("".join(map(letters_of, words))) if len(words) < count else None


def find_device(text):
    """The device whose number the text names, of the size that it names; None when it names none. Where several sizes fit, the first."""
    words = words_of(text)
    found, sized = None, False
    for device in devices():
        name = (words_of(device["id"]) or [""])[0]
        if not name or device["vendor"] == "Apple":
            continue
        is_card = name.startswith("rtx") and len(name) > 3 and name[3:] in words
        if not is_card and (not re.search(r"[0-9]", name) or name not in words):
            continue
        label = str(device["memory_label_gb"])
        same_size = label + "gb" in words or label in words
        if found is not None and (sized or not same_size):
            continue
        found, sized = device, same_size
    return found
