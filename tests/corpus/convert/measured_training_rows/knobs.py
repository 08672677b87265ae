""""other_knobs": a key and a value for whatever else the source tells. A key that is not in the table is not understood."""

from common import NotCovered
from measured_training_rows.run import drops, member, quoted
from words import letters_of, understand

CAPPED = "Every sequence is as long as its limit."

# None: says nothing about memory, or another field says the same.
KNOBS = {
    "compile": "compiled",
    "chunked_ce": "chunked",
    "cut_cross_entropy": "cut",  # logits never exist as a whole
    "linear": "linear",  # number format of the linear maps
    "fp8": "linear",
    "variant": "variant",  # which of several trainers
    "dataset": "capped",  # sequences are at most as long as stated
    "pad": None,
    "max_length": "capped",
    "max_seq_len": "capped",
    "mean_tokens_per_sample": "capped",
    "sample_packing": None,
    "packed": None,
    "packed_fixed_length": None,
    "model_max_length": None,  # padded to it
    "lazy_preprocess": None,
    "lm_head_chunk": None,  # LitGPT's profile
    "tied_embeddings": None,  # LitGPT's profile
    "limit_all_gathers": None,
    "batch_size_eval": None,
    "sorted_or_bucketed": None,
    "global_batch": None,
    "gbs": None,
    "authors_estimate": None,
    "grouped_gemm": None,
    "dispatcher": None,
    "task": None,
    "framework": None,
    "factor": None,
    "hidden": None,
    "ffn": None,
    "cross_entropy_fusion": "fused loss",  # Megatron-LM's --cross-entropy-loss-fusion, true or the name of an implementation
    "cross_entropy_loss_fusion": "fused loss",
    "cross_entropy": "fused loss",
    "loss": "fused loss",
    "gradient_accumulation_fusion": "accumulation",
    "grad_accum_fusion": "accumulation",
    "deterministic": "deterministic",
    "deterministic_mode": "deterministic",
    "dropout": "dropout",
    "hidden_dropout": "hidden dropout",
    "attention_dropout": "attention dropout",
    "vocab": None,  # of the model: read with it
    "padded_vocab": None,
    "vocab_size": None,
    "transformer_impl": None,
    "te_version": None,
    "te": None,
    "rank": None,  # "metric" or "notes" say which
    "stage": None,
    "container": None,
    "test_case": None,
    "commit": None,
    "launch": None,
    "use_cache": "uncovered",
    "inference": "uncovered",
    "frozen": "uncovered",
    "cuda_graphs": "uncovered",
    "trainer": "uncovered",
    "expert_capacity": "uncovered",
    "sequence_parallel_input_regather": "uncovered",
}
LOSSES = {"te": "te_fused_out_of_place", "tefused": "te_fused_out_of_place", "transformerengine": "te_fused_out_of_place",
          "native": "megatron_fused", "fused": "megatron_fused", "unfused": "megatron", "none": "megatron"}
LINEARS = {"bf16": "plain", "bf16 eager": "plain", "bf16 compile": "compile", "fp8": "fp8", "fp8 tensorwise": "fp8", "fp8 rowwise": "fp8",
           "torchao": "fp8"}
TRAINERS = ("hf", "hf-fa2")


def read_fused_loss(run, key, value):
    loss = LOSSES.get(letters_of(value) if isinstance(value, str) else "native")
    if loss is None:
        raise NotCovered(f"The loss {quoted(str(value))} is not known.")
    run.inputs["loss"] = loss


def read_linear(run, key, value):
    meanings, rest = understand(str(value), LINEARS)
    if rest or not meanings:
        run.refuse("linear", str(value))
    if "fp8" in meanings:
        run.inputs["fp8"] = "compute"
    if "compile" in meanings:
        run.compile_all()


def read_chunked(run, key, value):
    run.inputs["loss"] = "linear_chunked" if run.profile == "torchtitan" else "chunked_compiled" if run.is_compiled() else "chunked"


def read_variant(run, key, value):
    if value not in TRAINERS:
        raise NotCovered(f'The trainer {quoted(str(value))} has no profile.')


def refuse_knob(run, key, value):
    raise NotCovered(f"The row's knob {quoted(key)} has no field.")


READERS = {
    "capped": lambda run, key, value: run.assume(CAPPED),
    "compiled": lambda run, key, value: run.compile_all(),
    "chunked": read_chunked,
    "cut": lambda run, key, value: run.inputs.update(loss="linear_chunked"),
    "linear": read_linear,
    "variant": read_variant,
    "fused loss": read_fused_loss,
    "accumulation": lambda run, key, value: run.inputs.update(fused_gradient_accumulation=True),
    "deterministic": lambda run, key, value: run.inputs.update(deterministic=True),
    "dropout": lambda run, key, value: run.inputs.update(hidden_dropout=drops(value), attention_dropout=drops(value)),
    "hidden dropout": lambda run, key, value: run.inputs.update(hidden_dropout=drops(value)),
    "attention dropout": lambda run, key, value: run.inputs.update(attention_dropout=drops(value)),
    "uncovered": refuse_knob,
}


def read_knobs(run):
    knobs = run.row.get("other_knobs")
    if knobs is None:
        return
    if not isinstance(knobs, dict):
        raise NotCovered('The row\'s "other_knobs" is no object.')
    for key, value in sorted(knobs.items()):
        if key not in KNOBS:
            raise NotCovered(f"The row's knob {quoted(key)} is not understood.")
        if KNOBS[key] is not None and value not in (None, False):
            READERS[KNOBS[key]](run, key, value)
    if any(member(knobs, key) not in (None, False) for key in ("packed", "packed_fixed_length", "sample_packing")):
        run.assumed = [assumed for assumed in run.assumed if assumed != CAPPED]
