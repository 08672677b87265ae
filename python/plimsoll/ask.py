"""The questions."""

from __future__ import annotations

import datetime
import json
from typing import TYPE_CHECKING, Any, TypeVar

from . import _core
from .answers import (
    CostAnswer,
    EstimateAnswer,
    ExplainAnswer,
    ExportAnswer,
    FitAdvice,
    LoadAnswer,
    PlanAnswer,
    Sensitivity,
    ServingPlan,
    SolveAnswer,
)
from .build import Answer, converter
from .errors import InvalidQuestion
from .money import PriceRow
from .presets import CatalogAnswer, Field
from .question import Question, question_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._fields import ScenarioFields
    from .question import Model

A = TypeVar("A", bound=Answer)


def answer_of(kind: type[A], text: str, *, needs_ok: bool = True) -> A:
    answer = kind.read(text)
    if needs_ok and not answer.ok:  # type: ignore[attr-defined]
        raise InvalidQuestion(answer.issues)  # type: ignore[attr-defined]
    return answer


def today_or(today: str | None) -> str:
    return today if today is not None else datetime.datetime.now(datetime.timezone.utc).date().isoformat()


def estimate(model: Model = None, device: str | None = None, *, cost: bool = False, devices: str = "", prices: str = "", today: str | None = None,
             offline: bool = False, **fields: Unpack[ScenarioFields]) -> EstimateAnswer:
    """The memory of one GPU at each moment of a step, in bytes; whether it fits, how fast it is and what is uncertain.

    ``model`` is a name of the catalogue or of the hub (``"llama-3-8b"``, ``"Qwen/Qwen3-32B-AWQ"``), the path or address of a model file
    (``"config.json"``, ``"model.gguf"``, ``"hf:owner/name@revision"``), a config as a dict or as transformers has it, a model that has one, or a whole
    question as in a link (``"model=llama-3-8b&device=rtx4090"``). ``fields`` are inputs by name, each in the unit that ``fields()`` says;
    what is not stated has the default of its task. With ``cost`` also what the work costs at dated prices, in millionths of a dollar.

    ``devices`` and ``prices`` are JSON of your own (docs/prices.md); ``offline`` fetches nothing. Sources of every number: ``explain``.
    Raises InvalidQuestion; a scenario that does not fit is an answer with ``estimate.fits`` false.
    """
    question = question_of(model, device, fields, offline=offline)
    return answer_of(EstimateAnswer, _core.estimate(question.text, question.is_json, devices, prices, today_or(today) if cost else ""))


def explain(model: Model = None, device: str | None = None, *, devices: str = "", offline: bool = False, **fields: Unpack[ScenarioFields]) -> ExplainAnswer:
    """``estimate`` with every number as a tree that opens to formula, symbols, source, and how sure it is: counted from tensor shapes, published,
    measured or assumed."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(ExplainAnswer, _core.explain(question.text, question.is_json, devices))


def fit(model: Model = None, device: str | None = None, *, largest: str | None = None, smallest: str | None = None, offline: bool = False,
        **fields: Unpack[ScenarioFields]) -> SolveAnswer:
    """The largest or smallest value of one input that still fits: ``largest="context_tokens"``, ``"batch"``, ``"weights"``, ``"rank"``, ``"gpu_layers"``,
    ``"model"`` (of its family); ``smallest="device"``, ``"gpus"``, ``"instance"`` (by its price an hour). Every value is judged as ``estimate`` judges.
    Where nothing fits, ``ok`` is false and ``next`` the closest that was tried."""
    if (largest is None) == (smallest is None):
        raise TypeError("fit() takes largest=FIELD or smallest=FIELD, one of the two")
    question = question_of(model, device, fields, offline=offline)
    goal, field = ("largest", largest) if largest is not None else ("smallest", smallest)
    answer = answer_of(SolveAnswer, _core.solve(question.text, question.is_json, goal, field), needs_ok=False)
    if not answer.ok and answer.next is None:
        raise InvalidQuestion(answer.issues)
    return answer


def advise(model: Model = None, device: str | None = None, *, offline: bool = False, **fields: Unpack[ScenarioFields]) -> FitAdvice:
    """What to change, alone or in pairs, to make a scenario fit; where it fits, what would break it first."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(FitAdvice, _core.advise(question.text, question.is_json))


