"""Rows that exercise the same are summed up together: what is special about a row first, its number formats otherwise."""

from row import section, text


def differs(scenario, key, usual):
    value = scenario.get(key)
    return value is not None and (value is not usual if isinstance(usual, bool) else value != usual)


def group_of(row):
    scenario, kind = section(row, "scenario"), row.get("kind")
    if kind == "saved_tensors":
        return "steps: saved by a layer"
    if kind in ("process", "inference", "anatomy", "timing"):
        return f"steps: {kind}"
    if isinstance(scenario.get("ranks"), dict):
        return f"steps: {text(section(scenario, 'ranks'), 'kind')}"
    if scenario.get("peft") is not None:
        return "steps: adapters"
    if scenario.get("run") == "trainer":
        return "steps: trainer"
    if section(row, "model").get("moe") is not None:
        return "steps: experts"
    if differs(scenario, "compile", False):
        return "steps: compiled"
    if differs(scenario, "norm", "eager"):
        return "steps: fused norms"
    if differs(scenario, "attention", "sdpa") or differs(scenario, "padding", "ones") or scenario.get("backend") is not None:
        return "steps: attention code"
    if differs(scenario, "loop", "kept"):
        return "steps: loops"
    recompute = text(scenario, "recompute")
    return f"steps: {text(scenario, 'regime')}" + (", recomputed" if recompute not in ("", "none") else "")
