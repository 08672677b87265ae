"""What a caller may pass, as the text that the core reads."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Union

from . import _core
from .answers import Issue
from .build import converter
from .errors import InvalidQuestion

Model = Union[str, "os.PathLike[str]", Mapping[str, Any], object, None]


@dataclass(frozen=True)
class Question:
    """A scenario as text: a query, or a JSON object."""

    text: str
    is_json: bool


def refuse(field: str, message: str, remedy: str) -> InvalidQuestion:
    return InvalidQuestion([Issue("error", field, message, remedy)])


def issues_in(text: str) -> list[Issue]:
    return converter(list[Issue])(json.loads(text)["issues"])


def stated(name: str, value: Any) -> Any:
    """A value as JSON has it; fractions as the text that they are written as."""
    if isinstance(value, (str, bool)):
        return value
    if isinstance(value, (list, tuple)):
        return ",".join(str(stated(name, part)) for part in value)
    if hasattr(value, "__index__"):
        return value.__index__()
    if isinstance(value, float):
        return repr(value)
    raise refuse(name, f"{name} is a value of type {type(value).__name__}.", "Give text, a number, True, False or a list of these.")


def headers(paths: list[str], offline: bool) -> list[tuple[bytes, int, str]]:
    """The beginnings of files, or of what stands at addresses: as much as their headers take. Of one file alone those of its whole model, where it is
    one of several."""
    files, issues = _core.read_starts(paths, offline)
    if issues:
        raise InvalidQuestion(issues_in(issues))
    return files


def fields_of_files(files: list[tuple[bytes, int, str]]) -> dict[str, Any]:
    """What the files of a model say, as fields of a question."""
    said = json.loads(_core.import_files(files))
    if not said["ok"]:
        raise InvalidQuestion(converter(list[Issue])(said["issues"]))
    if not said["fields"]:
        raise refuse("model", f"{files[0][2] or 'The config'} does not say all that an estimate needs.", "Give the config.json that lies beside it.")
    return said["fields"]


def config_of(model: object) -> Mapping[str, Any] | None:
    """The config of a dict, of what transformers calls a config, or of a model that has one."""
    if isinstance(model, Mapping):
        return model
    if not hasattr(model, "to_dict") and hasattr(model, "config"):
        return config_of(model.config)
    return model.to_dict() if hasattr(model, "to_dict") else None


def is_address(text: str) -> bool:
    return text.startswith(("hf:", "https://", "http://"))


def fields_of_model(model: Model, offline: bool) -> dict[str, Any]:
    if isinstance(model, str) and not is_address(model) and not os.path.isfile(model):
        return {"model": model}
    if isinstance(model, (str, os.PathLike)):
        return fields_of_files(headers([os.fspath(model)], offline))
    config = config_of(model)
    if config is None:
        raise refuse("model", f"A model is given as a value of type {type(model).__name__}.", "Give a name, a path, an address, a dict of config.json or a config of transformers.")
    text = json.dumps(config, default=str).encode()
    return fields_of_files([(text, len(text), "config.json")])


def question_of(model: Model, device: str | None, fields: Mapping[str, Any], *, offline: bool = False) -> Question:
    """A model, a device and fields as one question. A text with "=" is a query, whose entries the others replace."""
    if isinstance(model, Question):
        return model
    besides = {name: stated(name, value) for name, value in {"device": device, **fields}.items() if value is not None}
    if isinstance(model, str) and "=" in model and not is_address(model) and not os.path.isfile(model):
        if not besides and "model=hf:" not in model and "model=http" not in model:
            return Question(model, False)
        from urllib.parse import parse_qsl, urlencode

        named = {name: str(value).lower() if isinstance(value, bool) else value for name, value in besides.items()}
        entries = dict(parse_qsl(model.lstrip("?#"), keep_blank_values=True))
        if is_address(entries.get("model", "")):
            entries = {**fields_of_model(entries.pop("model"), offline), **entries}
        return Question(urlencode({**entries, **named}), False)
    of_model = {} if model is None else fields_of_model(model, offline)
    return Question(json.dumps({**of_model, **besides}), True)
