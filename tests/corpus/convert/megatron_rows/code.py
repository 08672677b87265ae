"""Which code ran: kernels, fusions, what the environment says."""

import re

from common import NotCovered
from sections import Section

KERNELS = {"auto": "profile", "flash": "flash", "fused": "cudnn", "unfused": "fused_softmax", "local": "fused_softmax"}
DISPATCHES = {"allgather": "all_gather", "alltoall": "all_to_all", "flex": "all_to_all"}
ROUTERS = {"bf16": False, "fp32": True, "fp64": True}
LOSSES = {"native": "megatron_fused", "te": "te_fused"}


def attention_kernel(draft):
    row = draft.implementation
    asked = row.choice("attention_backend", KERNELS, "auto")
    # Megatron's own attention multiplies around a softmax, which one kernel computes where Transformer Engine or Apex is installed;
    # without, the softmax is kept in fp32.
    if not row.flag("te_installed", True):
        return "eager"
    if not draft.runs_engine:
        return "fused_softmax"
    # The backends that the environment switches off, where Transformer Engine may choose.
    if asked == "profile" and row.integer("nvte_fused_attn", 1, 0, 1) == 0:
        return "flash"
    return asked


def fuses_activation(draft):
    """megatron/training/arguments.py, core_transformer_config_from_args: --no-bias-gelu-fusion speaks of GELU, --no-bias-swiglu-fusion of
    gated MLPs; squared ReLU has a fused form for experts only."""
    if draft.model.flag("gated_mlp"):
        return not draft.arguments.flag("--no-bias-swiglu-fusion")
    return draft.model.text("activation") == "gelu" and draft.implementation.flag("bias_gelu_fusion", True)


def workspace_kib(text):
    """CUBLAS_WORKSPACE_CONFIG: ":SIZE:COUNT", repeated, in KiB (cuBLAS documentation, "Results Reproducibility")."""
    if re.search(r"[^0-9:]", text):
        raise NotCovered(f"implementation.cublas_workspace_config is {text!r}, which is no list of sizes and counts.")
    numbers = [int(number[:7]) for number in text.split(":") if number]
    return min(sum(size * count for size, count in zip(numbers[::2], numbers[1::2])), 100_000_000)


def read_experts(draft):
    """megatron/core/transformer/moe/experts.py: activation and the router's weights are one kernel for gated MLPs, and for squared ReLU
    on demand."""
    moe, inputs = draft.model.inside("moe"), draft.inputs
    gated = draft.model.flag("gated_mlp")
    weighted = fuses_activation(draft) if gated else draft.arguments.flag("--use-fused-weighted-squared-relu")
    if not weighted or not draft.runs_engine:  # Transformer Engine's experts are taken to be fused
        inputs["experts_kernel"] = "fused" if weighted else "eager"
    inputs.update(dispatch=moe.choice("dispatcher", DISPATCHES, "allgather"), router_fp32=moe.choice("router_dtype", ROUTERS, "bf16"),
                  grouped_experts=moe.flag("grouped_gemm") and draft.runs_engine)


def read_code(draft):
    row, inputs = draft.implementation, draft.inputs
    inputs.update(
        profile="megatron" if draft.runs_engine else "megatron_local",
        attention=attention_kernel(draft),
        norms="fused",  # Transformer Engine's, or Apex's in Megatron's own layers
        mlp="fused" if fuses_activation(draft) else "eager",
        loss=row.choice("cross_entropy_fusion_impl", LOSSES, "native") if row.flag("cross_entropy_fusion") else "megatron",
        hidden_dropout=draft.model.real("dropout_hidden", 0.1) > 0,
        attention_dropout=draft.model.real("dropout_attention", 0.1) > 0,
        deterministic=row.flag("deterministic") or not draft.environment.flag("NVTE_ALLOW_NONDETERMINISTIC_ALGO", True),
        expandable_segments="on" if row.flag("expandable_segments") else "profile",
        workspace_kib=workspace_kib(row.text("cublas_workspace_config")),
        attention_mask=row.flag("attention_mask_in_dataloader", True),
        defer_head_gradient=row.flag("defer_embedding_wgrad"),
        deferred_micro_batches=draft.arguments.integer("--wgrad-deferral-limit", 0, 0),
        communication_overlap=draft.strategy.flag("tp_comm_overlap"),
        fused_gradient_accumulation=row.flag("gradient_accumulation_fusion", True),
    )
    if draft.model.has("moe"):
        read_experts(draft)
    if inputs["attention"] == "profile":  # which kernel "auto" takes depends on Transformer Engine's version
        container, recorded = draft.row.get("container"), Section(draft.row, "source").find("golden_date")
        if isinstance(container, str):
            draft.needs["framework_version"] = f"{container} container" + (f" of {recorded[:7]}" if isinstance(recorded, str) else "")
