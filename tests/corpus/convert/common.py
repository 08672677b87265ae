"""What the converters of tests/corpus/convert share: each turns one foreign file of measurements into evidence.

Evidence is a list of rows, each a question that a user could put and what was measured:
{"id", "group", "source", "query", "measured": [figure, …], "notes"}, optionally with "answers", "files", "launch", "not_covered",
"assumed", "needs", "twin", "config", "set" and "features".
"""

import json
import sys
from pathlib import Path
from urllib.parse import quote_plus


ALWAYS = ("id", "group", "measured")


class NotCovered(Exception):
    """No query can say what the row says; the text is the reason, a sentence."""


def read_rows(path):
    """The rows of a JSON array, of an object with "rows", or of JSON Lines."""
    if Path(path).is_dir():  # the catalogue's models stand in a file for each maker
        return [row for file in sorted(Path(path).glob("*.json")) for row in read_rows(file)]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        document = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(document, dict):
        return document["rows"] if isinstance(document.get("rows"), list) else [document]
    return document


def plain(value):
    """What every reader of JSON takes: numbers that none has become null."""
    if isinstance(value, dict):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [plain(member) for member in value]
    return None if isinstance(value, (int, float)) and not isinstance(value, bool) and not is_number(value) else value


def write_rows(path, rows):
    """A JSON array, one row a line, so that changes show by row. Halves of characters become question marks."""
    lines = ",\n".join(json.dumps(plain(row), ensure_ascii=False) for row in rows)
    with open(path, "w", encoding="utf-8", errors="replace") as file:
        file.write(f"[\n{lines}\n]\n" if rows else "[]\n")


def value_text(value):
    """A value as the query writes it: true and false, whole numbers without a point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, (dict, list)):
        return json.dumps(value, separators=(",", ":"))
    return str(value)


def query_text(inputs):
    """model=…&…, percent-encoded as core/request/url.cpp does; inputs that are None are left out."""
    return "&".join(f"{name}={quote_plus(value_text(value), safe='-_.*/:')}" for name, value in inputs.items() if value is not None)


def said(inputs, defaults):
    """The inputs that differ from their defaults, the question's subject first."""
    kept = {name: value for name, value in inputs.items() if value is not None and (name not in defaults or defaults[name] != value)}
    return {**{name: kept[name] for name in ("model", "device", "task", "profile") if name in kept}, **kept}


def figure(counter, value, unit, rank=None, step=None, **more):
    """One number that was measured; what the counter has no need of is left out."""
    made = {"counter": counter, "rank": rank, "step": step, "value": value, "unit": unit, **more}
    return {name: member for name, member in made.items() if member is not None}


def evidence(id, group, source, measured, query=None, **more):
    """One row; members that are None or empty are left out, except its names and what was measured."""
    made = {"id": named(id), "group": named(group), "source": source, "query": query, "measured": measured, **more}
    return {name: member for name, member in made.items() if name in ALWAYS or member not in (None, "", [], {})}


def named(name):
    return "" if name is None else name if isinstance(name, str) else json.dumps(name)


def is_number(value):
    """A finite number that 64 bits hold."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 2**64


def is_whole(value):
    return is_number(value) and float(value).is_integer()


def unreadable(row, why):
    known = row if isinstance(row, dict) else {}
    return {"id": named(known.get("id")), "group": "unreadable", "measured": [], "not_covered": f"The row cannot be read: {why}."}


def convert_rows(rows, convert):
    """The evidence of all rows. `convert` gives one row or a list of a row; a damaged row never stops the others."""
    made = []
    for row in rows:
        try:
            result = convert(row) if isinstance(row, dict) else unreadable(row, "it is no object")
        except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as wrong:
            result = unreadable(row, f"{type(wrong).__name__}, {wrong}")
        made.extend(result if isinstance(result, list) else [result])
    return made


def main(convert, arguments=None):
    """python3 tests/corpus/convert/NAME.py IN OUT, of rows that stand for themselves."""
    run(lambda rows: convert_rows(rows, convert), arguments)


def convert_among(rows, convert):
    """The evidence of rows that tell things about each other: convert(rows, index)."""
    places = {id(row): index for index, row in enumerate(rows)}
    return convert_rows(rows, lambda row: convert(rows, places[id(row)]))


def run(convert_all, arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    if len(arguments) != 2:
        sys.exit(f"usage: {sys.argv[0]} IN OUT")
    try:
        read = read_rows(arguments[0])
    except (OSError, RecursionError, ValueError) as wrong:
        sys.exit(f"{arguments[0]} cannot be read as JSON or JSON Lines: {wrong}.")
    rows = convert_all(read)
    write_rows(arguments[1], rows)
    covered = sum("not_covered" not in row for row in rows)
    print(f"{arguments[1]}: {len(rows)} rows, {covered} covered")
