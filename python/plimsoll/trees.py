"""Where numbers come from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Citation:
    id: str
    text: str  #: authors, title, year, with a locator
    url: str


@dataclass(frozen=True)
class FormulaSymbol:
    name: str
    value: float
    text: str
    unit: str
    meaning: str
    field: str  #: it comes from, or ""


@dataclass(frozen=True)
class Component:
    """One number; where it has parts, the sum of theirs."""

    id: str
    label: str
    unit: str
    amount: int
    low: int
    high: int
    text: str
    exact: str
    formula: str  #: "" where it is the sum of its parts
    symbols: list[FormulaSymbol]
    citation: Citation | None
    basis: str  #: "counted", "published", "measured" or "assumed"
    parts: list[Component]


@dataclass(frozen=True)
class Explanation:
    memory: Component  #: one GPU at the peak
    parameters: Component  #: the whole model
    facts: list[Component]


@dataclass(frozen=True)
class RuleOfThumb:
    """A rule beside the estimate's own number."""

    rule: Component
    against: str
    estimate: int
    estimate_text: str
    permille: int
    leaves_out: str


@dataclass(frozen=True)
class RankReadings:
    rank: int
    requested_bytes: int
    allocated_bytes: int
    reserved_bytes: int
    process_bytes: int
    first_step_bytes: int | None
    first_micro_batch_bytes: int | None
    between_steps_bytes: int | None


@dataclass(frozen=True)
class Readings:
    ranks: list[RankReadings]
    context_bytes: int | None
    layer_saved_bytes: int | None
    layer_forward_bytes: int | None
