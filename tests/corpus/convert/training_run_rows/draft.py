"""A row on its way to being a question."""

from dataclasses import dataclass, field

from common import is_whole


@dataclass
class Draft:
    row: dict
    inputs: dict = field(default_factory=dict)
    needs: dict = field(default_factory=dict)
    assumed: list = field(default_factory=list)
    layers: int | None = None  # of the model, where it is told
    replicas: int | None = None  # that the layout names
    chunks: int = 1  # that a pipeline cuts the model into

    def size(self, key, most):
        """A whole number from 1 to `most`; None where the row has none."""
        value = self.row.get(key)
        return int(value) if is_whole(value) and 1 <= value <= most else None

    def text(self, key):
        value = self.row.get(key)
        return value if isinstance(value, str) else ""
