"""What rows of Megatron-Bridge's tables do not say and the recipes behind them do: recomputation, CUDA graphs, whether the exchange with
experts overlaps, layers of pipelines that do not divide evenly ("Et|(tt|)*30mL"), and prediction layers that train, which the tables' own
FLOP of a token have, too; a layer that predicts twice counts as two. `recipes.json` has them by release, model, GPUs, precision and layout,
from scripts/performance/configs and the recipes of
NVIDIA-NeMo/Megatron-Bridge at the tag of that release (25.11 is v0.2.0, 26.02 v0.3.0, 26.04 v0.4.0, 26.06 v0.5.0) and from
src/megatron/bridge/perf_recipes at v0.6.0 (26.08); graphs count where they capture attention. Two rows of 25.11 contradict themselves, and stand as
their recipes have them: GPT OSS on H100 has GA 2 beside GBS 512, MBS 4 and 16 replicas (the recipe: MBS 1), on B200 EP8 (the recipe: EP64, and the next
release's row with EP64 is as fast, that with EP8 1.7 times as fast). And what the configurations of whole jobs say
beside their tables of hours, in `jobs.json`, by the source of the hours."""

import functools
import json
import re
from pathlib import Path


def _layout(text):
    """Degrees above one: what is not named is one."""
    return frozenset((name, size) for name, size in re.findall(r"(FSDP|TP|PP|CP|VP|EP)(\d+)", text) if int(size) > 1)


def _key(release, row, parallelism):
    return (release, row["model"], row["gpu"], row["n_gpus"], row["precision"], _layout(parallelism))


@functools.cache
def _recipes():
    rows = json.loads(Path(__file__).with_name("recipes.json").read_text(encoding="utf-8"))
    return {_key(row["release"], row, row["parallelism"]): row for row in rows}


def read_recipe(draft):
    release = re.search(r"Megatron-Bridge .*NeMo ([0-9.]+)", draft.text("source"))
    if not release or draft.text("recompute"):
        return
    recipe = _recipes().get(_key(release.group(1), {name: draft.row.get(name) for name in ("model", "gpu", "n_gpus", "precision")}, draft.text("parallelism")))
    if not recipe:
        return
    draft.inputs |= recipe["inputs"]
    if "recompute" in recipe["inputs"]:
        draft.assumed.remove("Nothing is recomputed.")
    draft.assumed.append("Recomputation, CUDA graphs, overlap, uneven layers and prediction are those of the recipe of that release.")


@functools.cache
def _jobs():
    return json.loads(Path(__file__).with_name("jobs.json").read_text(encoding="utf-8"))


def read_job(draft):
    """What the files that a job was run by say; what the row itself says comes first."""
    job = next((job for job in _jobs() if draft.text("source").startswith(job["source"])), None)
    if not job or draft.text("recompute"):
        return
    draft.inputs |= job["inputs"]
    if "recompute" in job["inputs"]:
        draft.assumed.remove("Nothing is recomputed.")
