"""Parallel degrees, what replicas divide, number formats, optimizer, recomputation, batches."""

from common import NotCovered

MOST_GPUS = 1_000_000
# --cp-comm-type: one word, or one for each layer, which no formula tells apart.
CONTEXT_METHODS = {"p2p": "ring", "all_gather": "all_gather", "allgather": "all_gather", "a2a": "ulysses"}
SHARDINGS = {"no_shard": "none", "optim": "optimizer", "optim_grads": "gradients", "optim_grads_params": "parameters"}
OPTIMIZERS = {"adam": "adamw_fused", "sgd": "sgd_momentum", "muon": "muon"}
REGIMES = {"bf16": "master_bf16", "fp16": "master_fp16", "fp32": "fp32"}
GRADIENTS = {"fp32": "fp32", "bf16": "half", "fp16": "half"}
RECOMPUTED = ("core_attn", "mla_up_proj", "layernorm", "mlp", "moe", "shared_experts", "moe_act")
OFFLOADED = ("attn_norm", "qkv_linear", "core_attn", "attn_proj", "mlp_norm", "expert_fc1", "moe_act")
STATE_FORMATS = ("--exp-avg-dtype", "--exp-avg-sq-dtype", "--main-grads-dtype", "--main-params-dtype")


def read_degrees(draft):
    row, inputs = draft.strategy, draft.inputs
    inputs.update(
        tensor_parallel=row.integer("tp", most=MOST_GPUS),
        pipeline_parallel=row.integer("pp", most=MOST_GPUS),
        virtual_stages=row.integer("vpp", 1),
        microbatch_group=row.integer("vpp_microbatch_group", 0, 0),
        first_stage_layers=row.integer("first_stage_layers", 0, 0),
        last_stage_layers=row.integer("last_stage_layers", 0, 0),
        embedding_in_split=row.flag("account_for_embedding_split"),
        loss_in_split=row.flag("account_for_loss_split"),
        context_parallel=row.integer("cp", 1, most=MOST_GPUS),
        expert_parallel=row.integer("ep", 1, most=MOST_GPUS),
        expert_tensor_parallel=row.integer("etp", 0, 0, MOST_GPUS),
        sequence_parallel=row.flag("sp") and row.integer("tp") > 1,
    )
    if inputs["expert_tensor_parallel"] == inputs["tensor_parallel"] or not draft.model.has("moe"):
        inputs["expert_tensor_parallel"] = 0
    given = draft.arguments.find("--cp-comm-type")
    if given is not None and inputs["context_parallel"] > 1:
        inputs["context_method"] = CONTEXT_METHODS.get(given) if isinstance(given, str) else None
        if inputs["context_method"] is None:
            draft.assumed.append("exchange of keys and values between context-parallel GPUs: in a ring")


def read_sharding(draft):
    row, inputs = draft.strategy, draft.inputs
    if row.flag("distributed_optimizer"):
        inputs["sharding"] = "optimizer"
    if fsdp := row.text("fsdp"):
        if fsdp != "megatron_fsdp":
            raise NotCovered("PyTorch's FSDP inside Megatron-LM is not covered.")
        if inputs["fp8"] != "none":
            raise NotCovered("Megatron FSDP with fp8 is not covered.")
        inputs["sharding"] = row.choice("data_parallel_sharding", SHARDINGS, "no_shard")


def drop_idle_sharding(inputs):
    """One GPU that shards keeps everything."""
    if inputs["data_parallel"] * inputs["context_parallel"] == 1:
        inputs.pop("sharding", None)


