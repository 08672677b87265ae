"""The parts of a plain training loop that scenarios vary: number formats, optimizer, checkpointing, norms, the step itself."""

import contextlib
import gc
import time


def weight_dtype(regime):
    import torch
    return torch.bfloat16 if regime == "bf16" else torch.float32


def compute_context(regime):
    import torch
    return torch.autocast("cuda", dtype=torch.bfloat16) if regime == "mixed_bf16" else contextlib.nullcontext()


def clean_slate():
    """Nothing of the scenario before may count: caches, cuBLAS workspaces (32 MiB each on this GPU), peaks."""
    import torch
    gc.collect()
    torch.cuda.synchronize()
    if hasattr(torch._C, "_cuda_clearCublasWorkspaces"):
        torch._C._cuda_clearCublasWorkspaces()
    torch._dynamo.reset() if "torch._dynamo" in __import__("sys").modules else None
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    return torch.cuda.memory_allocated()


def make_optimizer(name, model):
    import torch
    parameters = [p for p in model.parameters() if p.requires_grad]
    # Sharded and plain parameters may not share one foreach call: two groups where both exist.
    sharded = [p for p in parameters if hasattr(p, "device_mesh")]
    plain = [p for p in parameters if not hasattr(p, "device_mesh")]
    groups = [{"params": group} for group in (sharded, plain) if group]
    kind, _, way = name.partition("_")
    if kind == "adamw":
        return torch.optim.AdamW(groups, lr=1e-5, fused=way == "fused", foreach=way == "foreach")
    if kind == "sgd":
        how = {"foreach": way != "momentum_fused", "fused": way == "momentum_fused"}
        return torch.optim.SGD(groups, lr=1e-5, momentum=0.9 if "momentum" in way else 0.0, **how)
    if kind == "adafactor":
        return torch.optim.Adafactor(groups, lr=1e-5)
    raise ValueError(f"unknown optimizer {name}")


def fuse_norms(model):
    """F.rms_norm in the place of the eager code: the same values but for rounding."""
    import types

    import torch

    def forward(self, hidden):
        # gemma's code computes in fp32 with 1 + weight; only families that multiply by weight are exchanged
        return torch.nn.functional.rms_norm(hidden, (hidden.shape[-1],), self.weight, self.variance_epsilon)

    for module in model.modules():
        if type(module).__name__.endswith("RMSNorm") and hasattr(module, "variance_epsilon"):
            module.forward = types.MethodType(forward, module)


def checkpointing(model, kind):
    if kind == "none":
        return
    options = {"use_reentrant": kind == "full_reentrant"}
    if kind == "selective":
        options["context_fn"] = selective_contexts
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs=options)


def selective_contexts():
    """torchtitan's per-operation rule: keep attention's output and every second matrix product, recompute the rest."""
    import torch
    from torch.utils.checkpoint import CheckpointPolicy, create_selective_checkpoint_contexts
    ops = torch.ops.aten
    keep = {ops._scaled_dot_product_flash_attention.default, ops._scaled_dot_product_efficient_attention.default,
            ops._scaled_dot_product_cudnn_attention.default}
    products = {"forward": 0, "recompute": 0}

    def policy(context, op, *_args, **_kwargs):
        phase = "recompute" if context.is_recompute else "forward"
        if op in (ops.mm.default, ops.linear.default):
            products[phase] += 1
            return CheckpointPolicy.MUST_SAVE if products[phase] % 2 else CheckpointPolicy.PREFER_RECOMPUTE
        return CheckpointPolicy.MUST_SAVE if op in keep else CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)


def forward_options(scenario):
    """What the model is called with besides ids and labels. A mask with real padding closes the way to fused kernels."""
    import torch
    options = {} if scenario["use_cache"] is None else {"use_cache": scenario["use_cache"]}
    if scenario.get("padding"):
        mask = torch.ones(scenario["batch"], scenario["seq"], dtype=torch.long, device="cuda")
        if scenario["padding"] == "some":
            mask[0, scenario["seq"] // 2:] = 0
        options["attention_mask"] = mask
    return options


def attention_backend(scenario):
    """One of PyTorch's attention kernels by name, or its own choice."""
    from torch.nn.attention import SDPBackend, sdpa_kernel
    name = scenario.get("backend")
    return sdpa_kernel(getattr(SDPBackend, name)) if name else contextlib.nullcontext()


def run_steps(scenario, model, optimizer, inputs, moments, steps, after_step):
    """`kept`: out survives into the next forward pass, as in for-loops. `deleted`: it dies after the step.
    `dropped`: only the loss leaves the forward pass, so the logits die before the backward pass."""
    import torch
    options, loop = forward_options(scenario), scenario["loop"]
    accumulate = scenario.get("accumulate", 1)
    out = loss = None
    for step in range(steps):
        moments.begin_step()
        for micro in range(accumulate):
            if micro:
                moments.cut("forward_layers")
                moments.forward = True
            with compute_context(scenario["regime"]):
                if loop == "dropped":
                    loss = model(input_ids=inputs, labels=inputs, **options).loss
                else:
                    out = model(input_ids=inputs, labels=inputs, **options)
            moments.begin_backward()
            if loop == "dropped":
                loss.backward()
            else:
                out.loss.backward()
        if scenario.get("clip"):
            moments.cut("clip")
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        moments.cut("optimizer_step")
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if loop == "deleted":
            del out
            out = None
        moments.cut(None)
        after_step(step)


def timed_steps(scenario, model, optimizer, inputs, steps=5):
    """Median seconds of a whole step and of its three parts, without hooks."""
    import torch
    options, times = forward_options(scenario), []
    for _ in range(steps):
        marks = [torch.cuda.Event(enable_timing=True) for _ in range(4)]
        torch.cuda.synchronize()
        start = time.perf_counter()
        marks[0].record()
        with compute_context(scenario["regime"]):
            loss = model(input_ids=inputs, labels=inputs, **options).loss
        marks[1].record()
        loss.backward()
        marks[2].record()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        marks[3].record()
        torch.cuda.synchronize()
        times.append([time.perf_counter() - start] + [a.elapsed_time(b) / 1e3 for a, b in zip(marks, marks[1:])])
    middle = [sorted(column)[len(column) // 2] for column in zip(*times)]
    return dict(zip(("step", "forward", "backward", "optimizer"), middle))
