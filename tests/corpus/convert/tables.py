"""Tables of peak memory that torchtitan, torchtune and LitGPT publish.

{"id", "framework": {"name"}, "gpu": {"name"}, "model_id", "model": {"layers", …}, "workload", "strategy", "precision", "implementation",
"measured": {"metric", "bytes_rounded", "oom"}}.
"""

from catalog import find_devices
from common import NotCovered, evidence, figure, is_whole, main, query_text
from row import text
from table_rows.draft import Draft
from table_rows.model import read_model
from table_rows.strategy import cut_torchtitan_pipeline, read_precision, read_strategy, read_workload
from table_rows.training import read_implementation
from words import contains_word

FRAMEWORKS = ("torchtitan", "torchtune", "litgpt")


def counter_of(draft):
    metric = draft.text("measured", "metric")
    if contains_word(metric, "not stated"):
        draft.assumed.append("The counter is torch's active bytes, not the reserved ones.")
        return "allocated"
    if not contains_word(metric, "reserved"):
        return "allocated"
    draft.assumed.append("The allocator runs as the framework sets it up, and all batches have one length.")
    return "reserved"


def read_device(draft):
    name = draft.text("gpu", "name")
    devices = find_devices(name)
    if len(devices) != 1:
        raise NotCovered(f"The device {name} is not in the catalogue.")
    draft.inputs["device"] = devices[0]["id"]


def read(draft):
    if draft.is_true("measured", "oom"):
        raise NotCovered("Out of memory: the row has no figure.")
    if not draft.number("measured", "bytes_rounded"):
        raise NotCovered("The row has no figure.")
    if draft.framework not in FRAMEWORKS:
        raise NotCovered(f"No profile describes the framework {draft.framework}.")
    draft.inputs["profile"] = draft.framework
    read_device(draft)
    read_model(draft)
    read_strategy(draft)
    read_workload(draft)
    cut_torchtitan_pipeline(draft)
    read_precision(draft)
    read_implementation(draft)


def convert(row):
    draft = Draft(row, "")
    draft.framework = draft.text("framework", "name")
    made = {"id": text(row, "id"), "group": f"{draft.framework} {draft.method}".strip(), "source": row.get("source"),
            "notes": draft.text("measured", "notes"), "config": text(row, "config_id"),
            "twin": text(row, "dup_of")}
    try:
        read(draft)
        made["query"] = query_text(draft.inputs)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    value, counter, metric = draft.given("measured", "bytes_rounded"), counter_of(draft), draft.text("measured", "metric") or None
    figures = [figure(counter, int(value), "bytes", metric=metric, **draft.figure)] if is_whole(value) else []
    return evidence(**made, measured=figures, needs=draft.needs, assumed=draft.assumed)


if __name__ == "__main__":
    main(convert)
