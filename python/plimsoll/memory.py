"""What a GPU holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Headline:
    """The answer in words."""

    verdict: str  #: "Fits.", "Probably fits.", "Does not fit.", "Holds 4 of 7."
    rest: str
    detail: str


@dataclass(frozen=True)
class Remedy:
    """A change after which an engine holds what is asked, as it is told of it."""

    field: str
    value: str
    flag: str | None


@dataclass(frozen=True)
class Verdict:
    """What is in the way."""

    id: str  #: "fits", "start", "cache_pool", "max_sequences", "device" or "host"
    holds: bool
    tight: bool  #: what is likely ends on the other side of what the device has
    starts: bool | None
    sequences_asked: int | None
    sequences_held: int | None
    fills_bytes: int | None
    fills_text: str | None
    remedies: list[Remedy]


@dataclass(frozen=True)
class PartAmount:
    """A part of a moment, such as ``memory.kv_cache``."""

    id: str
    label: str
    bytes: int
    text: str


@dataclass(frozen=True)
class AmountRange:
    """Bytes with every uncertain constant at its middle, low and high end."""

    bytes: int
    low_bytes: int
    high_bytes: int
    text: str
    range_text: str


@dataclass(frozen=True)
class MomentAmount(AmountRange):
    """One moment of a step."""

    moment: str
    label: str


@dataclass(frozen=True)
class Moment(MomentAmount):
    about: str
    parts: list[PartAmount]


@dataclass(frozen=True)
class RankAmount:
    """The fullest moment of one pipeline rank."""

    rank: int
    peak_bytes: int
    text: str
    moment: str
    label: str


@dataclass(frozen=True)
class CachePool(AmountRange):
    """The cache that an engine takes at its start."""

    passes: AmountRange  #: activations of its profile run
    blocks: int | None
    tokens: int | None
    sequences: int


@dataclass(frozen=True)
class MemoryRange:
    label: str
    about: str
    expected_bytes: int
    low_bytes: int
    high_bytes: int
    text: str
    low_text: str
    high_text: str
    range_text: str


@dataclass(frozen=True)
class Uncertainty:
    """Why the process may take less or more."""

    id: str
    label: str
    less_bytes: int
    more_bytes: int
    less_text: str
    more_text: str
    citation: str | None
    basis: str


@dataclass(frozen=True)
class MemoryNumbers:
    """Four numbers that are all called memory, each at least as large as the one before."""

    rank: int
    requested: MemoryRange  #: what tensors ask for
    allocated: MemoryRange  #: torch.cuda.max_memory_allocated()
    reserved: MemoryRange  #: torch.cuda.max_memory_reserved()
    process: MemoryRange  #: what nvidia-smi shows
    usable_bytes: int
    headroom_bytes: int
    headroom_text: str
    fits: bool
    returns_cache: bool
    tight: bool
    uncertainties: list[Uncertainty]
