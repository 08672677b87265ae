"""Lines by folder or file of core, which standard input lists: coverage.py SUMMARY.json, as llvm-cov export -summary-only writes it."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as summary:
    files = {file["filename"]: file["summary"]["lines"] for file in json.load(summary)["data"][0]["files"]}

print(f"{'core/':24} {'files':>6} {'lines':>7} {'reached':>8}")
for place in sys.stdin.read().split():
    lines = [count for name, count in files.items() if f"/core/{place}" in name and (place.endswith(".cpp") or f"/core/{place}/" in name)]
    total, reached = sum(line["count"] for line in lines), sum(line["covered"] for line in lines)
    print(f"{place:24} {len(lines):6} {total:7} {100 * reached / max(total, 1):7.1f}%")
