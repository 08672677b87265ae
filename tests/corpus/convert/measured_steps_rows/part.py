"""One question of a row, or the reason why there is none, with the figures that it is about."""

from dataclasses import dataclass, field

from common import NotCovered


@dataclass
class Part:
    figures: list
    inputs: dict = field(default_factory=dict)
    assumed: list = field(default_factory=list)
    reason: str = ""
    needs: dict = field(default_factory=dict)


def ask(row, read, figures_of):
    """read(row, assumed) gives inputs or says why not; figures_of(measured, inputs) what was measured; inputs may be empty."""
    measured = row.get("measured") if isinstance(row.get("measured"), dict) else {}
    assumed = []
    try:
        inputs = read(row, assumed)
    except NotCovered as reason:
        return Part(figures_of(measured, {}), assumed=assumed, reason=str(reason), needs=getattr(reason, "needs", {}))
    return Part(figures_of(measured, inputs), inputs, assumed)


def apart(part, depends, reason, needs):
    """The part, and beside it the figures for which its question lacks an input: depends(figure)."""
    spoilt = [figure for figure in part.figures if depends(figure)]
    if part.reason or not spoilt or not needs:
        return [part]
    part.figures = [figure for figure in part.figures if figure not in spoilt]
    return [part, Part(spoilt, assumed=part.assumed, reason=reason, needs=needs)]
