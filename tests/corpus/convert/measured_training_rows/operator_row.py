"""A benchmark of one operator, which the converter of such benchmarks takes."""

import liger
from common import evidence, figure, is_number
from measured_training_rows.run import member, text
from words import contains_word, words_of


def is_operator(row):
    knobs = member(row, "other_knobs")
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


def operator_evidence(rows):
    """One point of a sweep is asked for where the kernel's memory stands alone, the difference of two elsewhere. What no question asks for
    is listed: the first point of a sweep, and kernels that the estimate has no formula for."""
    made, dropped = liger.convert_with_reasons([benchmark_of(row) for row in rows])
    for one in made:
        one["group"] = f"liger {one['group']}"
    for row, reason in dropped:
        value = row["measured"]["bytes_median"]
        measured = [figure("allocated", value, "bytes")] if is_number(value) else []
        made.append(evidence(row["id"], f"liger {row['kernel']}", row["source"], measured, not_covered=reason))
    return made
