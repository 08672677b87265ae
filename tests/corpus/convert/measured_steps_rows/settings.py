"""What a scenario of tests/measure may say, and the reasons why a row is no question."""

from common import NotCovered

# tests/measure/scenario.py and the shapes of families.py. Shapes are the model's, which has them too; clipping scales gradients in place;
# the others say how the harness runs.
EVERYWHERE = {"run", "batch", "seq", "regime", "optimizer", "recompute", "loop", "attention", "use_cache", "norm", "compile", "steps",
              "model", "id", "layers", "vocab", "tied", "hidden", "ffn", "heads", "kv_heads", "head_dim", "dropout", "fresh", "time",
              "backend", "padding"}


# Settings that not every harness hands on, by their usual values: a row that says otherwise did not run as it says.
USUAL = {"loop": "kept", "use_cache": False, "norm": "eager", "compile": False, "accumulate": 1}
UNUSED = {"trainer": {"loop", "use_cache", "compile", "backend", "padding", "accumulate", "ranks"},
          "saved": {"compile", "backend", "accumulate", "ranks"}, "anatomy": {"compile", "backend"},
          "process": {"loop", "use_cache", "norm", "compile", "backend", "padding"}}


class LacksInput(NotCovered):
    """No input says it yet; `needs` has the one that would."""

    def __init__(self, reason, **needs):
        super().__init__(reason)
        self.needs = needs


def refuse_others(section, known):
    """A setting that nobody here understands may change everything."""
    for name, value in section.members.items():
        if value is not None and name not in known:
            raise NotCovered(f"{section.path}{name} is not understood.")


def refuse_unused(scenario):
    run = scenario.text("run")
    for name in sorted(UNUSED.get(run, ())):
        value, usual = scenario.find(name), USUAL.get(name)
        if name in scenario.members and (value != usual or isinstance(value, bool) != isinstance(usual, bool)):
            raise NotCovered(f"The harness does not hand {scenario.path}{name} to runs of the kind {run}.")


def words(section, key, meanings, standard):
    """What a setting means that is a word or false; what is not in the table is not understood."""
    given = section.find(key)
    given = standard if given is None else given
    if not isinstance(given, (str, bool)) or given not in meanings:
        raise NotCovered(f"{section.path}{key} is {given!r}, which is not covered.")
    return meanings[given]
