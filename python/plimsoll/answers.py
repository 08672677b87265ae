"""What answers say. The unit of a number is the end of its name: bytes, ns (nanoseconds), thousandths, permille, micro_dollars. Texts beside numbers come
ready made. ``X | None`` is None where the task has no such number, or nobody has published what it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .build import Answer
from .memory import CachePool, Headline, MemoryNumbers, Moment, MomentAmount, RankAmount, Uncertainty, Verdict
from .money import CostOption, CostSummary, CostWay, Money
from .times import Disaggregation, EstimatedLoad, LoadNumbers, LoadSplit, Speed, SteadyLoad, TimeNumbers, TimeRange
from .trees import Explanation, Readings, RuleOfThumb


@dataclass(frozen=True)
class Issue:
    """What is to be said about an input; only an error prevents an answer."""

    severity: str  #: "note", "warning" or "error"
    field: str  #: the field, a path in an imported file, or "" for the whole input
    message: str
    remedy: str  #: what to write instead


@dataclass(frozen=True)
class Estimate:
    """The numbers of one scenario: those of its fullest GPU."""

    fits: bool  #: it runs and holds all that is asked: verdict.holds
    verdict: Verdict
    parameters: int  #: of the whole model
    active_parameters: int  #: of them, those that one token meets
    parameters_per_gpu: int
    gpus: int  #: that the strategy needs
    kv_cache_bytes_per_token: int | None  #: serving: on one GPU, over all layers
    kv_cache_growth_bytes_per_token: int | None  #: of one token beyond the context
    cache_pool: CachePool | None  #: of an engine that takes its cache at the start
    states_bytes_per_parameter: int | None  #: training: weights, gradients and optimizer states
    host_bytes: int  #: in the host's memory: training, offloaded for one GPU; serving, what the GPUs do not hold
    nvme_bytes: int | None  #: training: offloaded to NVMe drives, likewise
    usable_bytes: int  #: what a process can take on the device: less than the label says
    usable_text: str
    usable_basis: str  #: whether that was read on a device or follows a rule
    headroom_bytes: int  #: usable less the expected process; negative where it does not fit
    headroom_text: str
    peak: MomentAmount  #: the fullest moment
    moments: list[Moment]  #: in the order in which a step passes them
    rank: int  #: the pipeline rank that moments and memory are of
    ranks: list[RankAmount]
    memory: MemoryNumbers
    speed: Speed | None  #: serving
    load: EstimatedLoad | None  #: serving, where prompts, answers and a number of users or a rate are stated
    time: TimeNumbers | None  #: training


@dataclass(frozen=True)
class EstimateAnswer(Answer):
    """What a scenario needs; shown as a card in a notebook."""

    ok: bool
    issues: list[Issue]
    query: str  #: the shortest one that gives the same answer: "?" + query is its link
    scenario: dict[str, Any]  #: every field that matters, with the value that was used
    idle: list[str]  #: fields without effect beside the others
    headline: Headline
    estimate: Estimate
    cost: CostSummary | None  #: where it was asked for

    def _repr_html_(self) -> str:
        from .card import card

        return card(self)

    def __str__(self) -> str:
        return f"{self.headline.verdict} {self.headline.rest} {self.headline.detail}"


@dataclass(frozen=True)
class ExplainAnswer(EstimateAnswer):
    """An estimate with formula, symbols and source of every number."""

    explanation: Explanation
    rules: list[RuleOfThumb]
    readings: Readings | None  #: what tools read of such a run besides its peak


@dataclass(frozen=True)
class SolvedStep:
    """One value and what it comes to."""

    value: int | str
    verdict: str
    needs_bytes: int | None
    needs_text: str | None
    usable_bytes: int | None
    usable_text: str | None
    headroom_bytes: int | None
    headroom_text: str | None
    pool_sequences: int | None
    issues: list[Issue] | None  #: why it is invalid


@dataclass(frozen=True)
class SolveAnswer(Answer):
    """The largest or smallest value that fits; ``query`` has it in place."""

    ok: bool  #: something fits
    issues: list[Issue]
    field: str
    goal: str
    method: str  #: "bisection" or "exhaustive"
    tried: int
    query: str
    answer: SolvedStep | None
    next: SolvedStep | None  #: the step after the answer, which does not fit; without one, the closest


@dataclass(frozen=True)
class Change:
    text: str
    fields: dict[str, str]


@dataclass(frozen=True)
class FitChange:
    """A change, or several at once, that make a scenario fit."""

    text: str
    changes: list[Change]
    query: str
    asks_less: bool  #: the work is another one then
    gpus: int
    time_permille: int | None  #: time of a token, in thousandths of what it takes now
    gpu_time_permille: int | None  #: the same times the GPUs
    headroom_bytes: int
    headroom_text: str
    saved_bytes: int
    saved_text: str
    needs_bytes: int
    needs_text: str


@dataclass(frozen=True)
class FitLimit:
    """How far one input may go."""

    field: str
    goal: str
    now: str
    last: str  #: the last value that fits
    beyond: str | None
    room_permille: int | None
    needs_bytes: int | None
    needs_text: str | None


@dataclass(frozen=True)
class FitAdvice(Answer):
    """What to change, or what would break it first."""

    ok: bool
    issues: list[Issue]
    fits: bool
    tried: int
    changes: list[FitChange]
    limits: list[FitLimit]
    usable_bytes: int
    usable_text: str
    needs_bytes: int
    needs_text: str


@dataclass(frozen=True)
class SensitiveInput:
    field: str
    text: str
    to: str
    change_bytes: int
    change_text: str
    time_permille: int | None


@dataclass(frozen=True)
class SensitiveUncertainty(Uncertainty):
    share_permille: int  #: of the width of all of them


@dataclass(frozen=True)
class Sensitivity(Answer):
    """What moves the result most, the largest first."""

    ok: bool
    issues: list[Issue]
    inputs: list[SensitiveInput]
    uncertainties: list[SensitiveUncertainty]


@dataclass(frozen=True)
class Duration:
    ns: int
    text: str
    low_ns: int | None
    high_ns: int | None


@dataclass(frozen=True)
class PlannedEnergy:
    joules: int
    text: str


@dataclass(frozen=True)
class PlannedWay:
    """One way of training."""

    number: int
    query: str
    text: str
    setup: int
    device: str
    gpus: int
    choice: dict[str, Any]  #: degrees, schedule, sharding, micro-batches, recomputation by the names of fields
    needs_bytes: int
    needs_text: str
    headroom_bytes: int
    headroom_text: str
    out_of_memory_millionths: int  #: chance that memory runs out; of the whole process where it is judged
    mfu_thousandths: int | None
    process_bytes: int | None
    process_text: str | None
    step: Duration | None
    time: Duration | None
    cost: Money | None
    energy: PlannedEnergy | None


@dataclass(frozen=True)
class PlanAnswer(Answer):
    """Ways of training, best first."""

    ok: bool
    issues: list[Issue]
    objective: str
    global_batch: int  #: sequences of a step
    tokens: int  #: that times and costs are told for
    fleets: list[dict[str, Any]]
    progress: dict[str, Any]
    counts: dict[str, Any]  #: strategies tried and held, and why others are not
    best: list[PlannedWay]
    simplest: int | None  #: place in best
    why: str  #: of the first of best; "" where none holds
    front: list[PlannedWay]  #: that none beats in time, cost and headroom at once


@dataclass(frozen=True)
class Rate:
    thousandths: int  #: of a token per second
    text: str


@dataclass(frozen=True)
class ServedWay:
    """One way of serving."""

    query: str
    text: str
    device: str
    engine: str
    gpus: int
    weight_dtype: str
    kv_dtype: str
    tensor_parallel: int
    pipeline_parallel: int
    expert_parallel: int
    data_parallel_attention: bool
    replicas: int
    batch: int
    needs_bytes: int
    needs_text: str
    headroom_bytes: int
    headroom_text: str
    rate: Rate | None
    sequence_rate: Rate | None
    first_token: Duration | None
    per_million_tokens: Money | None


@dataclass(frozen=True)
class ServingPlan(Answer):
    """Ways of serving, best first."""

    ok: bool
    issues: list[Issue]
    objective: str
    progress: dict[str, Any]
    counts: dict[str, Any]
    best: list[ServedWay]
    front: list[ServedWay]


@dataclass(frozen=True)
class CostAnswer(Answer):
    """What GPUs cost for a time."""

    ok: bool
    issues: list[Issue]
    today: str | None
    ways: list[CostWay]
    options_found: int
    options: list[CostOption]  #: cheapest first
    cheapest: CostOption | None
    fastest: CostOption | None  #: within the budget, where one was stated


@dataclass(frozen=True)
class HighestLoad:
    field: str
    value: int  #: of that field, in its unit
    load: LoadNumbers


@dataclass(frozen=True)
class LoadLine:
    label: str  #: what it is about; "" where it goes on with the one before
    text: str


@dataclass(frozen=True)
class LoadPrice:
    """The row of prices that GPUs are taken at."""

    id: str
    date: str


@dataclass(frozen=True)
class LoadAnswer(Answer):
    """What users of a server wait for."""

    ok: bool
    issues: list[Issue]
    query: str
    load: LoadNumbers
    first_token: TimeRange
    per_token: TimeRange
    steady: SteadyLoad | None
    gpus: int
    disaggregation: Disaggregation | None  #: where prompts and answers have GPUs of their own
    splits: list[LoadSplit] | None  #: where they are asked for: every division of the same GPUs, the best first
    micro_usd_per_hour: int | None  #: of the GPUs, at your own price or the lowest of a cloud
    price: LoadPrice | None  #: whose that is
    micro_usd_per_million_answer_tokens: int | None
    micro_usd_per_million_tokens: int | None
    micro_usd_per_million_prompt_tokens_by_time: int | None
    micro_usd_per_million_answer_tokens_by_time: int | None
    milliwatt_hours_per_million_answer_tokens: int | None
    api_price: LoadPrice | None  #: of the API that has the model at the lowest price; None where the price is your own, or none is known
    micro_usd_per_hour_of_api: int | None
    break_even_requests_per_s_thousandths: int | None  #: at the price of that API
    highest: HighestLoad | None
    lines: list[LoadLine]  #: the same in words


@dataclass(frozen=True)
class ExportAnswer(Answer):
    """A command line or a file of another program."""

    ok: bool
    issues: list[Issue]
    text: str


@dataclass(frozen=True)
class ImportAnswer(Answer):
    """What files say; what a kind of file does not tell is None."""

    ok: bool
    kind: str
    issues: list[Issue]
    fields: dict[str, Any] | None  #: to be given to estimate(**fields)
    parameters: int | None
    query: str | None
    questions: list[dict[str, str]] | None  #: what must be told before it can be answered
    commands: list[dict[str, Any]] | None
    measured: list[dict[str, Any]] | None
    unread: list[str] | None  #: options that may matter and are not in the estimate
    assumed: list[str] | None
