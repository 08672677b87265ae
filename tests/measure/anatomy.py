"""Which blocks are alive at the peak of each moment: a replay of the allocator's own event list.

Marker allocations of sizes that nothing else has separate the moments in that list."""

from families import facts_of, shape_of
from loop import clean_slate, make_optimizer, run_steps
from moments import Moments

MARK = 512 * 24_001  # bytes of the first marker; the next are 512 bytes larger each


def rounded(size):
    return max(512, -(-size // 512) * 512)


def replay(events, labels):
    """events: (action, address, size) in order. Yields (label, peak, blocks from before the moment, blocks born in it),
    all relative to what was allocated when recording began."""
    live, total, label, results = {}, 0, None, []
    peak, at_peak, born = 0, {}, set()

    def close():
        if label is None:
            return
        groups = {True: {}, False: {}}
        for address, size in at_peak.items():
            group = groups[address in born_at_peak]
            group[size] = group.get(size, 0) + 1
        order = lambda g: sorted(([s, n] for s, n in g.items()), key=lambda e: -e[0] * e[1])[:24]
        results.append({"moment": label, "peak": peak, "before": order(groups[False]), "born": order(groups[True])})

    born_at_peak = set()
    for action, address, size in events:
        size = rounded(size)
        index = (size - MARK) // 512
        if action == "alloc" and 0 <= index < len(labels) and (size - MARK) % 512 == 0:
            close()
            label, peak, at_peak, born, born_at_peak = labels[index], total, dict(live), set(), set()
            continue
        if action == "alloc":
            live[address] = size
            born.add(address)
            total += size
            if total > peak:
                peak, at_peak, born_at_peak = total, dict(live), set(born)
        elif action == "free_completed":
            if 0 <= index < len(labels) and address not in live:
                continue
            live.pop(address, None)  # one from before the recording only lowers the total
            total -= size
            born.discard(address)
    close()
    return results


def anatomy(scenario, alone=True):
    import torch
    from train import build
    clean_slate()
    shape, model = build(scenario)
    if scenario.get("ranks"):
        from ranks import wrap_model
        model = wrap_model(model, scenario["ranks"])
    optimizer = make_optimizer(scenario["optimizer"], model)
    inputs = torch.randint(1, shape["vocab"], (scenario["batch"], scenario["seq"]), device="cuda")
    labels = []

    def mark(label):
        size = MARK + 512 * len(labels)
        labels.append(label)
        torch.empty(size, dtype=torch.uint8, device="cuda")

    moments = Moments(model)
    run_steps(scenario, model, optimizer, inputs, moments, 2, lambda _step: None)
    moments.on_cut = mark
    before = torch.cuda.memory_allocated()
    torch.cuda.memory._record_memory_history(enabled="all", context=None, max_entries=400_000)
    try:
        run_steps(scenario, model, optimizer, inputs, moments, 1, lambda _step: None)
        trace = torch.cuda.memory._snapshot()["device_traces"][0]
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
        moments.detach()
    events = [(e["action"], e["addr"], e["size"]) for e in trace]
    return {"kind": "anatomy", "model": facts_of(shape),
            "workload": {"micro_batch": scenario["batch"], "seq_len": scenario["seq"]},
            "measured": {"allocated_before": before, "moments": [m for m in replay(events, labels) if m["moment"]],
                         "actions": sorted({e[0] for e in events})}}
