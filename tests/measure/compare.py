#!/usr/bin/env python3
"""Measured rows against the estimator's predictions, moment by moment.

  compare.py ../corpus/measured-h200.json --cli build/cli/plimsoll [--rows] [--moments] [--only TEXT]

Predicted bytes are those of `plimsoll explain --json` less the driver's context, which the allocator does not see.
Measured bytes are the allocator's peaks of the last step (peak_steady: optimizer states exist, `out` of the step before)."""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

# The estimator's moments, and the measured interval that each of them claims to predict.
MOMENTS = {"forward_end": "forward_end", "loss_backward": "loss_backward", "head_backward": "head_backward",
           "last_layer_backward": "last_layer_backward", "first_layer_backward": "first_layer_backward",
           "backward_end": "embedding_backward", "optimizer_step": "optimizer_step"}


def read_rows(path):
    text = Path(path).read_text()
    rows = json.loads(text) if text.lstrip().startswith("[") else [json.loads(line) for line in text.splitlines()]
    return [row for row in rows if row["kind"] == "training"]


def unclaimed(row):
    """Why today's inputs cannot describe this row; empty if they can."""
    s, model = row["scenario"], row["model"]
    reasons = []
    if row.get("method"):
        reasons.append("adapters")
    if s["norm"] != "eager" or s["compile"]:
        reasons.append("fused or compiled")
    if s["attention"] != "sdpa":
        reasons.append("attention code")
    if s["recompute"] not in ("none", "full"):
        reasons.append("selective checkpointing")
    if s["optimizer"] not in ("adamw_fused", "adamw_foreach", "sgd_momentum", "sgd"):
        reasons.append("optimizer")
    if (s.get("ranks") or {}).get("kind") == "fsdp2" or (s.get("ranks") or {}).get("bucket_view"):
        reasons.append("fsdp or bucket views")
    if model["dropout_hidden"] or s.get("accumulate", 1) > 1:
        reasons.append("dropout or accumulation")
    if model["moe"]:
        reasons.append("experts")
    if s.get("padding") == "some" or s.get("backend") == "MATH":
        reasons.append("attention kernel")
    if s["run"] == "trainer" or s["loop"] == "dropped":
        reasons.append("logits dropped before the backward pass")
    return ", ".join(reasons)


def query_of(row):
    s, m = row["scenario"], row["model"]
    ranks = s.get("ranks") or {}
    optimizer = s["optimizer"] if s["run"] != "trainer" else \
        "adamw_foreach" if s.get("optim") == "adamw_torch" else "adamw_fused"
    fields = {
        "task": "pretrain", "model": "custom", "device": "h200-141-sxm", "profile": "pytorch",
        "hidden_size": m["hidden"], "layers": m["layers"], "query_heads": m["heads"], "kv_heads": m["kv_heads"],
        "head_dim": m["head_dim"], "intermediate_size": m["ffn_hidden"], "vocab_size": m["vocab"],
        "max_context": max(s["seq"], 2048), "learned_positions": max(s["seq"], 2048) if m["position"] == "learned" else 0,
        "norms_per_layer": m["norms_per_layer"], "mlp_kind": "gated" if m["gated_mlp"] else "plain",
        "norm": "rmsnorm_zero_centered" if m["family"].startswith("gemma") else m["norm"],
        "activation": "gelu_new" if m["activation"] == "gelu_new" else "native",
        "fused_projections": m["family"] in ("gpt2", "phi3"),
        "qk_norm": "per_head" if m["qk_norm"] else "none", "qkv_bias": m["qkv_bias"], "output_bias": m["linear_bias"],
        "mlp_bias": m["linear_bias"], "head_bias": m["head_bias"], "tied_embeddings": m["tied"],
        "parallel_block": m["parallel_block"], "context_tokens": s["seq"], "batch": s["batch"], "regime": s["regime"],
        "optimizer": optimizer, "recompute": s["recompute"] if s["recompute"] in ("none", "full") else "full",
        "tensor_parallel": ranks["world"] if ranks.get("kind") == "tp" else 1,
        "data_parallel": 2 if ranks.get("kind") == "ddp" else 1,
    }
    fields.update(row.get("query_extra", {}))
    text = lambda v: {True: "true", False: "false"}[v] if isinstance(v, bool) else str(v)
    return "&".join(f"{key}={text(value)}" for key, value in fields.items())


