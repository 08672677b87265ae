"""Rows of this project's own measurements, tests/measure: {"kind", "model", "workload", "scenario", "framework", "gpu", "measured"}, of
training steps, of what a layer keeps, of whole processes and of serving. The scenario's settings say what ran.

python3 tests/corpus/convert/measured_steps.py IN OUT
"""

from common import evidence, main, query_text
from measured_steps_rows.figures import of_kernels
from measured_steps_rows.group import group_of
from measured_steps_rows.part import Part
from measured_steps_rows.process import process
from measured_steps_rows.serving import inference
from measured_steps_rows.steps import anatomy, saved_tensors, training
from row import section, text


def timing(row):
    return [Part(of_kernels(section(row, "measured")), reason="The time of a single kernel is no part of an answer.")]


KINDS = {"training": training, "saved_tensors": saved_tensors, "anatomy": anatomy, "process": process, "inference": inference,
         "timing": timing}


def parts_of(row):
    kind = text(row, "kind")
    if kind not in KINDS:
        return [Part([], reason=f"Rows of the kind {kind!r} are not covered.")]
    return KINDS[kind](row)


def convert(row):
    made = {"id": text(row, "id"), "group": group_of(row), "source": row.get("source"), "config": text(row, "config_id"),
            "twin": text(row, "dup_of")}
    return [evidence(**made, query=query_text(part.inputs) if not part.reason else None, not_covered=part.reason, measured=part.figures,
                     needs=part.needs, assumed=part.assumed) for part in parts_of(row)]


if __name__ == "__main__":
    main(convert)
