"""Measured peaks over the estimate."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol

from . import _core
from .build import converter
from .question import question_of

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._fields import ScenarioFields
    from .answers import EstimateAnswer
    from .question import Model


class Counters(Protocol):
    """What is asked of a device: ``torch.cuda`` and ``torch.xpu`` are such modules."""

    def reset_peak_memory_stats(self) -> None: ...
    def max_memory_allocated(self) -> int: ...
    def max_memory_reserved(self) -> int: ...
    def mem_get_info(self) -> tuple[int, int]: ...


@dataclass(frozen=True)
class ComparedPeak:
    """One counter beside what was predicted."""

    metric: str  #: "allocated", "reserved" or "process"
    predicted: int  #: bytes
    low: int
    high: int
    measured: int
    error: float | None  #: predicted over measured, less one: 0.01 is one per cent


class Compare:
    """A context whose measured peaks are laid over the estimate of a scenario.

        with plimsoll.compare(model, device="h100-80-sxm", task="finetune", context_tokens=4096) as run:
            trainer.train()
        print(run)

    ``run.peaks`` are what was allocated, reserved, and taken by the process. ``run.row()`` is that as a row of evidence (docs/evidence.md), which ``plimsoll
    accuracy`` reads. What others take of the device at that time counts as the process, too: measure on an idle one.

    It is a callback of transformers' Trainer as well: ``Trainer(..., callbacks=[plimsoll.compare(model, ...).callback()])``.
    """

    def __init__(self, text: str, is_json: bool, counters: Counters | None, devices: str = "") -> None:
        from .ask import answer_of
        from .answers import EstimateAnswer

        self.answer: EstimateAnswer = answer_of(EstimateAnswer, _core.estimate(text, is_json, devices))
        self.peaks: list[ComparedPeak] = []
        self._counters = counters
        self._measured: dict[str, int] = {}

    @property
    def counters(self) -> Counters:
        if self._counters is None:
            import torch

            if not torch.cuda.is_available():
                raise RuntimeError("There is no GPU whose memory PyTorch counts. Pass counters=, a module such as torch.cuda.")
            self._counters = torch.cuda
        return self._counters

    def __enter__(self) -> Self:
        self.counters.reset_peak_memory_stats()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self.stop()

    def stop(self) -> list[ComparedPeak]:
        """Reads the counters."""
        free, total = self.counters.mem_get_info()
        self._measured = {"allocated": self.counters.max_memory_allocated(), "reserved": self.counters.max_memory_reserved(), "process": total - free}
        said = json.loads(_core.compare_rows(json.dumps([self.row()])))
        rows = said["rows"] if isinstance(said, dict) else said
        self.peaks = [converter(ComparedPeak)(row) for row in rows if row.get("predicted") is not None]
        return self.peaks

    def row(self, id: str = "this run") -> dict[str, Any]:
        """The measured peaks as a row of evidence."""
        measured = [{"counter": name, "value": value, "unit": "bytes"} for name, value in self._measured.items()]
        return {"id": id, "group": "compare", "query": self.answer.query, "measured": measured}

    def callback(self) -> Any:
        """The same for transformers' Trainer: from its beginning to its end."""
        from transformers import TrainerCallback

        run = self

        class Callback(TrainerCallback):
            def on_train_begin(self, *_: Any, **__: Any) -> None:
                run.__enter__()

            def on_train_end(self, *_: Any, **__: Any) -> None:
                run.stop()

        return Callback()

    def __str__(self) -> str:
        from ._core import format_bytes

        lines = [f"{peak.metric:<10} measured {format_bytes(peak.measured):>9}  predicted {format_bytes(peak.predicted):>9}"
                 f"  likely {format_bytes(peak.low)} to {format_bytes(peak.high)}" + (f"  {peak.error:+.2%}" if peak.error is not None else "") for peak in self.peaks]
        return "\n".join([str(self.answer), *lines])

    def _repr_html_(self) -> str:
        return self.answer._repr_html_() + (f"<pre>{escape(chr(10).join(str(self).splitlines()[1:]))}</pre>" if self.peaks else "")


def compare(model: Model = None, device: str | None = None, *, counters: Counters | None = None, devices: str = "", offline: bool = False,
            **fields: Unpack[ScenarioFields]) -> Compare:
    """A context that lays measured peaks of memory, in bytes, over the estimate of a scenario: see Compare. ``counters`` stand in for ``torch.cuda``."""
    question = question_of(model, device, fields, offline=offline)
    return Compare(question.text, question.is_json, counters, devices)