def sensitivity(model: Model = None, device: str | None = None, *, offline: bool = False, **fields: Unpack[ScenarioFields]) -> Sensitivity:
    """What moves the result most: each input a step up or down, and each named uncertainty with its range in bytes."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(Sensitivity, _core.sensitivity(question.text, question.is_json))


def plan(model: Model = None, device: str | None = None, *, prices: str = "", threads: int = 0, offline: bool = False, **fields: Any) -> PlanAnswer | ServingPlan:
    """Which way of training or of serving is the fastest, cheapest, roomiest or safest. Besides fields of a scenario: ``gpus=64`` (or ``"32,64"``),
    ``objective="cost"``, ``budget`` in dollars, ``deadline`` in hours, ``global_batch`` in sequences, ``compare_devices``, ``compare_methods``,
    ``compare_engines``. What the scenario states holds; what it leaves open is searched, all cores, the same answer every time."""
    question = question_of(model, device, fields, offline=offline)
    text = _core.plan(question.text, question.is_json, prices, threads)
    return answer_of(PlanAnswer if '"fleets"' in text else ServingPlan, text)


def load(model: Model = None, device: str | None = None, *, first_token_ms: int = 0, per_token_ms: int = 0, splits: bool = False,
         offline: bool = False, **fields: Unpack[ScenarioFields]) -> LoadAnswer:
    """A server under load, step by step: what users wait for in nanoseconds, tokens per second, and with a limit on nine of ten requests the highest
    load that keeps it. ``prompt_tokens``, ``answer_tokens`` and ``concurrency`` or ``request_rate`` state the load. ``splits``: where prompts and answers
    have GPUs of their own, every division of these GPUs between them."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(LoadAnswer, _core.load(question.text, question.is_json, first_token_ms, per_token_ms, splits))


def cost(model: Model = None, device: str | None = None, *, prices: str = "", devices: str = "", today: str | None = None, most: int = 20, offline: bool = False,
         **fields: Any) -> CostAnswer:
    """What GPUs cost for a time, in millionths of a dollar, joules and grams of carbon dioxide: every dated offer that fits, the cheapest first. With a
    model, of its training job or of an hour of serving; without, ``device``, ``gpus`` and ``hours`` or ``gpu_hours``."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(CostAnswer, _core.cost(question.text, question.is_json, prices, devices, today_or(today), most))


def export(model: Model = None, device: str | None = None, *, to: str, offline: bool = False, **fields: Unpack[ScenarioFields]) -> ExportAnswer:
    """The scenario as the command line that starts an engine (``to="vllm"``), or the file that starts a training (``"axolotl"``)."""
    question = question_of(model, device, fields, offline=offline)
    return answer_of(ExportAnswer, _core.export_command(question.text, question.is_json, to))


def result_file(model: Model = None, device: str | None = None, *, format: str, devices: str = "", offline: bool = False, **fields: Unpack[ScenarioFields]) -> str:
    """The answer as a file: ``format`` is ``"json"``, ``"csv"``, ``"markdown"`` or ``"svg"``."""
    question = question_of(model, device, fields, offline=offline)
    text = _core.result_file(question.text, question.is_json, devices, format)
    if not text:
        estimate(Question(question.text, question.is_json), devices=devices)  # says what is wrong
        raise ValueError(f"{format!r} is no format of results: json, csv, markdown and svg are")
    return text


def catalog() -> CatalogAnswer:
    """Models, devices, weight formats, profiles and citations that are built in, each with its source and date."""
    return CatalogAnswer.read(_core.catalog())


def fields() -> list[Field]:
    """Every input with its unit, range, defaults and meaning."""
    return converter(list[Field])(json.loads(_core.fields()))


def prices(*, today: str | None = None) -> list[PriceRow]:
    """The prices that are built in, each with its source and date, and a warning where it is old on the day ``today`` (YYYY-MM-DD)."""
    return converter(list[PriceRow])(json.loads(_core.prices(today_or(today))))
