"""How long it takes: times in nanoseconds, rates in thousandths of a token per second."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TimeRange:
    expected_ns: int
    low_ns: int  #: the fastest
    high_ns: int
    text: str | None


@dataclass(frozen=True)
class TokenRate:
    expected_thousandths: int
    low_thousandths: int
    high_thousandths: int
    text: str | None


@dataclass(frozen=True)
class Speed:
    """Of serving, by published rates of the device and measured efficiencies of the engine."""

    decode_step: TimeRange  #: one token for each sequence
    tokens_per_step: TokenRate  #: that a sequence gets; 1000 where nothing is drafted
    roofline_ns: int  #: the step at the data sheet's rates
    bound_by: str  #: "memory" or "work"
    tokens_per_s_of_a_sequence: TokenRate
    tokens_per_s: TokenRate  #: of all sequences of all replicas
    crossover_batch: int | None  #: from which on multiplying decides
    first_token: TimeRange | None  #: of a prompt of the whole context, alone
    prompt_tokens_per_s: TokenRate | None


@dataclass(frozen=True)
class EstimatedLoad:
    """Of the stated load, in closed form."""

    first_token: TimeRange
    per_token: TimeRange
    answer_tokens_per_s_thousandths: int
    prompt_tokens_per_s_thousandths: int
    requests_per_s_thousandths: int


@dataclass(frozen=True)
class StepPart:
    part: str
    label: str
    ns: int
    low_ns: int
    high_ns: int


@dataclass(frozen=True)
class StepTime:
    ns: int
    low_ns: int
    high_ns: int
    parts: list[StepPart]  #: exposed times: those that nothing else hides
    tokens: int
    tokens_per_s_per_gpu_thousandths: int
    mfu_thousandths: int
    hfu_thousandths: int


@dataclass(frozen=True)
class WallTime:
    ns: int
    low_ns: int
    high_ns: int


@dataclass(frozen=True)
class GpuHours:
    expected: int
    low: int
    high: int


@dataclass(frozen=True)
class JobTime:
    tokens: int
    steps: int
    wall: WallTime
    gpu_hours_thousandths: GpuHours
    goodput_thousandths: int


@dataclass(frozen=True)
class ScoredTime:
    model: str
    ns: int
    low_ns: int
    high_ns: int


@dataclass(frozen=True)
class LearningPhase:
    phase: str  #: "phase.rollout", "phase.scoring", "phase.training", "phase.weights"
    label: str
    ns: int
    low_ns: int
    high_ns: int
    models: list[ScoredTime] | None = None  #: of scoring


@dataclass(frozen=True)
class LearningStep:
    """A step with what is generated and what other models say of it."""

    ns: int
    low_ns: int
    high_ns: int
    phases: list[LearningPhase]  #: exposed times: they add up to the step
    rollout: WallTime | None  #: all of it, hidden or not
    answers: int
    tokens: int
    updates: int  #: optimizer steps
    gpus: int
    tokens_per_s_per_gpu_thousandths: int


@dataclass(frozen=True)
class TimeNumbers:
    """Of training."""

    step: StepTime | None
    learning: LearningStep | None  #: of preference methods and reinforcement learning with passes besides training
    job: JobTime | None  #: where train_tokens are stated
    chinchilla_tokens: int | None  #: of pre-training


@dataclass(frozen=True)
class Waits:
    mean_ns: int
    p50_ns: int
    p90_ns: int
    p99_ns: int


@dataclass(frozen=True)
class LoadNumbers:
    """A simulated server."""

    first_token: Waits
    per_token: Waits
    whole: Waits
    requests_per_s_thousandths: int
    prompt_tokens_per_s_thousandths: int
    answer_tokens_per_s_thousandths: int
    found_prompt_tokens_per_s_thousandths: int  #: of prompts, what a cache had of them when they came
    running_thousandths: int
    waiting_thousandths: int
    cache_permille: int
    prefill_busy_permille: int  #: of disaggregation, as the two that follow: servers that read prompts; else 0
    decode_busy_permille: int  #: replicas that answer
    transfer_ns: int  #: a cache on its way between them
    preemptions: int
    steps: int
    simulated_requests: int
    by_measured_kernels: bool
    """False where the device's rates, and what the engine reaches of them, stand for kernels that nobody has measured."""
    measured_on_its_class: bool


@dataclass(frozen=True)
class LoadServers:
    """Servers of one kind, where prompts and answers have GPUs of their own."""

    servers: int
    gpus_each: int
    memory_bytes: int  #: of one GPU, with the cache that the engine takes
    memory_text: str


@dataclass(frozen=True)
class Disaggregation:
    prefill: LoadServers
    decode: LoadServers


@dataclass(frozen=True)
class LoadSplit:
    """One division of the GPUs between prompts and answers."""

    prefill_replicas: int
    data_parallel: int
    within_limits: bool
    load: LoadNumbers


@dataclass(frozen=True)
class SteadyLoad:
    first_token_ns: int
    per_token_ns: int
