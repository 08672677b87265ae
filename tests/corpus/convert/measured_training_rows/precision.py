""""dtype_amp": number formats of weights, gradients, optimizer states and computation."""

from common import NotCovered
from measured_training_rows.run import text
from words import understand

PHRASES = {
    "bf16": "bf16",
    "bfloat16": "bf16",
    "bf16 params grads optimizer": "pure bf16",
    "bf16 params grads states": "pure bf16",
    "bf16 weights grads adam": "pure bf16",
    "bf16 weights and grads": "pure bf16",
    "bf16 weights": "pure bf16",
    "bf16 true": "pure bf16",
    "pure bf16": "pure bf16",
    "bf16 states": "pure bf16",
    "bf16 compute": "bf16 compute",
    "bf16 activations": "bf16 compute",
    "fp16": "fp16",
    "fp16 params": "fp16",
    "bf16 params": "bf16",
    "float16": "fp16",
    "fp16 activations": "fp16 compute",
    "fp16 compute": "fp16 compute",
    "fp32": "fp32",
    "float32": "fp32",
    "fp32 params grads adam": "fp32 weights",
    "fp32 params": "fp32 weights",
    "fp32 weights": "fp32 weights",
    "amp": "amp",
    "autocast": "amp",
    "mixed": "amp",
    "mixed precision": "amp",
    "no amp": None,
    "fp32 master": "master",
    "fp32 master weights": "master",
    "fp32 main params": "master",
    "fp32 main grads": "fp32 gradients",
    "fp32 grads": "fp32 gradients",
    "fp32 gradients": "fp32 gradients",
    "fp8": "fp8",
    "fp8 matmul": "fp8",
    "fp8 current scaling": "fp8",
    "fp8 delayed scaling": "fp8",
    "fp8 params": "fp8 weights",
    "fp8 param gather": "fp8 weights",
    "adapter weights fp32 autocast adapter dtype": "fp32 adapters",
    "adapter weights fp32": "fp32 adapters",
    "fp32 adapters": "fp32 adapters",
    "logits upcast to fp32 by hf llama": None,
    "fsdp2 mixedprecision": "shards",
    "int4 gptq base": None,  # "quant" has it
    "not stated": "unstated",
    "unknown": "unstated",
}
MASTER = "The framework keeps an fp32 master copy beside {} weights."
SHARDING_PROFILES = ("fsdp1", "fsdp2", "torchtitan")  # of frameworks whose mixed precision gathers 16-bit copies; nothing is autocast


def precision_of(run, meanings, told):
    framework, says = run.framework, meanings.__contains__
    master = says("master") or says("fp32 gradients") or framework.keeps_master
    bf16, fp16 = says("bf16") or says("bf16 compute"), says("fp16") or says("fp16 compute")
    if bf16 and fp16:
        run.assume(f'Of "{told}", bfloat16 was used: both weigh the same.')
    if (says("shards") or framework.profile in SHARDING_PROFILES) and bf16 and (says("fp32 weights") or says("amp")):
        return "sharded_bf16"
    if says("fp32 weights"):
        return "mixed_bf16" if bf16 else "mixed_fp16" if fp16 else "fp32"
    if says("pure bf16"):
        return "bf16"
    if says("amp"):
        if framework.loads_half:
            run.assume("The framework loads the weights in 16 bits before autocast.")
        if bf16:
            return "bf16" if framework.loads_half else "master_bf16" if master else "mixed_bf16"
        return "master_fp16" if master else "mixed_fp16"
    if bf16:
        run.assume(MASTER.format("bf16") if master else "Weights are in bf16, like the computation.")
        return "master_bf16" if master else "bf16"
    if fp16:
        if not master and run.inputs.get("method", "full") == "full":
            raise NotCovered("Training in fp16 without a master copy is no precision of ours.")
        run.assume(MASTER.format("fp16") if master else "Adapters train in fp32 under autocast to fp16.")
        return "master_fp16" if master else "mixed_fp16"
    return "fp32"


def read_precision(run):
    told = text(run.row, "dtype_amp")
    meanings, rest = understand(told, PHRASES)
    run.refuse_rest("dtype_amp", told, rest)
    if "unstated" in meanings or not meanings:
        run.refuse("dtype_amp", told)
    if "fp8" in meanings:
        run.inputs["fp8"] = "compute"
    if "fp8 weights" in meanings:
        run.inputs["fp8"] = "parameters"
    if "fp32 gradients" in meanings:
        run.inputs["gradient_dtype"] = "fp32"
    if "fp32 adapters" in meanings:
        run.inputs["adapter_dtype"] = "fp32"
    run.inputs["precision"] = precision_of(run, meanings, told)
