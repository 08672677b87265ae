"""Include directions: which part of the code may know which other.

The order of DESIGN, written out as one row per part. A part may include itself, the parts named in its row, and
whatever those may include; nothing else of ours.
"""

import re

from repository import Problem, without_comments

# Part -> parts directly below it. What stands lower knows nothing of what stands higher.
BELOW = {
    "quantity": [],
    "inplace_vector": [],
    "formula": ["quantity"],
    "allocator": ["quantity"],
    "issue": [],
    "sort_stably": [],
    "tensor": ["quantity"],
    "recurrence": ["quantity"],
    "model_tensors": ["quantity", "tensor"],
    "model": ["model_tensors", "recurrence"],
    "facts": [],
    "layers": ["model", "sort_stably"],
    "weight_format": ["quantity"],
    "weight_scheme": ["model", "weight_format"],
    "weights": ["weight_scheme"],
    "workload": [],
    "strategy": ["quantity", "switch"],
    "switch": [],
    "implementation": ["switch"],
    "tuning_api": ["model", "workload"],
    "tuning": ["tuning_api", "weight_scheme", "sharding", "parameters_api", "term"],
    "composition_api": ["model"],
    "hardware": [],
    "billing": [],
    "serving": ["quantity", "switch"],
    "constant": ["formula"],
    "kernels_api": ["constant"],
    "kernels": ["quantity", "kernels_api", "hardware"],
    "profile": ["formula", "constant", "hardware", "implementation", "serving", "strategy", "tuning_api"],
    "media": ["model", "workload"],
    "scenario": ["model", "facts", "weight_scheme", "workload", "media", "strategy", "serving", "implementation", "tuning_api",
                 "composition_api", "hardware", "billing", "profile"],
    "sharding": ["inplace_vector", "model", "strategy", "workload", "profile"],
    "term": ["formula", "profile", "model"],
    "parameters_api": ["model"],
    "parameters": ["parameters_api", "sharding", "term"],
    "memory": ["scenario", "sharding", "parameters", "term", "tuning"],
    "composition": ["memory"],
    "compute": ["memory"],
    "estimate_api": ["inplace_vector", "scenario"],
    "moments": ["memory", "compute", "estimate_api"],
    "time_range": ["quantity"],
    "time_api": ["scenario", "time_range"],
    "speed_api": ["scenario", "time_range"],
    "load_api": ["speed_api"],
    "time": ["moments", "speed_api", "time_api", "load_api", "kernels", "sort_stably"],
    "cost": ["time", "billing"],
    "estimate": ["cost"],
    "explain_api": ["estimate_api", "formula"],
    "explain": ["explain_api", "cost"],
    "rules_api": ["explain_api"],
    "rules": ["rules_api", "explain"],
    "fields": ["scenario", "parameters_api"],
    "footprint_api": ["allocator", "estimate_api", "formula"],
    "footprint": ["footprint_api", "moments", "sort_stably"],
    "verdict_api": ["footprint_api"],
    "verdict": ["verdict_api", "moments"],
    "format": ["verdict_api"],
    "headline": ["format"],
    "validate": ["fields", "format", "issue", "sharding"],
    "plan": ["estimate", "footprint", "validate", "verdict"],
    "public": ["estimate_api", "time_api", "speed_api", "load_api", "explain_api", "footprint_api", "cost", "rules_api", "parameters_api", "tuning_api", "validate",
               "plan", "sort_stably"],
    # The rooms around the method (core/README.md): the public headers of a room are part of it.
    "text": ["public"],
    "architectures": ["text"],
    "catalog": ["architectures", "kernels_api"],
    "request": ["catalog"],
    "answer": ["request", "estimate", "explain", "rules"],
    "questions": ["answer"],
    "files": ["answer"],
    "results": ["questions", "files"],
    "evidence": ["results", "allocator", "kernels"],
}

# Folders and files whose part is not their own name.
PARTS = {
    "core/include/plimsoll/method/kept_profile.hpp": "profile",
    "core/method/byte_units.cpp": "format",
    "core/include/plimsoll/method/training_efficiency.hpp": "profile",
    "core/include/plimsoll/method/pipeline.hpp": "sharding",
    "core/include/plimsoll/method/schedule.hpp": "sharding",
    "core/include/plimsoll/method/composition.hpp": "composition_api",
    "core/include/plimsoll/method/estimate.hpp": "estimate_api",
    "core/include/plimsoll/method/explain.hpp": "explain_api",
    "core/include/plimsoll/method/rules.hpp": "rules_api",
    "core/include/plimsoll/method/footprint.hpp": "footprint_api",
    "core/include/plimsoll/method/chance.hpp": "footprint_api",
    "core/include/plimsoll/method/timeline.hpp": "footprint_api",
    "core/include/plimsoll/method/verdict.hpp": "verdict_api",
    "core/include/plimsoll/method/parameters.hpp": "parameters_api",
    "core/include/plimsoll/method/speed.hpp": "speed_api",
    "core/include/plimsoll/method/load.hpp": "load_api",
    "core/include/plimsoll/method/kernels.hpp": "kernels_api",
    "core/include/plimsoll/method/time.hpp": "time_api",
    "core/include/plimsoll/method/learning.hpp": "time_api",
    "core/include/plimsoll/method/tuning.hpp": "tuning_api",
    "core/include/plimsoll/method/tuning_parameters.hpp": "tuning_api",
    "core/include/plimsoll/method/solve.hpp": "plan",
    "core/include/plimsoll/method/plan.hpp": "plan",
    "core/method/drafters.hpp": "composition",
    "core/method/drafters.cpp": "composition",
    "core/method/scenario.cpp": "composition",  # scenario_of() makes a scenario of every model that shares the GPUs
    "core/method/texts.cpp": "estimate_api",    # the names of its moments and categories
    "core/method/layers/media.cpp": "media",
    "core/method/model.cpp": "layers",          # make_model() puts what layers/ makes together
    "core/method/parameters/count.cpp": "parameters",
}

