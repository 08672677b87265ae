"""Other programs' files."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _core
from .answers import ImportAnswer
from .errors import InvalidQuestion
from .question import headers


def import_files(*paths: str | os.PathLike[str], offline: bool = False, text: str | None = None, **told: Any) -> ImportAnswer:
    """Reads files that make one question: a config.json, safetensors or its index, GGUF, a script or command line that starts an engine or a training,
    its configuration, a log; or ``text`` of one of these. Of weights only the header is read. ``told`` answers what files leave open: ``gpus``,
    ``device``, ``vocab``, ``context_tokens``, ``command``, ``set={"NAME": "value"}``.

    The answer's ``fields`` are those of ``estimate(**answer.fields)``; ``questions`` are what is still open. Raises InvalidQuestion."""
    files = headers([os.fspath(path) for path in paths], offline) if paths else []
    if text is not None:
        given = text.encode()
        files.append((given, len(given), ""))
    answer = ImportAnswer.read(_core.import_files(files, json.dumps(told)))
    if not answer.ok:
        raise InvalidQuestion(answer.issues)
    return answer
