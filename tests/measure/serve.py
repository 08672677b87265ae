"""Prefill and decoding of a plain transformers loop with DynamicCache: bytes and seconds."""

import time

from families import facts_of, make_model, shape_of
from loop import clean_slate


def serve(scenario, alone=True):
    import torch
    from transformers import DynamicCache
    base = clean_slate()
    shape = shape_of(scenario)
    batch, prompt, answers = scenario["batch"], scenario["seq"], scenario.get("answers", 16)
    model = make_model(shape, max(prompt + answers, 2048), torch.bfloat16, scenario["attention"], train=False)
    weights = torch.cuda.memory_allocated() - base
    ids = torch.randint(1, shape["vocab"], (batch, prompt), device="cuda")
    runs = []
    with torch.inference_mode():
        for _ in range(2):  # the first run compiles kernels and makes workspaces
            cache = DynamicCache(config=model.config)
            options = dict(past_key_values=cache, use_cache=True)
            if scenario.get("last_only", True):
                options["logits_to_keep"] = 1
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            start = time.perf_counter()
            out = model(input_ids=ids, **options)
            torch.cuda.synchronize()
            prefill = time.perf_counter() - start
            peak_prefill, after_prefill = torch.cuda.max_memory_allocated(), torch.cuda.memory_allocated()
            token = out.logits[:, -1:].argmax(-1)
            del out
            kept = torch.cuda.memory_allocated()
            torch.cuda.reset_peak_memory_stats()
            times = []
            for _step in range(answers):
                start = time.perf_counter()
                out = model(input_ids=token, **options)
                token = out.logits[:, -1:].argmax(-1)
                del out
                torch.cuda.synchronize()
                times.append(time.perf_counter() - start)
            runs.append({"peak_prefill": peak_prefill, "allocated_after_prefill": after_prefill, "kept": kept,
                         "peak_decode": torch.cuda.max_memory_allocated(), "seconds_prefill": prefill,
                         "seconds_decode": sorted(times)[len(times) // 2]})
            del cache, options
    return {"kind": "inference", "model": facts_of(shape),
            "workload": {"batch": batch, "prompt": prompt, "answers": answers,
                         "last_logits_only": scenario.get("last_only", True)},
            "implementation": {"attention": scenario["attention"], "cache": "DynamicCache"},
            "measured": {"weights": weights, **runs[-1], "first_run": runs[0],
                         "parameters": sum(p.numel() for p in model.parameters())}}
