"""What is raised."""

from __future__ import annotations

from .answers import Issue


class PlimsollError(Exception):
    """Anything that this package raises by itself."""


class InvalidQuestion(PlimsollError, ValueError):
    """A question without an answer: ``issues`` say which field is wrong, how, and what to write instead."""

    def __init__(self, issues: list[Issue]) -> None:
        self.issues = issues
        super().__init__("\n".join(f"{issue.field + ': ' if issue.field else ''}{issue.message} {issue.remedy}" for issue in issues if issue.severity == "error"))
