"""Evidence from what logs of inference engines print of their memory and speed: {"engine", "engine_version", "model", "arch",
"weights_format", "kv_format", "n_ctx", "batch", "gpu", "tp", "component", "value", "unit", "value_bytes", "notes"}. "check" and "derived"
are other people's arithmetic and not read.

python3 tests/corpus/convert/measured_inference.py IN OUT
"""

import common
from common import NotCovered, is_number
from measured_inference_rows.engine import read_engine, read_setting
from measured_inference_rows.log import log_of
from measured_inference_rows.memory import read_cache_row, read_concurrency, read_passes, read_tokens_row, read_total, read_weights_row
from measured_inference_rows.model import read_model
from measured_inference_rows.question import Question, text
from measured_inference_rows.speed import read_engine_of_kernels, read_speed

DEFAULTS = {"tensor_parallel": 1, "pipeline_parallel": 1, "data_parallel": 1, "expert_parallel": 1, "cache_parallel": 1, "qkv_bias": False,
            "tied_embeddings": False}
UNITS = {"tok/s": "tokens/s", "x": "sequences", "tokens": "tokens", "sequences": "sequences", "bits/weight": "bits/weight"}

# Which reader, and what the figure is called where the row is not covered.
COMPONENTS = {
    "throughput": ("tokens_per_s", lambda question, log: read_speed(question)),
    "total": ("process", lambda question, log: read_total(question)),
    "weights": ("weights", lambda question, log: read_weights_row(question)),
    "kv": ("kv_cache", read_cache_row),
    "kv_tokens": ("kv_tokens", read_tokens_row),
    "concurrency": ("sequences", read_concurrency),
    "compute": ("workspace", lambda question, log: read_passes(question)),
}
NEEDS_PROFILE = ("kv", "kv_tokens", "compute", "throughput")


def read(question, log):
    row, component = question.row, text(question.row, "component")
    if component == "overhead":
        raise NotCovered("What drivers, communicators and graphs hold is a band in a profile, not a prediction.")
    if component not in COMPONENTS:
        raise NotCovered(f'Rows of the component "{component}" are not covered.')
    read_engine(question)
    if component == "throughput":
        read_engine_of_kernels(question)
    if component != "total" or row.get("arch") is not None or not question.notes:
        read_model(question)
    else:
        read_model_of_total(question)
    if component in NEEDS_PROFILE:
        question.require_profile()
    read_setting(question)
    COMPONENTS[component][1](question, log)


def read_model_of_total(question):
    """Rows of what a machine's GPU may use name no model."""
    try:
        read_model(question)
    except NotCovered:
        question.arch_row, question.longest = {}, 0


def query_of(question):
    return common.query_text(common.said(question.inputs, DEFAULTS))


def digit_of(row):
    """What the last printed digit stands for, in the unit of the figure."""
    printed = row.get("value")
    if not is_number(printed) or not printed:
        return None
    _, _, decimals = repr(printed).partition(".")
    each = row["value_bytes"] / printed if text(row, "unit") not in UNITS else 1
    return round(each * 10 ** -len(decimals.rstrip("0")), 6)


def measured_of(row, figure):
    component = text(row, "component")
    counter = figure.pop("counter", COMPONENTS.get(component, (component or "unknown",))[0])
    in_bytes = text(row, "unit") not in UNITS
    value = row.get("value_bytes") if in_bytes else row.get("value")
    unit = "bytes" if in_bytes else UNITS[text(row, "unit")]
    digit = digit_of(row) if is_number(value) else None
    metric = counter if component == "throughput" else component
    return [common.figure(counter, value, unit, metric=metric, digit=digit, **figure)] if is_number(value) else []


def convert(rows, index):
    row = rows[index]
    question = Question(row)
    engine, component = text(row, "engine"), text(row, "component")
    made = {"id": row.get("id", ""), "group": f"{engine} {component}", "notes": row.get("notes"),
            "source": {"name": row.get("source"), "reference": row.get("source_ref")}}
    try:
        read(question, log_of(rows, index))
        made.update(query=query_of(question), needs=question.needs, assumed=question.assumed, twin=question.twin)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    features = [component, engine, *getattr(question, "tags", [])]
    return common.evidence(measured=measured_of(row, question.figure), features=features, **made)


def convert_all(rows):
    return common.convert_among(rows, convert)


if __name__ == "__main__":
    common.run(convert_all)
