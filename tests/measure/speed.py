"""Rates by shape for the time model: matrix products, attention, and code that only moves bytes. Random data, CUDA events,
median of repetitions after warm-up; inputs far larger than the cache wherever bytes are what is timed."""


def median_seconds(run, repeats=9):
    import torch
    for _ in range(2):
        run()
    times = []
    for _ in range(repeats):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) / 1e3)
    return sorted(times)[len(times) // 2]


def product(case):
    import torch
    m, k, n = case["m"], case["k"], case["n"]
    # weights rotate, so that a decode-sized product reads them from memory and not from the cache
    copies = max(1, min(8, int(1e9) // (k * n * 2)))
    x = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
    weights = [torch.randn(n, k, device="cuda", dtype=torch.bfloat16) for _ in range(copies)]
    turn = iter(range(10**9))
    seconds = median_seconds(lambda: torch.nn.functional.linear(x, weights[next(turn) % copies]))
    return {"seconds": seconds, "flops": 2 * m * k * n, "bytes": 2 * (m * k + n * k + m * n)}


def attention(case):
    import torch
    b, a, g, s, d = (case[key] for key in ("batch", "heads", "kv_heads", "seq", "head_dim"))
    q = torch.randn(b, a, s, d, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    k, v = (torch.randn(b, g, s, d, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(2))
    call = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=a != g)
    with torch.no_grad():
        forward = median_seconds(call)
    out = call()
    grad = torch.randn_like(out)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    grads = torch.autograd.grad(out, (q, k, v), grad, retain_graph=True)
    temporary = torch.cuda.max_memory_allocated() - before
    del grads
    backward = median_seconds(lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True))
    return {"seconds": forward, "seconds_backward": backward, "flops": 2 * b * a * s * s * d,
            "flops_backward": 5 * b * a * s * s * d, "backward_peak_bytes": temporary,
            "node": type(out.grad_fn).__name__}


def moved(case):
    """Bandwidth of what moves bytes: copy, add, eager and fused norm, gate, cross-entropy, optimizer step."""
    import torch
    what, size = case["what"], case["bytes"]
    F, bf16 = torch.nn.functional, torch.bfloat16
    if what in ("copy", "add"):
        a, b = (torch.randn(size // 2, device="cuda", dtype=bf16) for _ in range(2))
        c = torch.empty_like(a)
        run = (lambda: c.copy_(a)) if what == "copy" else (lambda: torch.add(a, b, out=c))
        return {"seconds": median_seconds(run), "bytes": size * (2 if what == "copy" else 3)}
    if what in ("norm_eager", "norm_fused"):
        x = torch.randn(size // 8192, 4096, device="cuda", dtype=bf16)
        w = torch.ones(4096, device="cuda", dtype=bf16)
        def eager():
            y = x.float()
            return w * (y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-6)).to(bf16)
        run = eager if what == "norm_eager" else lambda: F.rms_norm(x, (4096,), w, 1e-6)
        return {"seconds": median_seconds(run), "bytes": 2 * size}
    if what == "gate":
        a, b = (torch.randn(size // 2, device="cuda", dtype=bf16) for _ in range(2))
        return {"seconds": median_seconds(lambda: F.silu(a) * b), "bytes": 3 * size}
    if what == "loss":
        x = torch.randn(size // (2 * 128256), 128256, device="cuda", dtype=bf16)
        t = torch.randint(0, 128256, (x.shape[0],), device="cuda")
        return {"seconds": median_seconds(lambda: F.cross_entropy(x.float(), t)), "bytes": size}
    if what.startswith("adamw"):
        ps = [torch.randn(size // 32, device="cuda", dtype=bf16, requires_grad=True) for _ in range(16)]
        for p in ps:
            p.grad = torch.randn_like(p)
        optimizer = torch.optim.AdamW(ps, fused=what == "adamw_fused", foreach=what == "adamw_foreach")
        # reads weight, gradient and two states, writes weight and two states
        return {"seconds": median_seconds(optimizer.step, 5), "bytes": 7 * size}
    raise ValueError(what)


def speed(scenario, alone=True):
    import torch
    from loop import clean_slate
    clean_slate()
    case = scenario["case"]
    measured = {"product": product, "attention": attention, "moved": moved}[case["kind"]](case)
    torch.cuda.empty_cache()
    return {"kind": "timing", "case": case, "measured": measured}
