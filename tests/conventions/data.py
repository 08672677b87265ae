"""Conventions on core/catalog/data: every number has a unit in its key and says whose it is and since when."""

import json
import re

from repository import Problem

UNITS = ("_bytes", "_bytes_per_s", "_flop_per_s", "_watts", "_usd_per_hour", "_per_direction")
# Numbers that are no physical quantity. memory_label_gb is the number on the box, in whatever the maker means by it.
PLAIN = {"release_year", "memory_label_gb", "domain_devices", "link_devices"}
CITATIONS = "core/catalog/data/citations.json"
DATE = re.compile(r"\d{4}-\d{2}(-\d{2})?")

# A citation in code is a string that stands where a citation belongs.
_IN_CODE = re.compile(r'\bcitation\s*=\s*"([a-z0-9_]*)"')


def load(repository, path):
    """(value, problem): one of the two is None."""
    try:
        return json.loads(repository.text(path), object_pairs_hook=_no_duplicates), None
    except ValueError as error:
        return None, Problem(path, getattr(error, "lineno", 1), f"not valid JSON: {error}.", "Correct the file.")


def _no_duplicates(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"the key {name} stands twice in one object")
    return dict(pairs)


def line_of(repository, path, text):
    """The first line that contains `text`; 1 when none does."""
    for number, line in enumerate(repository.lines(path), 1):
        if text in line:
            return number
    return 1


def rows_of(value):
    return value if isinstance(value, list) else [value]


def check_data_parses(repository):
    for path in repository.under("core/catalog/data", suffixes=(".json",)):
        _, problem = load(repository, path)
        if problem:
            yield problem


def check_device_units(repository):
    for path in repository.under("core/catalog/data/devices", suffixes=(".json",)):
        value, _ = load(repository, path)
        for row in rows_of(value or []):
            for key in numeric_keys(row):
                yield Problem(path, line_of(repository, path, f'"{row.get("id")}"'), f"the number '{key}' has no unit in its name.",
                              f"End the key in one of {', '.join(UNITS)}.")


def numeric_keys(value, inside_unit=False):
    """Keys of numbers without a unit. A unit on an object covers its members: peak_dense_flop_per_s: {"bf16": ...}."""
    if isinstance(value, dict):
        for key, member in value.items():
            has_unit = inside_unit or key.endswith(UNITS) or key in PLAIN
            if isinstance(member, (dict, list)):
                yield from numeric_keys(member, has_unit)
            elif isinstance(member, (int, float)) and not isinstance(member, bool) and not has_unit:
                yield key
    elif isinstance(value, list):
        for member in value:
            yield from numeric_keys(member, inside_unit)


def check_sources_and_dates(repository):
    """Models, devices and prices state facts about the world. Profiles and citations cite in another way."""
    for path in repository.under("core/catalog/data/devices", "core/catalog/data/models", "core/catalog/data/prices", suffixes=(".json",)):
        value, _ = load(repository, path)
        for row in rows_of(value or []):
            line = line_of(repository, path, f'"{row.get("id")}"')
            if not any(row.get(key) for key in row if key in ("source", "sources") or key.endswith("_source")):
                yield Problem(path, line, f"{row.get('id')} has no source.", "Add source, sources or …_source: where it was read.")
            if not DATE.fullmatch(str(row.get("date", ""))):
                yield Problem(path, line, f"{row.get('id')} has no date.", 'Add "date": "YYYY-MM", when it was read.')


def cited(repository):
    """{citation id: (path, line) of one use} in code and in profiles."""
    uses = {}
    for path in repository.under("core", suffixes=(".cpp", ".hpp")):
        for number, line in enumerate(repository.lines(path), 1):
            for found in _IN_CODE.finditer(line):
                uses.setdefault(found.group(1), (path, number))
    for path in repository.under("core", suffixes=(".json",)):
        value, _ = load(repository, path)
        for citation in _citations_in(value):
            uses.setdefault(citation, (path, line_of(repository, path, f'"{citation}"')))
    return uses


def _citations_in(value):
    if isinstance(value, dict):
        for key, member in value.items():
            if key == "citation":
                yield str(member)
            else:
                yield from _citations_in(member)
    elif isinstance(value, list):
        for member in value:
            yield from _citations_in(member)


def check_citations(repository):
    known = []
    if CITATIONS in repository.paths:
        known = [row.get("id") for row in load(repository, CITATIONS)[0] or []]
    uses = cited(repository)
    for citation, (path, line) in sorted(uses.items()):
        if citation not in known:
            yield Problem(path, line, f"there is no citation '{citation}'.", f"Add it to {CITATIONS}, or correct the id.")
    for citation in known:
        line = line_of(repository, CITATIONS, f'"{citation}"')
        if known.count(citation) > 1:
            yield Problem(CITATIONS, line, f"'{citation}' stands twice.", "Keep one.")
        if citation not in uses:
            yield Problem(CITATIONS, line, f"nothing cites '{citation}'.", "Remove the entry, or cite it where it belongs.")
