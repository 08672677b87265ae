"""Rows of the sources' own schemas (rows/, some of each corpus), and the evidence of one row."""

import copy
import functools
import json
from pathlib import Path
from urllib.parse import parse_qsl

import catalog
import common
import liger
import measured_inference
import measured_steps
import measured_training
import megatron
import models
import peft
import rl_steps
import serving_load
import tables
import training_runs

ROWS = Path(__file__).with_name("rows")
STEPS = Path(__file__).resolve().parents[3] / "measure" / "h200.json"
CONVERTERS = {
    "megatron": lambda rows: common.convert_rows(rows, megatron.convert),
    "steps": lambda rows: common.convert_rows(rows, measured_steps.convert),
    "measured-training": measured_training.convert_all,
    "tables": lambda rows: common.convert_rows(rows, tables.convert),
    "training-runs": lambda rows: common.convert_rows(rows, training_runs.convert),
    "liger": lambda rows: liger.convert(rows)[0],
    "measured-inference": measured_inference.convert_all,
    "measured-speed": measured_inference.convert_all,
    "peft": lambda rows: common.convert_rows(rows, peft.convert),
    "rl-steps": lambda rows: common.convert_rows(rows, rl_steps.convert),
    "serving-load": lambda rows: common.convert_rows(rows, serving_load.convert),
    "models": lambda rows: common.convert_rows(rows, models.convert),
}


@functools.cache
def _rows(corpus):
    return catalog.models() if corpus == "models" else common.read_rows(STEPS if corpus == "steps" else ROWS / f"{corpus}.json")


def rows_of(corpus):
    """Copies: a test may change them."""
    return copy.deepcopy(_rows(corpus))


def row_of(corpus, id):
    return copy.deepcopy(next(row for row in _rows(corpus) if row.get("id") == id))


def convert(corpus, *rows):
    """The evidence of rows as the command writes it."""
    return CONVERTERS[corpus](list(rows))


def convert_one(corpus, row):
    made = convert(corpus, row)
    assert len(made) == 1, made
    return made[0]


@functools.cache
def evidence_of(corpus):
    """Of all rows here: read, not changed."""
    return CONVERTERS[corpus](_rows(corpus))


def evidence_named(corpus, id):
    return next(one for one in evidence_of(corpus) if one["id"] == id)


def merged(row, change):
    """JSON Merge Patch (RFC 7396): null removes a member."""
    if not isinstance(change, dict):
        return change
    made = dict(row) if isinstance(row, dict) else {}
    for key, value in change.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = merged(made.get(key), value)
    return made


def reason_of(evidence):
    return evidence.get("not_covered", "")


def inputs_of(evidence):
    """The inputs of a row's query, as text. Fails with the reason where the row has none."""
    if "query" not in evidence:
        raise AssertionError(f"{evidence['id']} has no query: {reason_of(evidence)}")
    return dict(parse_qsl(evidence["query"], keep_blank_values=True))


def config_of(evidence):
    """The config among the inputs."""
    return json.loads(inputs_of(evidence).get("config", "{}"))
