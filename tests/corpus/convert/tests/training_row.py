"""A run of Llama 3 8B on one GPU in the schema of measured_training.py, of which a test changes one key."""

from tests.corpora import convert_one, inputs_of, reason_of

ROW = {"id": "x", "category": "full-ft-1gpu", "framework": "torch", "model": "Llama-3-8B", "gpu": "H100-80GB", "n_gpus": 1,
       "hf_id_guess": "meta-llama/Meta-Llama-3-8B", "params_b": 8.03, "dtype_amp": "bf16-true", "optimizer": "AdamW fused", "micro_batch": 1,
       "parallelism": {"dp": 1, "tp": 1, "pp": 1, "cp": 1, "ep": 1, "zero": 0, "sp": False}, "seq_len": 2048, "grad_accum": 1,
       "checkpointing": "none", "attention": "flash-attention 2", "lora": None, "quant": None, "other_knobs": {}, "unit": "GiB",
       "metric": "torch max_memory_allocated", "value_bytes": 80_000_000_000}


def converted(**change):
    return convert_one("measured-training", {**ROW, **change})


def inputs_with(**change):
    return inputs_of(converted(**change))


def reason_with(**change):
    made = converted(**change)
    assert "query" not in made, made["query"]
    return reason_of(made)
