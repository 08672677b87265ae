"""What is built in, and what can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .build import Answer
from .trees import Citation


@dataclass(frozen=True)
class CatalogModel:
    id: str
    name: str
    aliases: list[str]
    family: str
    parameters: int
    active_parameters: int
    published_parameters: int
    published_is_exact: bool
    differences: list[dict[str, Any]]
    published_active_parameters: int | None
    active_source: str | None
    note: str
    source: str
    date: str


@dataclass(frozen=True)
class CatalogDevice:
    id: str
    name: str
    aliases: list[str]
    vendor: str
    class_: str  #: "consumer", "datacenter"; in JSON "class"
    arch: str
    release_year: int
    label_gb: int
    usable_bytes: int
    usable_text: str
    usable_basis: str
    evidence: str
    notes: str
    sources: list[str]
    date: str


@dataclass(frozen=True)
class CatalogProfile:
    id: str
    name: str
    about: str
    training: bool
    inference: bool


@dataclass(frozen=True)
class WeightFormat:
    id: str
    name: str
    aliases: list[str]
    engine: str
    about: str
    basis: str | None
    citation: str | None


@dataclass(frozen=True)
class CatalogAnswer(Answer):
    """What is built in."""

    models: list[CatalogModel]
    devices: list[CatalogDevice]
    profiles: list[CatalogProfile]
    weight_formats: list[WeightFormat]
    citations: list[Citation]


@dataclass(frozen=True)
class FieldChoice:
    name: str
    label: str
    help: str


@dataclass(frozen=True)
class Field:
    """An input."""

    name: str
    topic: str
    group: str
    kind: str
    label: str
    unit: str
    help: str
    tasks: list[str]
    advanced: bool
    decimals: int
    min: float | None
    max: float | None
    defaults: dict[str, str | None]
    choices: list[FieldChoice]
    parts: list[FieldChoice]
