"""Rows of one log stand beside each other. What the same log prints of passes, of memory outside the allocator, of the cache's bytes or
tokens, is an input of the engine's arithmetic, not ours to predict."""

from measured_inference_rows.question import text

NEAR = 24  # rows to both sides
FIGURES = {"kv_tokens": "tokens", "kv": "cache", "compute": "passes", "weights": "weights"}


def same(a, b, key):
    return key in a and key in b and a[key] == b[key]


def alike(a, b, key):
    """One text begins with the other: "H100 80GB" and "H100 80GB (79.18 GiB visible)"."""
    one, other = text(a, key), text(b, key)
    return one.startswith(other) or other.startswith(one)


def agree(a, b, key):
    """Equal, or one of them does not say."""
    return a.get(key) is None or b.get(key) is None or a[key] == b[key]


def of_one_log(a, b):
    return (isinstance(b, dict) and all(same(a, b, key) for key in ("source_ref", "engine", "model", "tp")) and
            alike(a, b, "engine_version") and alike(a, b, "gpu") and agree(a, b, "n_ctx") and agree(a, b, "kv_format"))


def figure_of(row):
    """Which of a log's figures the row is; None when it is none that another row asks for."""
    component, notes = text(row, "component"), text(row, "notes").lower()
    if component == "overhead" and ("non-torch" in notes or "nccl" in notes):
        return "outside"
    return FIGURES.get(component)


def log_of(rows, index):
    """What the nearest other rows of the same log say, by name."""
    found, row = {}, rows[index]
    for distance in range(1, NEAR + 1):
        for at in (index - distance, index + distance):
            if 0 <= at < len(rows) and of_one_log(row, rows[at]) and (name := figure_of(rows[at])):
                found.setdefault(name, rows[at])
    return found
