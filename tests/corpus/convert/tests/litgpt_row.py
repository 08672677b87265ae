"""A row of LitGPT's published tables (Lightning-AI/litgpt at 26857050)."""


def litgpt_row(model, batch, tokens, longest, quantization, gb):
    """`longest`: of tutorials/resource-tables.md, where the first micro-batch has the longest example; else of the config hub."""
    precision = {"params": "bf16-true", **({"quantization": quantization} if quantization else {})}
    return {"id": "row", "kind": "training", "framework": {"name": "litgpt"}, "gpu": {"name": "A100"}, "model": None, "model_id": model,
            "strategy": {"world": 1}, "precision": precision,
            "implementation": {"method": "qlora" if quantization and not longest else "lora"},
            "workload": {"micro_batch": batch, "seq_len": tokens, "seq_len_is": "longest training example" if longest else "upper bound"},
            "measured": {"metric": "max_memory_allocated / 1e9", "unit": "GB", "notes": "torch 2.1.0, bitsandbytes 0.41.1" if longest else "",
                         "bytes_rounded": round(gb * 1e9)}}
