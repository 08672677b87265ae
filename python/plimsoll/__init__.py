"""Plimsoll: what a large language model needs to serve, fine-tune or pre-train, where every byte goes, how long it takes and what it costs.

    >>> import plimsoll
    >>> answer = plimsoll.estimate("llama-3-8b", device="rtx4090", context_tokens=8192, batch=4)
    >>> print(answer.headline.verdict, answer.estimate.peak.text)
    Fits. 20.3 GiB

A question is a model and fields by name, the same as in links, in JSON and on the command line; ``fields()`` lists them with units and ranges.
Amounts of memory are whole bytes, times nanoseconds, money millionths of a dollar: the unit is the end of the name. ``explain`` opens each number
to its formula, symbols and source. What is wrong with a question is an ``InvalidQuestion`` whose ``issues`` name the field and the way out.
"""

from __future__ import annotations

from ._core import __version__
from .answers import (
    CostAnswer,
    EstimateAnswer,
    ExplainAnswer,
    FitAdvice,
    Issue,
    LoadAnswer,
    PlanAnswer,
    Sensitivity,
    ServingPlan,
    SolveAnswer,
)
from .ask import advise, catalog, cost, estimate, explain, export, fields, fit, load, plan, prices, result_file, sensitivity
from .compare import Compare, compare
from .errors import InvalidQuestion, PlimsollError
from .files import import_files
from .many import map_rows, sweep
from .presets import CatalogAnswer

__all__ = [
    "CatalogAnswer",
    "Compare",
    "CostAnswer",
    "EstimateAnswer",
    "ExplainAnswer",
    "FitAdvice",
    "InvalidQuestion",
    "Issue",
    "LoadAnswer",
    "PlanAnswer",
    "PlimsollError",
    "Sensitivity",
    "ServingPlan",
    "SolveAnswer",
    "__version__",
    "advise",
    "catalog",
    "compare",
    "cost",
    "estimate",
    "explain",
    "export",
    "fields",
    "fit",
    "import_files",
    "load",
    "map_rows",
    "plan",
    "prices",
    "result_file",
    "sensitivity",
    "sweep",
]
