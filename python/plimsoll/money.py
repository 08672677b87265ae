"""What it costs: whole millionths of a dollar, joules and grams, with their texts."""

from __future__ import annotations

from dataclasses import dataclass

from .trees import Component


@dataclass(frozen=True)
class Money:
    micro_dollars: int
    text: str


@dataclass(frozen=True)
class MoneyRange(Money):
    low_micro_dollars: int
    high_micro_dollars: int
    low_text: str
    high_text: str


@dataclass(frozen=True)
class OwnPrice:
    """At a price of one's own, or with GPUs that were bought."""

    hourly: Component
    electricity: Component | None
    total: MoneyRange
    per_million_tokens: MoneyRange | None


@dataclass(frozen=True)
class CostWay:
    device: str
    gpus: int
    seconds: int
    gpu_seconds: int
    power: Component
    energy: Component
    emissions: Component | None
    own: OwnPrice | None


@dataclass(frozen=True)
class Price:
    """What one offer asks, with its source."""

    id: str
    cloud: str
    region: str
    instance: str
    gpu: str
    gpus: int  #: of one instance
    alone: bool  #: a single host: several of them share no network
    kind: str
    hourly: Money
    date: str
    dated: bool  #: false: the source gives no date, and this is when it was read
    source: str
    evidence: str
    note: str
    warning: str  #: about its age


@dataclass(frozen=True)
class CostOption:
    price: Price
    way: int
    instances: int
    seconds: int
    hourly: Money
    total: MoneyRange
    per_million_tokens: MoneyRange | None


@dataclass(frozen=True)
class Amount:
    amount: int
    low: int
    high: int
    unit: str
    text: str


@dataclass(frozen=True)
class CostSummary:
    """What an estimate's work costs."""

    gpus: int
    seconds: int
    cheapest: CostOption | None
    own: MoneyRange | None
    energy: Amount
    emissions: Amount | None


@dataclass(frozen=True)
class PriceRow:
    """A price that is built in."""

    id: str
    cloud: str
    region: str
    instance: str
    gpu: str
    gpus: int
    alone: bool
    kind: str
    micro_dollars_per_hour: int
    text: str
    date: str
    since: str
    dated: bool
    source: str
    evidence: str
    note: str
    warning: str