# Standard headers that the estimator must not use: it neither prints nor reads, and each of them costs a web page
# tens of kilobytes.
CORE_FORBIDS = re.compile(r"<(iostream|fstream|sstream|ostream|istream|iomanip|format|print|filesystem|thread|mutex|"
                          r"future|random|regex|cstdio|cmath|math\.h)>")
ROOMS = ("text", "architectures", "catalog", "request", "answer", "questions", "files", "results", "evidence")
# Headers that one room alone may see.
KNOWN_TO = {"embedded/evidence_data.hpp": "evidence", "nlohmann/": "text",
            **{f"embedded/{name}.hpp": "catalog" for name in ("models", "model_names", "configs", "devices", "records", "weights", "profiles", "citations", "citation_ids", "prices", "kernels")}}
FRONT_ENDS = ("cli", "web", "imgui_app", "python")

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"][^>"]+[>"])')


def part_of(path):
    """The part a file of core belongs to: within the method its folder, or its name where it stands alone; elsewhere its room."""
    if path in PARTS:
        return PARTS[path]
    for prefix in ("core/include/plimsoll/", "core/"):
        if path.startswith(prefix):
            room, _, inside = path[len(prefix):].partition("/")
            return re.split(r"[/.]", inside)[0] if room == "method" else room
    return None


def reachable(part):
    """The part and everything below it."""
    seen, waiting = set(), [part]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += BELOW.get(name, [])
    return seen


def included_path(target):
    """The path in the repository of a header of core, as #include writes it; None for anything else."""
    name = target[1:-1]
    if name.startswith("plimsoll/"):
        return f"core/include/{name}"
    if target.startswith('"'):
        return f"core/{name}"
    return None


def includes_of(repository, path):
    """(line number, <target> or "target") of each include of a file."""
    for number, line in enumerate(without_comments(repository.text(path), keep_strings=True).splitlines(), 1):
        if found := _INCLUDE.match(line):
            yield number, found.group(1)


def check_core_directions(repository):
    for path in repository.under("core", suffixes=(".hpp", ".cpp")):
        part = part_of(path)
        if part not in BELOW:
            yield Problem(path, 1, f"part '{part}' is not in the table of include directions.",
                          "Add a row to BELOW in tests/conventions/includes.py that says what it may know.")
            continue
        allowed = reachable(part)
        for number, target in includes_of(repository, path):
            yield from _check_core_include(path, part, allowed, number, target)


def _check_core_include(path, part, allowed, number, target):
    for generated_or_foreign, room in KNOWN_TO.items():
        if target[1:].startswith(generated_or_foreign):
            if part != room:
                yield Problem(path, number, f"{target} is known to core/{room} only.", "Move what needs it there.")
            return
    if target.startswith("<"):
        if part not in ROOMS and CORE_FORBIDS.match(target):
            yield Problem(path, number, f"the estimator does not use {target}.",
                          "Return a value and let another room or a front end read and print.")
        return
    other = part_of(included_path(target) or "")
    if other not in allowed:
        yield Problem(path, number, f"{part} includes {target}, which is not below it.",
                      "Includes go from the result to its ingredients only: move the shared piece down, or turn the call round.")


def check_front_end_includes(repository):
    """A front end draws and prints what core answers: it sees public headers and its own files."""
    for path in repository.under(*FRONT_ENDS, suffixes=(".hpp", ".cpp")):
        own = path.split("/")[0]
        for number, target in includes_of(repository, path):
            name = target[1:-1]
            if name.startswith("nlohmann/"):
                yield Problem(path, number, "a front end does not read JSON itself.", "Use plimsoll/results/api.hpp.")
            elif name.startswith("plimsoll/"):
                if f"core/include/{name}" not in repository.paths:
                    yield Problem(path, number, f"there is no public header {name}.", "Include one of core/include/plimsoll.")
            elif target.startswith('"') and not _is_own(repository, path, own, name):
                yield Problem(path, number, f'"{name}" is neither a public header nor a file of {own}/.',
                              "Include a header of core/include/plimsoll, never one of the folders beside it.")


def _is_own(repository, path, own, name):
    if own == "python" and name.startswith("cli/"):    # its script is the command line
        return name in repository.paths
    if name.startswith(("imgui", "embedded/")):    # the library, and generated by plimsoll_embed_files
        return own == "imgui_app"
    beside = path.rsplit("/", 1)[0] + "/" + name
    return beside in repository.paths or f"{own}/{name}" in repository.paths
