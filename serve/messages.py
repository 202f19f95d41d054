"""The values that every model deployment exchanges with its callers. They are frozen and picklable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Which engine a deployment loaded and why; `languages` is empty when it takes every language.

    `detects_language`: whether it can detect the spoken language. `problem` says why a better model on this machine is
    not used; empty when there is none.
    """

    task: str
    engine: str
    model: str
    device: str
    reason: str
    languages: frozenset[str] = frozenset()
    detects_language: bool = False
    problem: str = ""


class EngineProblem(StrEnum):
    """Why a deployment refuses a request."""

    UNKNOWN_LANGUAGE = "unknown_language"
    OVERLOADED = "overloaded"
    BAD_INPUT = "bad_input"
    TOO_LONG = "too_long"
    """More than the model reads at once; a shorter piece works."""
    MODEL_FAILED = "model_failed"


class EngineRefused(Exception):
    """A deployment refuses a request. `sentence` is for the user; `retry_after_s` is set when waiting helps."""

    def __init__(self, problem: EngineProblem, sentence: str, retry_after_s: float | None = None) -> None:
        super().__init__(problem, sentence, retry_after_s)
        self.problem = problem
        self.sentence = sentence
        self.retry_after_s = retry_after_s