def read_replicas(draft):
    """Releases do not record how many GPUs ran. Where replicas divide nothing among them, a GPU holds as much with any number of them."""
    row, inputs = draft.strategy, draft.inputs
    group = inputs["tensor_parallel"] * inputs["pipeline_parallel"] * inputs["context_parallel"]
    if row.has("world"):
        inputs["data_parallel"] = row.integer("dp", most=MOST_GPUS)
        if group * inputs["data_parallel"] != row.integer("world", most=MOST_GPUS):
            raise NotCovered("The number of GPUs does not match the parallel sizes.")
        return
    if inputs.get("sharding", "none") != "none":
        raise NotCovered("The row does not say the number of GPUs, which divide the optimizer states among them.")
    if inputs["pipeline_parallel"] > 64:
        raise NotCovered("There are more pipeline stages than an input takes.")
    experts = inputs["expert_parallel"] * (inputs["expert_tensor_parallel"] or inputs["tensor_parallel"]) * inputs["pipeline_parallel"]
    inputs["data_parallel"] = max(1, -(-experts // group))
    draft.assumed.append("data-parallel replicas: the fewest; they divide nothing among them")


def read_instances(draft):
    """--num-distributed-optimizer-instances: each has all shards."""
    instances, inputs = draft.strategy.integer("optimizer_instances", 1, most=MOST_GPUS), draft.inputs
    if instances > 1:
        inputs["shard_group"] = -(-inputs["data_parallel"] * inputs["context_parallel"] // instances)


def read_optimizer(draft):
    draft.inputs["optimizer"] = draft.strategy.choice("optimizer", OPTIMIZERS, "adam")
    for argument in STATE_FORMATS:
        if (given := draft.arguments.text(argument)) not in ("", "fp32"):
            raise NotCovered(f"Optimizer states in {given} are not covered.")
    if draft.arguments.flag("--optimizer-cpu-offload"):
        draft.inputs["offload"] = "optimizer"


def read_formats(draft):
    row, inputs = draft.precision, draft.inputs
    inputs.update(precision=row.choice("params", REGIMES), gradient_dtype=row.choice("grads", GRADIENTS), fp8="none")
    if (main := row.text("main_params")) not in ("", "fp32"):
        raise NotCovered(f"Main weights in {main} are not covered.")
    if not row.has("fp8"):
        return
    fp8 = row.inside("fp8")
    inputs["fp8"] = "parameters" if fp8.flag("fp8_param_gather") else "compute"
    at_ends = fp8.integer("num_layers_at_start_in_bf16", 0, 0) + fp8.integer("num_layers_at_end_in_bf16", 0, 0)
    if fp8.flag("first_last_layers_bf16") and at_ends:
        draft.needs["fp8_layers_16bit"] = at_ends
    if recipe := fp8.text("fp8_recipe"):
        draft.needs["fp8_recipe"] = recipe


def modules_in(text, known):
    """"[layernorm mla_up_proj mlp moe_act]" and "core_attn" as the inputs take them."""
    modules = text.translate(str.maketrans("[],", "   ")).split()
    for module in modules:
        if module not in known:
            raise NotCovered(f"The module {module!r} is not covered.")
    return ",".join(modules)


def read_recompute(draft):
    if not draft.strategy.has("recompute"):
        return
    row, inputs = draft.strategy.inside("recompute"), draft.inputs
    if row.choice("granularity", {"full": True, "selective": False}):
        inputs["recompute"] = row.choice("method", {"uniform": "full", "block": "block"}, "uniform")
        inputs["recompute_layers"] = row.integer("layers", 1)
        return
    inputs["recompute"] = "selective"
    if modules := modules_in(row.text("modules"), RECOMPUTED):  # without a list, attention's core
        inputs["recompute_modules"] = modules


def read_offload(draft):
    """Inputs of modules that wait in the host's memory."""
    arguments = draft.arguments
    if not arguments.flag("--fine-grained-activation-offloading"):
        return
    if arguments.has("--activation-offload-fraction"):
        raise NotCovered("Offloading of a share of the activations is not covered.")
    modules = modules_in(arguments.text("--offload-modules"), OFFLOADED)
    if not modules:  # Megatron-LM asserts that there are some
        raise NotCovered("The row does not say which modules are offloaded.")
    draft.inputs["offload_modules"] = modules


def read_workload(draft):
    row, inputs = draft.workload, draft.inputs
    inputs.update(task="pretrain", context_tokens=row.integer("seq_len"), batch=row.integer("micro_batch"))
    if row.has("grad_accum"):
        inputs["micro_batches"] = row.integer("grad_accum")
        return
    # More than fill the pipeline make no difference to memory: warm-up holds at most that many.
    inputs["micro_batches"] = max(inputs["pipeline_parallel"], inputs["microbatch_group"]) * inputs["virtual_stages"]
    draft.assumed.append("micro-batches of a step: as many as fill the pipeline")


def read_parallel(draft):
    read_formats(draft)
    read_degrees(draft)
    read_optimizer(draft)
    read_sharding(draft)
    read_replicas(draft)
    drop_idle_sharding(draft.inputs)
    read_instances(draft)
    read_recompute(draft)
    read_offload(draft)
    read_workload(draft)
