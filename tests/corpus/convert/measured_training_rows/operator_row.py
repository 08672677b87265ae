"""A benchmark of one operator, which the converter of such benchmarks takes."""

from measured_training_rows.run import member, text
from words import contains_word, words_of


def is_operator(row):
    knobs = row.get("other_knobs")
    return member(knobs, "kernel") is not None and member(knobs, "provider") is not None


def benchmark_of(row):
    """The row in the schema of tests/corpus/convert/liger.py."""
    knobs, words = row["other_knobs"], words_of(text(row, "framework"))
    whole = contains_word(text(row, "optimizer"), "forward backward of one op")
    x = {"name": text(knobs, "sweep")}
    if knobs.get("sweep_value") is not None:
        x["value"] = knobs["sweep_value"]
    return {"id": row.get("id", ""), "kind": "kernel", "kernel": text(knobs, "kernel"), "provider": text(knobs, "provider"),
            "mode": "full" if whole else text(row, "optimizer"), "framework": {"version": words[-1] if words else ""},
            "gpu": {"name": text(row, "gpu")}, "x": x, "config": knobs.get("config") or {},
            "measured": {"bytes_median": row.get("value_bytes")}, "source": {"name": row.get("source"), "reference": row.get("source_ref")}}


def operator_evidence(row):
    """None where there is no such converter."""
    try:
        from liger import convert  # only rows of operators need it
    except ModuleNotFoundError:
        return None
    made = convert(benchmark_of(row))
    for one in made if isinstance(made, list) else [made]:
        one["group"] = f"liger {one['group']}"
    return made
