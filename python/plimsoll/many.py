"""Many questions: sweeps, and the function that Ray and Spark map over partitions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import _core
from .errors import InvalidQuestion
from .question import issues_in, question_of


class Questions(Sequence[str]):
    """The questions of a sweep as queries, made when they are asked for: a million of them take no room."""

    def __init__(self, query: str, part: range | None = None) -> None:
        self._query = query
        self._sweep = _core.Sweep(query)
        if issues := self._sweep.issues():
            raise InvalidQuestion(issues_in(issues))
        self._part = range(len(self._sweep)) if part is None else part

    def __len__(self) -> int:
        return len(self._part)

    def __getitem__(self, index: Any) -> Any:
        chosen = self._part[index]
        return Questions(self._query, chosen) if isinstance(chosen, range) else self._sweep[chosen]

    def __reduce__(self) -> tuple[type[Questions], tuple[str, range]]:
        return Questions, (self._query, self._part)

    def rows(self, *, threads: int | None = None, by_estimate: bool = False, devices: str = "") -> Iterator[dict[str, Any]]:
        """A flat row for each question in turn, as ``map_rows`` gives them, by all cores of this machine."""
        size = 256
        with ThreadPoolExecutor(threads) as workers:
            waiting: list[Any] = []
            for begin in range(0, len(self), size):
                waiting.append(workers.submit(lambda some: list(map_rows(some, by_estimate=by_estimate, devices=devices)), self[begin : begin + size]))
                if len(waiting) > 4 * (workers._max_workers):
                    yield from waiting.pop(0).result()
            for one in waiting:
                yield from one.result()


def sweep(query: str) -> Questions:
    """All questions of a query some of whose inputs have several values: ``sweep("model=llama-3-8b&device=rtx4090,h100-80-sxm&context_tokens=8k..128k*2")``.

    Values stand between commas; ``8k..128k*2`` doubles, ``1..9:2`` goes up by two, ``1..4`` by one. Lists and texts take "|" between values."""
    return Questions(query)


def map_rows(questions: Iterable[str | Mapping[str, Any]], *, by_estimate: bool = False, devices: str = "") -> Iterator[dict[str, Any]]:
    """A flat row for each question, a query or a dict of fields: the columns of ``plimsoll sweep``, ready for a data frame. One partition's work for Ray
    or Spark. A question without an answer has ``ok`` false and an ``issue``. ``by_estimate`` leaves out the replay of the allocator: far
    faster, without the columns of the process."""
    for question in questions:
        if isinstance(question, str):
            text, is_json = question, False
        else:
            asked = question_of(None, None, question)
            text, is_json = asked.text, asked.is_json
        yield json.loads(_core.row(text, is_json, devices, by_estimate))
