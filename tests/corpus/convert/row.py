"""Members of a row that may be missing or of another kind."""


def section(row, *names):
    """The object under those names, one in the other; empty where there is none."""
    for name in names:
        row = row.get(name)
        row = row if isinstance(row, dict) else {}
    return row


def text(row, key):
    value = row.get(key)
    return value if isinstance(value, str) else ""
