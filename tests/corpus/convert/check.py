"""Asks the queries of evidence files and says how far off the answers are.

python3 tests/corpus/convert/check.py CLI EVIDENCE... [--against OLD.json] [--differing] [--worst N]

Of each group and counter: rows, rows that a query covers, figures that were answered, and the median, 90th percentile and worst of
|predicted / measured - 1|, each measurement once (rows with a "twin" or a "set" are listed, not summed). OLD.json is an earlier output
of `plimsoll accuracy FILE --json`: how many figures have the same bytes, with --differing both queries of those that have not.
"""

import argparse
import concurrent.futures
import json
import statistics
import subprocess

from common import read_rows

MEMORY = ("requested", "allocated", "reserved", "process")
PARTS = {"weights": "memory.weights", "kv_cache": "memory.kv_cache", "workspace": "memory.workspace"}
CANNOT = (None, None)
UNREAD = {"framework_version", "fp8_recipe"}  # inputs that no formula would read yet


def part_of(estimate, part):
    """Of the moment at which memory peaks."""
    peak = next(moment for moment in estimate["moments"] if moment["moment"] == estimate["peak"]["moment"])
    return sum(one["bytes"] for one in peak["parts"] if one["id"] == part)


def memory_of(estimate, figure):
    """Bytes of a GPU's counter. Only the fullest rank's peak of a later step can be asked; what else the answer tells gives the bytes that
    tensors ask for, on other ranks and between steps."""
    memory, rank = estimate["memory"], figure.get("rank", "fullest")
    ranks = estimate["ranks"]
    index = {"fullest": memory["rank"], "last": len(ranks) - 1}.get(rank, rank)
    whole = figure.get("moment", "peak") == "peak"
    if figure.get("step") == "first" or not isinstance(index, int) or index >= len(ranks):
        return CANNOT
    if index == memory["rank"] and whole:
        return memory[figure["counter"]]["expected_bytes"], "asked"
    if figure["counter"] not in ("requested", "allocated"):
        return CANNOT
    outside = estimate["peak"]["bytes"] - memory["requested"]["expected_bytes"]
    if whole:
        return ranks[index]["peak_bytes"] - outside, "derived"
    if figure["moment"] == "between_steps" and index == estimate["rank"]:
        return estimate["moments"][-1]["bytes"] - outside, "derived"
    return CANNOT


def number_of(estimate, figure):
    """THE ONE PLACE that picks the number of an answer (`plimsoll estimate --json`) that a figure was measured of: its value in the
    figure's unit, and whether it was "asked" or "derived"; (None, None) where an answer does not tell."""
    counter = figure["counter"]
    pool, speed, time = estimate["cache_pool"], estimate["speed"], estimate["time"]

    def asked(value):
        return CANNOT if value is None else (value, "asked")

    if counter in MEMORY:
        return memory_of(estimate, figure)
    if figure.get("moment") or figure.get("part") or figure.get("step") == "first":
        return CANNOT
    if counter in PARTS:
        return asked(part_of(estimate, PARTS[counter]))
    if counter == "bits_per_weight":
        return asked(8 * part_of(estimate, PARTS["weights"]) / estimate["parameters"])
    if counter == "concurrency":
        return asked(pool and pool["bytes"] / part_of(estimate, PARTS["kv_cache"]))
    if counter == "usable":
        return asked(estimate["usable_bytes"])
    if counter == "parameters":
        return asked(estimate["parameters"])
    if counter in ("kv_pool", "kv_tokens", "sequences", "passes"):
        if not pool:
            return CANNOT
        numbers = {"kv_pool": pool["bytes"], "kv_tokens": pool["tokens"], "sequences": pool["sequences"], "passes": pool["passes"]["bytes"]}
        return asked(numbers[counter])
    if counter in ("tokens_per_s", "prompt_tokens_per_s"):
        rate = speed and speed[counter]
        return asked(rate["expected_thousandths"] / 1000 if rate else None)
    if counter in ("ttft_ms", "tpot_ms"):
        took = speed and speed["first_token" if counter == "ttft_ms" else "decode_step"]
        return asked(took["expected_ns"] / 1e6 if took else None)
    step, job = (time or {}).get("step"), (time or {}).get("job")
    if counter == "step_time_s":
        return asked(step["ns"] / 1e9 if step else None)
    if counter == "tokens_per_s_per_gpu":
        return asked(step["tokens_per_s_per_gpu_thousandths"] / 1000 if step else None)
    if counter == "gpu_hours":
        return asked(job["gpu_hours_thousandths"]["expected"] / 1000 if job else None)
    return CANNOT


def ask(cli, query):
    done = subprocess.run([cli, "estimate", query, "--json"], capture_output=True, text=True, check=False)
    try:
        answer = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None, [done.stderr.strip() or "no answer"]
    wrong = [issue["message"] for issue in answer["issues"] if issue["severity"] in ("error", "warning")]
    return answer["estimate"], wrong


def ask_all(cli, rows):
    queries = sorted({row["query"] for row in rows if "query" in row})
    with concurrent.futures.ThreadPoolExecutor(2) as workers:
        return dict(zip(queries, workers.map(lambda query: ask(cli, query), queries)))


def lacks_input(row):
    return bool(set(row.get("needs", {})) - UNREAD)


def error_of(one):
    """Without what the row itself explains."""
    return (one["predicted"] + one.get("explained", 0)) / one["value"] - 1


def errors_of(figures):
    return sorted(abs(error_of(one)) for one in figures if one["value"] and not one.get("rounded"))


def is_summed(row):
    return not row.get("twin") and not row.get("set")


