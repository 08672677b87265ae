"""Evidence from measured training runs of many sources, their configuration in words: {"id", "category", "framework", "model",
"hf_id_guess", "params_b", "gpu", "n_gpus", "parallelism", "dtype_amp", "optimizer", "micro_batch", "seq_len", "grad_accum",
"checkpointing", "attention", "lora", "quant", "other_knobs", "metric", "value_bytes"}.

python3 tests/corpus/convert/measured_training.py IN OUT
"""

import common
from catalog import DEFAULT_DEVICE, find_devices
from common import NotCovered, is_number
from measured_training_rows.framework import group_of, read_counter, read_framework, read_metric
from measured_training_rows.knobs import read_knobs
from measured_training_rows.litgpt import read_litgpt
from measured_training_rows.operator_row import is_operator, operator_evidence
from measured_training_rows.optimizer import read_optimizer
from measured_training_rows.precision import read_precision
from measured_training_rows.recompute import read_attention, read_recompute
from measured_training_rows.run import Run, text
from measured_training_rows.tuning import read_base, read_tuning
from measured_training_rows.work import read_model, read_parallelism, read_workload
from words import contains_word

DEFAULTS = {"tensor_parallel": 1, "pipeline_parallel": 1, "context_parallel": 1, "expert_parallel": 1, "data_parallel": 1,
            "virtual_stages": 1, "expert_tensor_parallel": 0, "micro_batches": 1, "sequence_parallel": False, "sharding": "none",
            "adapter_dropout": False, "keeps_quantised_inputs": False, "hidden_dropout": False, "attention_dropout": False}


def read_device(run):
    told = text(run.row, "gpu")
    named = find_devices(told)
    run.inputs["device"] = named[0]["id"] if named else DEFAULT_DEVICE
    if len(named) != 1:
        run.assume(f'The device: "{told}" is taken for {run.inputs["device"]}.')


def read_torchtune(run):
    """A row whose flags are those of torchtune's own configs has their loss: CEWithChunkedOutputLoss (recipes/configs/llama3_1)."""
    if "loss" in run.inputs or not contains_word(text(run.row, "notes"), "yaml at that commit"):
        return
    run.inputs["loss"] = "chunked_compiled" if run.is_compiled() else "chunked"
    run.assume("The loss is in chunks, as in the framework's configs.")


def read(run, meanings):
    value = run.row.get("value_bytes")
    if not is_number(value) or value <= 0:
        raise NotCovered("Out of memory, or nothing published: the row has no figure.")
    if contains_word(text(run.row, "notes"), "negative test"):
        raise NotCovered("The collection keeps the figure as an example of an impossible one.")
    read_metric(run, meanings)
    read_framework(run)
    read_device(run)
    run.inputs["task"] = "finetune"
    if run.figure.get("moment") == "context":
        run.inputs["model"] = "gpt2"
        run.assume("The figure is the process's before it computes, whatever the model.")
        return
    read_model(run)
    if run.figure["counter"] == "weights":
        read_precision(run)
        return
    read_knobs(run)
    read_workload(run)
    read_parallelism(run)
    read_tuning(run)
    read_precision(run)
    read_base(run)
    read_recompute(run)
    read_attention(run)
    if "moment" not in run.figure:
        read_optimizer(run)
    if run.profile == "litgpt":
        read_litgpt(run)
    if run.profile == "torchtune":
        read_torchtune(run)


def query_of(run):
    said = common.said(run.inputs, DEFAULTS)
    if said.get("data_parallel", 1) * said.get("context_parallel", 1) == 1:
        said.pop("sharding", None)
    if said.get("tensor_parallel", 1) == 1:
        said.pop("sequence_parallel", None)
    return common.query_text(said)


def convert(row):
    run = Run(row)
    meanings = read_counter(run)
    made = {"id": row.get("id", ""), "group": group_of(row), "source": {"name": row.get("source"), "reference": row.get("source_ref")},
            "notes": row.get("notes"), "features": [row.get("completeness"), row.get("confidence")]}
    try:
        read(run, meanings)
        made.update(query=query_of(run), needs=run.needs, assumed=run.assumed)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    value = row.get("value_bytes")
    figure = {**run.figure, "metric": text(row, "metric"), "unit": "bytes"}
    measured = [common.figure(value=value, **figure)] if is_number(value) and value > 0 else []
    return common.evidence(measured=measured, **made)


def convert_all(rows):
    """Benchmarks of one operator are sweeps: they are read together, after the others."""
    operators = [row for row in rows if is_operator(row)]
    return common.convert_rows([row for row in rows if not is_operator(row)], convert) + operator_evidence(operators)


if __name__ == "__main__":
    common.run(convert_all)
