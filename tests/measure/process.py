"""What only a fresh process shows: context bytes, library workspaces, reserved over allocated for one allocator setting."""

from families import facts_of, shape_of
from machine import used_by_driver


def process(scenario, alone=True):
    import time

    import torch
    before = used_by_driver()
    stages = {}

    def stage(name):
        torch.cuda.synchronize()
        free, total = torch.cuda.mem_get_info()
        stages[name] = {"device_used": total - free, "reserved": torch.cuda.memory_reserved(),
                        "allocated": torch.cuda.memory_allocated()}

    torch.cuda.init()
    torch.cuda.set_device(0)
    stage("initialised")
    a = torch.ones(1024, 1024, device="cuda", dtype=torch.bfloat16)
    stage("first_kernel")
    (a @ a).sum().item()
    stage("first_product")
    b = a.clone().requires_grad_()
    (b @ a).sum().backward()
    stage("first_backward")
    del a, b

    from loop import checkpointing, compute_context, make_optimizer, weight_dtype
    from families import make_model
    shape = shape_of(scenario)
    model = make_model(shape, max(scenario["seq"], 2048), weight_dtype(scenario["regime"]), scenario["attention"])
    if scenario["recompute"] != "none":
        checkpointing(model, scenario["recompute"])
    optimizer = make_optimizer(scenario["optimizer"], model)
    torch.manual_seed(1)
    torch.cuda.reset_peak_memory_stats()
    series, lengths = [], []
    for step in range(scenario["steps"]):
        seq = scenario["seq"]
        if scenario.get("lengths") == "variable":  # uniform between a quarter and the whole, in steps of 8 tokens
            seq = int(torch.randint(seq // 32, seq // 8 + 1, (1,))) * 8
        lengths.append(seq)
        inputs = torch.randint(1, shape["vocab"], (scenario["batch"], seq), device="cuda")
        with compute_context(scenario["regime"]):
            out = model(input_ids=inputs, labels=inputs, use_cache=False)
        out.loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        series.append([torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()])
    stage("trained")
    start = time.perf_counter()
    del out
    torch.cuda.empty_cache()
    stage("emptied")
    stats = torch.cuda.memory_stats()
    return {"kind": "process", "model": facts_of(shape),
            "workload": {"micro_batch": scenario["batch"], "seq_len": scenario["seq"], "lengths": lengths},
            "strategy": {"optimizer": scenario["optimizer"], "recompute": scenario["recompute"]},
            "precision": {"regime": scenario["regime"]},
            "implementation": {"allocator": scenario.get("env", {}), "attention": scenario["attention"]},
            "measured": {"used_before": before, "stages": stages, "peak_steady": series[-1][0],
                         "reserved_max": series[-1][1], "series": series, "empty_cache_s": time.perf_counter() - start,
                         "num_alloc_retries": stats.get("num_alloc_retries"), "num_ooms": stats.get("num_ooms"),
                         "segments": stats.get("num_device_alloc")}}
