"""The flow of a kind of job that the product does not have. Workers import this and nothing of the control plane."""

from __future__ import annotations

from collections.abc import Iterator

from pipelines.messages.attempt import Attempt, Progress, Result
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.results import FlowResult


class CountRequest(JsonMessage):
    text: str


class CountResult(FlowResult):
    letters: int


def count(request: CountRequest, attempt: Attempt) -> Iterator[Progress | Result]:
    yield Progress("counting", 0, len(request.text), "letters")
    yield Result(CountResult(letters=len(request.text)))
