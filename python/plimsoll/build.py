"""From JSON to dataclasses, by their annotations."""

from __future__ import annotations

import dataclasses
import functools
import json
import types
import typing
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Answer:
    """An answer of the estimator: its dataclass is what the JSON says, by the same names."""

    _text: str = ""

    @classmethod
    def read(cls: type[T], text: str) -> T:
        """The answer that a text of JSON is; the text is kept."""
        answer = converter(cls)(json.loads(text))
        object.__setattr__(answer, "_text", text)
        return answer

    def to_json(self) -> str:
        """The very characters that the command line prints with ``--json``."""
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """The same as plain dictionaries and lists."""
        return json.loads(self._text)


def same(value: Any) -> Any:
    return value


@functools.cache
def converter(kind: Any) -> Callable[[Any], Any]:
    """What makes a value of that type of a value of JSON."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return next((convert for convert in map(converter, inside) if convert is not same), same)  # None never gets there
    if origin is list:
        convert = converter(inside[0])
        return same if convert is same else lambda value: [convert(element) for element in value]
    if not dataclasses.is_dataclass(kind):
        return same
    members: dict[str, Callable[[Any], Any]] = {}

    def build(value: Any) -> Any:
        if not members:  # at the first value: a type may hold itself
            hints = typing.get_type_hints(kind)
            members.update((field.name, converter(hints[field.name])) for field in dataclasses.fields(kind))
        return kind(**{name: None if (member := value.get(name.rstrip("_"))) is None else convert(member) for name, convert in members.items()})  # class_: "class"

    return build
