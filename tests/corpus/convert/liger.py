"""Liger-Kernel's benchmarks of single kernels, as far as the estimate has a formula for the kernel.

{"kind": "kernel", "kernel", "provider", "mode", "x": {"name", "value"}, "config", "framework": {"version"}, "measured": {"bytes_median"}}.
A row asks for one component of the answer at one moment, memory.loss or memory.activations.mlp, rather than for a whole run. Where weights
and workspaces stand beside the kernel, the difference between a point of a sweep and the one before is asked: "query" less "minus". What
else the benchmark holds is "explained". Rows of other kernels, and of backward passes over graphs that are kept, are dropped: what the
estimate adds up for a model says nothing of them.
"""

import json
from collections import Counter

from common import NotCovered, evidence, figure, is_whole, query_text, run
from liger_rows.questions import question_of
from row import section, text


def sweep_of(row):
    """What the points of one sweep agree in."""
    members = [row.get(key) for key in ("kernel", "provider", "mode", "framework", "gpu", "config")]
    return json.dumps([*members, section(row, "x").get("name")], sort_keys=True)


def bytes_of(row):
    value = section(row, "measured").get("bytes_median")
    if not is_whole(value) or value < 1:
        raise NotCovered("The row has no figure.")
    return int(value)


def piece(row, kind):
    return {"id": text(row, "id"), "group": text(row, "kernel"), "source": row.get("source"), "config": text(row, "config_id"),
            "twin": text(row, "dup_of"), "features": [kind, text(row, "provider")]}


def notes_of(held):
    return "Held besides: " + "; ".join(f"{what}: {amount} bytes" for what, amount in held.items()) + "." if held else None


def point(row, component, moment, inputs, held, needs):
    measured = figure("component", bytes_of(row), "bytes", part=component, moment=moment, explained=sum(held.values()) or None)
    return evidence(**piece(row, "kernel"), query=query_text(inputs), measured=[measured], notes=notes_of(held), needs=needs)


def step(row, before, component, moment, inputs, held, needs):
    """From one point of a sweep to the next: `before` is the smaller one's (row, inputs, held)."""
    smaller, smaller_inputs, smaller_held = before
    more = {what: amount - smaller_held[what] for what, amount in held.items()}
    measured = figure("component", bytes_of(row) - bytes_of(smaller), "bytes", part=component, moment=moment,
                      explained=sum(more.values()) or None, minus=query_text(smaller_inputs))
    return evidence(**piece(row, "difference"), query=query_text(inputs), measured=[measured], notes=notes_of(more), needs=needs)


def swept(row):
    value = section(row, "x").get("value")
    return value if is_whole(value) else 0


def convert_with_reasons(rows):
    """The evidence, and the rows that no question asks for, each with its reason."""
    made, sweeps, dropped = [], {}, []
    for row in sorted((row for row in rows if isinstance(row, dict)), key=swept):
        try:
            component, moment, differs, inputs, held, needs = question_of(row)
            bytes_of(row)
        except NotCovered as reason:
            dropped.append((row, str(reason)))
            continue
        if not differs:
            made.append(point(row, component, moment, inputs, held, needs))
            continue
        before = sweeps.get(sweep_of(row))
        if before and swept(before[0]) < swept(row):
            made.append(step(row, before, component, moment, inputs, held, needs))
        elif before:
            dropped.append((row, "The point of the sweep repeats."))
            continue
        else:
            dropped.append((row, "The first point of a sweep has none before it."))
        sweeps[sweep_of(row)] = (row, inputs, held)
    return made, dropped


def convert(rows):
    """The evidence, and how many rows were dropped by kernel and reason."""
    made, dropped = convert_with_reasons(rows)
    return made, Counter((text(row, "kernel"), text(row, "mode"), reason) for row, reason in dropped)


def convert_all(rows):
    made, dropped = convert(rows)
    for (kernel, mode, reason), count in sorted(dropped.items()):
        print(f"{count:4} dropped: {kernel} {mode}. {reason}")
    return made


if __name__ == "__main__":
    run(convert_all)
