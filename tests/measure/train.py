"""One training scenario on one GPU: plain loop, optionally with adapters, or in the shape of one rank of many."""

from families import facts_of, make_model, shape_of
from loop import (attention_backend, checkpointing, clean_slate, fuse_norms, make_optimizer, run_steps, timed_steps, weight_dtype)
from moments import Moments


def add_adapters(model, peft):
    from peft import LoraConfig, get_peft_model
    config = LoraConfig(r=peft["rank"], lora_alpha=16, lora_dropout=peft.get("dropout", 0.0),
                        target_modules=list(peft["targets"]), use_dora=peft.get("dora", False), task_type="CAUSAL_LM")
    return get_peft_model(model, config, autocast_adapter_dtype=peft.get("fp32", True))


def build(scenario):
    """The model as a user has it before the optimizer is made."""
    import torch
    shape = shape_of(scenario)
    torch.manual_seed(0)
    model = make_model(shape, max(scenario["seq"], 2048), weight_dtype(scenario["regime"]), scenario["attention"])
    if scenario["norm"] == "fused":
        fuse_norms(model)
    if scenario.get("peft"):
        model = add_adapters(model, scenario["peft"])
    if scenario["recompute"] != "none":
        checkpointing(model, scenario["recompute"])
        if scenario.get("peft"):
            model.enable_input_require_grads()
    return shape, model


def parameter_facts(model):
    parameters = list(model.parameters())
    local = lambda p: (p.to_local() if hasattr(p, "to_local") else p)
    return {"parameters": sum(p.numel() for p in parameters),
            "trainable": sum(p.numel() for p in parameters if p.requires_grad),
            "tensors": len(parameters),
            "local_bytes": sum(local(p).numel() * p.element_size() for p in parameters)}


def train(scenario, alone=True):
    import torch
    base = clean_slate()
    shape, model = build(scenario)
    wrap = scenario.get("ranks")
    if wrap:
        from ranks import wrap_model
        model = wrap_model(model, wrap)
        torch.cuda.empty_cache()
    if scenario["compile"]:
        for layer in ([model] if scenario["compile"] == "model" else __import__("families").decoder_layers(model)):
            layer.compile(dynamic=False)
    facts = parameter_facts(model)
    after_model = torch.cuda.memory_allocated() - base
    optimizer = make_optimizer(scenario["optimizer"], model)
    inputs = torch.randint(1, shape["vocab"], (scenario["batch"], scenario["seq"]), device="cuda")
    moments, summaries, allocated = Moments(model, detail=not scenario["compile"]), [], []

    def after_step(_step):
        summaries.append(moments.summary())
        allocated.append(torch.cuda.memory_allocated())

    with attention_backend(scenario):
        run_steps(scenario, model, optimizer, inputs, moments, scenario["steps"], after_step)
    moments.detach()
    reserved = torch.cuda.max_memory_reserved()
    times = None
    if alone and scenario.get("time") and not scenario.get("peft"):
        times = timed_steps(scenario, model, optimizer, inputs)
    return measured_row(scenario, shape, facts, {
        "allocated_before": base, "allocated_model": after_model, "allocated_first": allocated[0],
        "allocated_steady": allocated[-1], "peaks": [s["peak"] for s in summaries], "peak_first": summaries[0]["peak"],
        "peak_steady": max(s["peak"] for s in summaries[1:]) if len(summaries) > 1 else None,
        "reserved_max_in_process": reserved, "first": summaries[0], "steady": summaries[-1],
        "seconds": times, **facts})


def measured_row(scenario, shape, facts, measured):
    """The corpus schema, kind "training"."""
    ranks = scenario.get("ranks") or {}
    world = ranks.get("world", 1)
    regime = scenario["regime"]
    weights = "bf16" if regime == "bf16" else "fp32"
    return {
        "kind": "training", "model": facts_of(shape),
        "workload": {"micro_batch": scenario["batch"], "seq_len": scenario["seq"],
                     "grad_accum": scenario.get("accumulate", 1)},
        "strategy": {"world": world, "tp": world if ranks.get("kind") == "tp" else 1, "pp": 1, "cp": 1, "ep": 1,
                     "dp": world if ranks.get("kind") in ("fsdp2", "ddp") else 1,
                     "fsdp": ranks if ranks.get("kind") == "fsdp2" else None, "ranks": ranks or None,
                     "optimizer": scenario["optimizer"],
                     "recompute": None if scenario["recompute"] == "none" else {"granularity": scenario["recompute"]}},
        "precision": {"params": weights, "main_params": None, "grads": weights, "autocast": regime == "mixed_bf16",
                      "fp8": None},
        "method": scenario.get("peft"),
        "implementation": {key: scenario[key] for key in ("attention", "loop", "use_cache", "norm", "compile")},
        "measured": measured,
    }
