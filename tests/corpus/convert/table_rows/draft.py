"""A row on its way to being a question."""

from dataclasses import dataclass, field
from math import prod

import row
from common import NotCovered, is_whole
from words import letters_of

NOTHING = (None, False, 0, 1, "", "none", [], {})


@dataclass
class Draft:
    row: dict
    framework: str
    inputs: dict = field(default_factory=dict)
    needs: dict = field(default_factory=dict)
    assumed: list = field(default_factory=list)
    figure: dict = field(default_factory=dict)  # what of a step the number is about
    parts: dict = field(default_factory=dict)   # of the model: layers, and what a rank of adapters has in one

    @property
    def method(self):
        return letters_of(self.text("implementation", "method"))

    @property
    def gpus(self):
        return prod(self.inputs[degree] for degree in ("data_parallel", "tensor_parallel", "pipeline_parallel", "context_parallel"))

    def section(self, name):
        return row.section(self.row, name)

    def given(self, section, key):
        return self.section(section).get(key)

    def text(self, section, key):
        return row.text(self.section(section), key)

    def is_true(self, section, key):
        return self.given(section, key) is True

    def number(self, section, key):
        """A whole number from 1 on; None where there is none."""
        value = self.given(section, key)
        return int(value) if is_whole(value) and value >= 1 else None

    def degree(self, key):
        """1 where the source speaks of none."""
        if self.given("strategy", key) is None:
            return 1
        if not self.number("strategy", key):
            raise NotCovered(f"A parallel degree is a whole number from 1 on: {key}.")
        return self.number("strategy", key)

    def refuse_others(self, section, known):
        """What nobody reads must say nothing."""
        for key, value in self.section(section).items():
            if key not in known and value not in NOTHING:
                raise NotCovered(f"The row's {section} has {key}, which is not understood.")

    def choice(self, section, key, choices):
        text = self.text(section, key)
        if text not in choices:
            raise NotCovered(f"The row's {key} says {text or 'nothing'}, which is not covered.")
        return choices[text]