def find(node, wanted):
    if node["id"] == wanted:
        return node["amount"]
    return next((found for part in node.get("parts", []) if (found := find(part, wanted)) is not None), None)


def predict(cli, row):
    answer = json.loads(subprocess.run([cli, "explain", "--json", query_of(row)], capture_output=True, text=True).stdout)
    if not answer["ok"]:  # an optimizer, say, that today's inputs do not name
        return None
    context = find(answer["explanation"]["memory"], "memory.runtime.context") or 0
    moments = {m["moment"]: m["bytes"] - context for m in answer["estimate"]["moments"]}
    parts = {m["moment"]: {p["id"]: p["bytes"] for p in m["parts"]} for m in answer["estimate"]["moments"]}
    return {"parameters": answer["estimate"]["parameters"], "moments": moments, "parts": parts,
            "peak": max(moments.values()), "peak_moment": max(moments, key=moments.get)}


def measured_peaks(row):
    peaks = row["measured"]["steady"]["peaks"]
    return {moment: peaks[name] for moment, name in MOMENTS.items() if name in peaks}


def statistics(errors):
    ordered = sorted(errors, key=abs)
    middle = ordered[len(ordered) // 2]
    return f"{len(errors):4d}  median {100 * abs(middle):6.2f} %  worst {100 * ordered[-1]:+7.2f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows")
    parser.add_argument("--cli", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true", help="also rows that today's inputs cannot describe")
    parser.add_argument("--rows", dest="each", action="store_true", help="one line per row")
    parser.add_argument("--moments", action="store_true", help="every moment of each row, with the difference in bytes per token")
    args = parser.parse_args()
    by_moment, by_group = defaultdict(list), defaultdict(list)
    for row in read_rows(args.rows):
        why = unclaimed(row)
        if args.only not in row["id"] or (why and not args.all):
            continue
        predicted, measured = predict(args.cli, row), row["measured"]
        if predicted is None:
            continue
        error = predicted["peak"] / measured["peak_steady"] - 1
        setting = f"{row['scenario']['regime']}, recompute {row['scenario']['recompute']}"
        by_group["peak, " + (f"not claimed: {why}" if why else f"claimed, {setting}")].append(error)
        by_group["peak, claimed, all" if not why else "peak, not claimed, all"].append(error)
        if not why and not row["scenario"].get("ranks"):  # a wrapper counts its parameters its own way
            by_moment["parameters"].append(predicted["parameters"] / measured["parameters"] - 1)
        peaks = measured_peaks(row)
        if args.each or args.moments:
            at = max(measured["steady"]["peaks"], key=measured["steady"]["peaks"].get)
            print(f"{100 * error:+7.2f} %  {row['id']}  {measured['peak_steady']} at {at}, predicted {predicted['peak']} at {predicted['peak_moment']}")
        tokens = row["scenario"]["batch"] * row["scenario"]["seq"]
        for moment, value in peaks.items():
            guess = predicted["moments"][moment]
            if not why:
                by_moment[moment].append(guess / value - 1)
            if args.moments:
                print(f"           {moment:<22} {value:>14} {guess:>14} {100 * (guess / value - 1):+7.2f} %"
                      f"  {guess - value:>13}  {(guess - value) / tokens:>11.1f} B/token")
    for title, table in (("moments (claimed rows)", by_moment), ("peaks", by_group)):
        print(f"\n{title}")
        for name in (table if table is by_moment else sorted(table)):
            print(f"  {name:<75} {statistics(table[name])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
