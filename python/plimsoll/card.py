"""An answer as the card that <plimsoll-estimate> draws in a page: the same parts under the same style sheet. It writes what the core says and computes
nothing; the style sheet makes widths of amounts."""

from __future__ import annotations

import functools
from html import escape
from typing import TYPE_CHECKING

from ._style import CSS

if TYPE_CHECKING:
    from .answers import EstimateAnswer
    from .presets import Field


@functools.cache
def names_of_presets() -> dict[str, str]:
    from .ask import catalog

    known = catalog()
    return {row.id: row.name for row in [*known.models, *known.devices, *known.profiles]}


@functools.cache
def fields_by_name() -> dict[str, Field]:
    from .ask import fields

    return {field.name: field for field in fields()}


def title_of(answer: EstimateAnswer) -> str:
    names = names_of_presets()
    return " on ".join(names.get(id, id) for id in (answer.scenario["model"], answer.scenario["device"]))


def question_of(query: str) -> str:
    """What the question states beside model and device: "Task: Inference · Batch: 4 sequences"."""
    from urllib.parse import parse_qsl

    stated = []
    for name, value in parse_qsl(query):
        field = fields_by_name().get(name)
        if field is None or name in ("model", "device", "config"):
            continue
        label = next((choice.label for choice in field.choices if choice.name == value), value)
        text = names_of_presets().get(value, label)
        stated.append(f"{field.label[:1].upper()}{field.label[1:]}: {text} {field.unit}".strip())
    return " · ".join(stated)


def bar(answer: EstimateAnswer) -> str:
    estimate = answer.estimate
    parts = peak_parts(answer)
    segments = "".join(f'<span part="segment" data-id="{escape(part.id)}" title="{escape(f"{part.label} {part.text}")}" style="--amount: {part.bytes}"></span>' for part in parts)
    amounts = f"--usable: {estimate.usable_bytes}; --peak: {estimate.peak.bytes}; --process: {estimate.memory.process.expected_bytes}"
    return (f'<div part="hull" aria-hidden="true" style="{amounts}"><div class="bar">{segments}<span part="segment" class="allowance"></span>'
            f'<span part="load-line"></span></div><p class="usable">usable {escape(estimate.usable_text)}</p></div>')


def peak_parts(answer: EstimateAnswer) -> list:
    return next(moment.parts for moment in answer.estimate.moments if moment.moment == answer.estimate.peak.moment)


def card(answer: EstimateAnswer) -> str:
    """The card as HTML, with its own style sheet."""
    verdict = answer.estimate.verdict
    look = "over" if not verdict.holds else "tight" if verdict.tight else "fits"
    legend = "".join(f'<li><span class="swatch" data-id="{escape(part.id)}"></span>{escape(part.label)} <span class="amount">{escape(part.text)}</span></li>' for part in peak_parts(answer))
    said = "".join(f'<li class="{issue.severity}">{escape(f"{issue.message} {issue.remedy}")}</li>' for issue in answer.issues if issue.severity != "note")
    return (f'<div class="plimsoll-estimate"><style>{CSS}</style><div class="drawn"><figure part="card"><p part="title">{escape(title_of(answer))}</p>'
            f'<p part="question">{escape(question_of(answer.query))}</p><p part="headline"><strong part="verdict" class="{look}">{escape(answer.headline.verdict)}</strong> '
            f'{escape(answer.headline.rest)}</p>{bar(answer)}<ul part="legend">{legend}</ul><p part="detail">{escape(answer.headline.detail)}</p></figure>'
            + (f'<ul part="issues">{said}</ul>' if said else "") + "</div></div>")
