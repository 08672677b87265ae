"""Evidence from rows measured by the functional tests of Megatron-LM (NVIDIA/Megatron-LM, tests/functional_tests): bytes that the last
rank of each test logged. {"kind": "training", "framework": {"name": "megatron"}, "model", "workload", "strategy", "precision",
"implementation", "features", "raw_args", "raw_env", "measured"}; null means "not stated".

python3 tests/corpus/convert/megatron.py IN OUT
"""

import common
from common import NotCovered, figure
from megatron_rows.code import read_code
from megatron_rows.draft import Draft
from megatron_rows.layout import read_layout
from megatron_rows.model import read_model
from megatron_rows.parallel import read_parallel
from sections import Section

GPUS = {"A100-80GB": "a100-80-sxm", "H100-80GB": "h100-80-sxm", "H200-141GB": "h200-141-sxm", "B200": "b200", "GB200": "gb200",
        "GB300": "gb300"}
DENSE = {"recompute_full": "dense recompute", "uneven_pp": "dense uneven pp", "vpp": "dense vpp", "cp": "dense cp"}
ALONE = ("fsdp", "fp8", "distill", "flextron", "offload", "gdn", "dsa")

# What runs beside the model, or keeps less of it on the GPU, in ways that no input describes.
STEADY = 0.9  # of the median iteration, the fastest tenth at least
OFFLOADS = "Offloading of whole layers is not covered."
DISTILLS = "Distillation runs a second model, which is not covered."
REFUSED_FEATURES = {"distill": DISTILLS, "flextron": "Elastic training (Flextron) is not covered.",
                    "dsa": "Sparse attention is not covered."}
REFUSED_ARGUMENTS = {"--export-kd-cfg": DISTILLS, "--cpu-offloading": OFFLOADS,
                     "--use-torch-fsdp2": "PyTorch's FSDP inside Megatron-LM is not covered."}
DEFAULTS = {"context_parallel": 1, "expert_parallel": 1, "expert_tensor_parallel": 0, "virtual_stages": 1, "microbatch_group": 0,
            "fp8": "none", "first_stage_layers": 0, "last_stage_layers": 0, "deferred_micro_batches": 0, "workspace_kib": 0,
            "attention": "profile"}


def features_of(row):
    features = row.get("features")
    return [feature for feature in features if isinstance(feature, str)] if isinstance(features, list) else []


def group_of(row, features):
    """Rows that are alike in what they exercise, as far as their error is concerned."""
    strategy = row.get("strategy")
    if isinstance(strategy, dict) and strategy.get("world") is None:
        return "release (world not recorded)"
    for alone in ALONE:
        if alone in features:
            return alone
    moe, local = "moe" in features, "local_impl" in features
    for kind in ("hybrid", "mla"):
        if kind in features:
            return f"{kind}+moe" if moe else kind
    if moe:
        return "moe muon" if "muon" in features else "moe local" if local else "moe te"
    if local:
        return "dense local fp16" if "fp16" in features else "dense local"
    return next((name for feature, name in DENSE.items() if feature in features), "dense")


def refuse_unmodelled(row, features):
    for feature, reason in REFUSED_FEATURES.items():
        if feature in features:
            raise NotCovered(reason)
    for argument, reason in REFUSED_ARGUMENTS.items():
        if Section(row, "raw_args").find(argument) not in (None, False):
            raise NotCovered(reason)


def measured_of(row):
    """allocated_bytes.all.current at the end of a step, and .peak since the start. A resumed run may keep what its loader read.
    The seconds of an iteration are those of the median one; runs whose fastest tenth is more than a tenth faster shared their host with
    others, and say nothing of it."""
    measured = row.get("measured") if isinstance(row.get("measured"), dict) else {}
    figures = []

    def add(key, **more):
        if common.is_number(measured.get(key)):
            figures.append(figure("allocated", measured[key], "bytes", "last", metric=key, **more))

    add("allocated_steady", step="steady", moment="between_steps")
    add("peak_steady", step="steady")
    # No step peaks at what it leaves behind: such a peak was counted from the step's end on.
    peaks = common.is_number(measured.get("peak_first")) and measured["peak_first"] > 1.001 * (measured.get("allocated_first") or 0)
    if row.get("run") == "first run" and measured.get("first_iteration") == 1 and peaks:
        add("peak_first", step="first")
    median, fast = measured.get("iteration_time_s_median"), measured.get("iteration_time_s_p10")
    if common.is_number(median) and common.is_number(fast) and fast >= STEADY * median:
        figures.append(figure("step_time_s", median, "s", metric="step_time_s"))
    return figures


def read(row, features):
    draft = Draft(row)
    gpu = Section(row, "gpu")
    if not gpu.has("name"):
        draft.assumed.append("GPU: A100 with 80 GB")
    device = gpu.choice("name", GPUS, "A100-80GB")
    read_model(draft)
    model = dict(draft.inputs)  # which defaults its facts have depends on the family: all are said
    refuse_unmodelled(row, features)
    read_parallel(draft)
    read_layout(draft)
    read_code(draft)
    said = {name: value for name, value in draft.inputs.items()
            if name in model or (value is not False and DEFAULTS.get(name) != value)}
    draft.inputs = {"model": said.pop("model"), "device": device, "task": said.pop("task"), **said}
    return draft


def convert(row):
    features = features_of(row)
    made = {"id": row.get("id", ""), "group": group_of(row, features), "source": row.get("source"), "measured": measured_of(row),
            "config": row.get("config_id"), "twin": row.get("dup_of"), "features": features,
            "set": row.get("run") if row.get("run") != "first run" else None, "notes": Section(row, "measured").find("notes")}
    try:
        draft = read(row, features)
        made.update(query=common.query_text(draft.inputs), needs=draft.needs, assumed=draft.assumed)
    except NotCovered as reason:
        made["not_covered"] = str(reason)
    return common.evidence(**made)


if __name__ == "__main__":
    common.main(convert)