def spread(errors):
    if not errors:
        return f"{'':>9}{'':>9}{'':>9}"
    ninetieth = errors[min(len(errors) - 1, int(0.9 * len(errors)))]
    return f"{statistics.median(errors):>9.2%}{ninetieth:>9.2%}{errors[-1]:>9.2%}"


def figures_of(rows, answers):
    """Every figure with its row, and what the answer says to it."""
    made = []
    for row in rows:
        estimate, wrong = answers.get(row.get("query"), (None, []))
        for figure in row["measured"]:
            predicted, how = number_of(estimate, figure) if estimate else CANNOT
            made.append({**figure, "row": row, "predicted": predicted, "how": how, "wrong": wrong})
    return made


def print_table(figures):
    groups = {}
    for one in figures:
        groups.setdefault((one["row"]["group"], one["counter"], one.get("metric", "")), []).append(one)
    print(f"{'group':40}{'counter':22}{'figures':>8}{'covered':>8}{'answered':>9}{'median':>9}{'p90':>9}{'worst':>9}")
    for (group, counter, metric), members in sorted(groups.items()):
        covered = sum("not_covered" not in one["row"] for one in members)
        answered = [one for one in members if one["predicted"] is not None]
        errors = errors_of([one for one in answered if is_summed(one["row"])])
        label = counter if len(metric) > 20 or not metric else metric
        print(f"{group[:39]:40}{label[:21]:22}{len(members):>8}{covered:>8}{len(answered):>9}{spread(errors)}")
    answered = [one for one in figures if one["predicted"] is not None and is_summed(one["row"])]
    for counter in sorted({one["counter"] for one in answered}):
        for needs, label in ((False, "all whose query says everything"), (True, "all that need further inputs")):
            errors = errors_of([one for one in answered if one["counter"] == counter and lacks_input(one["row"]) == needs])
            if errors:
                print(f"{label:40}{counter:22}{'':8}{'':8}{len(errors):>9}{spread(errors)}")


# Behind the point, of what was printed.
DIGITS = {"tokens_per_s": 2, "prompt_tokens_per_s": 2, "concurrency": 2, "bits_per_weight": 4, "gpu_hours": 3, "tokens_per_s_per_gpu": 3}


def same_bytes(one, estimate, old):
    """An earlier reader compared what tensors ask for where the source counts the blocks that hold them."""
    scale = 10 ** DIGITS.get(one["counter"], 0)
    before = round(old["predicted"] * scale)
    if before in (round(one["predicted"] * scale), int(one["predicted"] * scale + 1e-6)):
        return True
    if one["counter"] not in MEMORY:
        return False
    return memory_of(estimate, {**one, "counter": "requested"})[0] == old["predicted"]


def print_against(figures, answers, old_path, differing):
    old = {}
    for row in read_rows(old_path):
        old.setdefault((row["id"], row["metric"]), row)
    same, other, unanswered, lost, won = 0, [], 0, [], 0
    before, after = [], []
    for one in figures:
        earlier = old.get((one["row"]["id"], one.get("metric")))
        if earlier is None:
            continue
        modelled = earlier["status"] == "modelled"
        if one["predicted"] is None:
            unanswered += modelled and "query" in one["row"]
            lost += [one] if modelled and "query" not in one["row"] else []
            continue
        if not modelled:
            won += 1
            continue
        if is_summed(one["row"]) and earlier["measured"]:
            before.append(abs(earlier["unexplained_error"]))
            after.append(abs(error_of(one)))
        if same_bytes(one, answers[one["row"]["query"]][0], earlier):
            same += 1
        else:
            other.append((one, earlier))
    print(f"\nagainst {old_path}: {same} the same, {len(other)} other bytes, {unanswered} that an answer does not tell, "
          f"{len(lost)} no longer covered, {won} newly covered")
    print(f"before {spread(sorted(before))}\nafter  {spread(sorted(after))}   ({len(after)} figures that both answer, median, p90, worst)")
    for one, earlier in other if differing else []:
        row = one["row"]
        print(f"\n{row['id']} {one.get('metric')}: now {one['predicted']} ({one['how']}), before {earlier['predicted']}, "
              f"measured {one['value']}\n  now    {row['query']}\n  before {earlier['scenario']}\n  needs  {row.get('needs')}")
    for one in lost if differing else []:
        print(f"\n{one['row']['id']} {one.get('metric')}: lost: {one['row'].get('not_covered')}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("evidence", nargs="+")
    parser.add_argument("--against")
    parser.add_argument("--differing", action="store_true")
    parser.add_argument("--worst", type=int, default=0)
    given = parser.parse_args()
    rows = [row for path in given.evidence for row in read_rows(path)]
    answers = ask_all(given.cli, rows)
    figures = figures_of(rows, answers)
    print_table(figures)
    warned = {}
    for row in rows:
        for wrong in answers.get(row.get("query"), (None, []))[1]:
            warned.setdefault(wrong, []).append(row["id"])
    for wrong, ids in sorted(warned.items(), key=lambda item: -len(item[1])):
        print(f"{len(ids)} queries: {wrong} (such as {ids[0]})")
    if given.against:
        print_against(figures, answers, given.against, given.differing)
    far = [one for one in figures if one["predicted"] is not None and one["value"] and is_summed(one["row"])]
    for one in sorted(far, key=lambda one: -abs(error_of(one)))[:given.worst]:
        print(f"{error_of(one):+.1%} {one['row']['id']} {one['counter']} {one.get('metric', '')}")


if __name__ == "__main__":
    main()
