"""What a benchmark row asks of the estimate: a query, the term that is the kernel's, the moment, and what the benchmark holds beside it.

Scripts: Liger-Kernel, benchmark/scripts. All of them keep the gradient of the repetition before (utils.py, run_memory_benchmark) but those
for Megatron, which drop it, and all hold the kernel's input.
"""

from common import NotCovered

from liger_rows.sizes import Sizes
from row import section, text

# Anything small around the kernel: only the kernel's own term is compared.
AROUND = {"model": "custom", "layers": 1, "hidden_size": 64, "query_heads": 1, "kv_heads": 1, "head_dim": 64, "intermediate_size": 64,
          "vocab_size": 64, "task": "pretrain", "optimizer": "sgd", "device": "h100-80-sxm"}
IN_16_BITS = (0, 5)  # before that version, chunks of logits were computed in fp32
IN_PLACE_IS_THE_GRADIENT = (0, 3)  # before that version, the gradient over the logits became .grad as it was


def version_of(row):
    parts = [int(part) for part in text(section(row, "framework"), "version").split(".")[:2] if part.isdecimal()]
    if len(parts) < 2:
        raise NotCovered("The row does not tell the version of Liger-Kernel.")
    return tuple(parts)


def precision_of(element):
    return "fp32" if element == 4 else "bf16"


def cross_entropy(row, sizes, loss, needs):
    element, vocabulary, (sequences, tokens) = sizes.element_bytes(4), sizes.need("vocabulary"), sizes.rows()
    logits = sequences * tokens * vocabulary * element
    held = {} if loss == "liger" else {"the logits, which the benchmark holds": logits}
    if loss != "liger" or version_of(row) >= IN_PLACE_IS_THE_GRADIENT:
        held["the gradient of the repetition before"] = logits
    return {**AROUND, "precision": precision_of(element), "loss": loss, "vocab_size": vocabulary, "batch": sequences,
            "context_tokens": tokens}, held


def megatron_cross_entropy(row, sizes, loss, needs):
    group, vocabulary, (sequences, tokens) = sizes.find("tensor_parallel", 1), sizes.need("vocabulary"), sizes.rows()
    held = {"the logits, which the benchmark holds": sequences * tokens * (vocabulary // group) * 2}
    return {**AROUND, "profile": "megatron", "precision": "master_bf16", "loss": loss, "vocab_size": vocabulary, "batch": sequences,
            "context_tokens": tokens, "tensor_parallel": group, "query_heads": group, "kv_heads": group}, held


def linear_cross_entropy(row, sizes, loss, needs):
    element, hidden, (sequences, tokens) = sizes.element_bytes(2), sizes.need("hidden"), sizes.rows()
    width, rows = hidden * element, sequences * tokens
    held = {"input, and its gradient of the repetition before": 2 * rows * width, "targets": 8 * rows}
    if loss == "liger_fused_linear":
        held["gradient of the input, made with the loss"] = rows * width
        if version_of(row) < IN_16_BITS:
            raise NotCovered("Before 0.5 the kernel computed chunks of logits in fp32; the estimate describes it as it is since.")
    return {**AROUND, "precision": precision_of(element), "loss": loss, "vocab_size": sizes.need("vocabulary"), "hidden_size": hidden,
            "batch": sequences, "context_tokens": tokens}, held


def gated_mlp(row, sizes, mlp, needs):
    element, hidden, (sequences, tokens) = sizes.element_bytes(2), sizes.need("hidden"), sizes.rows()
    held = {"input and output": 2 * sequences * tokens * hidden * element}
    return {**AROUND, "precision": precision_of(element), "mlp": mlp, "hidden_size": hidden, "intermediate_size": sizes.need("intermediate"),
            "batch": sequences, "context_tokens": tokens}, held


LOSS, MLP = "memory.loss", "memory.activations.mlp"
# By kernel, provider and mode: the question, the choice that names the code, the component and moment of the answer, and whether weights
# and workspaces stand beside it, so that only the difference between two points of a sweep is the kernel's.
KERNELS = {
    ("cross_entropy", "huggingface", "full"): (cross_entropy, "torch_cross_entropy", LOSS, "loss_backward", False),
    ("cross_entropy", "torch", "full"): (cross_entropy, "torch_cross_entropy", LOSS, "loss_backward", False),
    ("cross_entropy", "liger", "full"): (cross_entropy, "liger", LOSS, "loss_backward", False),
    ("megatron_cross_entropy", "megatron-unfused", "full"): (megatron_cross_entropy, "megatron", LOSS, "loss_backward", False),
    ("megatron_cross_entropy", "megatron-fused", "full"): (megatron_cross_entropy, "megatron_fused", LOSS, "loss_backward", False),
    ("megatron_cross_entropy", "megatron", "full"): (megatron_cross_entropy, "megatron_fused", LOSS, "loss_backward", False),
    ("fused_linear_cross_entropy", "huggingface", "full"): (linear_cross_entropy, "torch_cross_entropy", LOSS, "loss_backward", True),
    ("fused_linear_cross_entropy", "liger", "full"): (linear_cross_entropy, "liger_fused_linear", LOSS, "forward_end", True),
} | {(kernel, provider, "forward"): (gated_mlp, mlp, MLP, "forward_end", True)
     for kernel in ("swiglu", "geglu", "tiled_swiglu", "tiled_geglu") for provider, mlp in (("huggingface", "eager"), ("liger", "fused"))}
# Liger's backends by language, where they run the same algorithm: cuTile's cross-entropy writes its gradient elsewhere.
BACKENDS = ("liger_triton", "liger_cutile", "liger_cutedsl")
OF_THEIR_OWN = (("cross_entropy", "liger_cutile"),)
WITHOUT_FORMULA = "The estimate has no formula of what this code holds."


def question_of(row):
    """(component, moment, whether a second point is needed, query, held, needs) of a row."""
    kernel, provider = text(row, "kernel"), text(row, "provider")
    if (kernel, provider) in OF_THEIR_OWN:
        raise NotCovered(WITHOUT_FORMULA)
    found = KERNELS.get((kernel, "liger" if provider in BACKENDS else provider, text(row, "mode")))
    if found is None:
        raise NotCovered(WITHOUT_FORMULA)
    ask, choice, component, moment, differs = found
    needs = {}
    inputs, held = ask(row, Sizes(row), choice, needs)
    return component, moment, differs, inputs, held, needs
