"""Rows that somebody damaged: every value in turn, at any depth, replaced by what does not belong there."""

import copy

JUNK = (None, True, -1, 0, 0.5, 1e300, float("inf"), float("nan"), 9223372036854775807, 18446744073709551615, 10**400, "",
        "NaN, 4×4 é ()", "\ud800", "\x00|/", [], [1, "x", None], {}, {"dp": "x"})
LONG = ("M" * 50_000, "/" * 9_000, "E(t*9999|)*9999L", "((((t)*99)*99)*99)*99")


def places_of(value, path=()):
    """The paths of all values inside, objects and lists too; members of a list by its first two."""
    members = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, inner in members:
        yield (*path, key)
        yield from places_of(inner, (*path, key))


def with_value(row, path, value):
    made = copy.deepcopy(row)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return made


def without(row, path):
    made = copy.deepcopy(row)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return made


def damaged(row, every=1):
    """One change each; `every` n-th of them."""
    changes = [(path, *junk) for path in places_of(row) for junk in ((), *((value,) for value in JUNK))]
    for path, *junk in changes[::every]:
        yield with_value(row, path, junk[0]) if junk else without(row, path)


def damage(row, random):
    """One to three changes by chance, long texts among them."""
    for _ in range(random.randint(1, 3)):
        if places := list(places_of(row)):
            path = random.choice(places)
            row = without(row, path) if random.random() < 0.3 else with_value(row, path, random.choice(JUNK + LONG))
    return row
