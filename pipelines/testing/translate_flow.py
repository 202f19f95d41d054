"""Requests to the flow `translate`, and what it returns over a translator that can be followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipelines.flows.translate.flow import translate
from pipelines.flows.translate.passages import TranslationClient
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result
from pipelines.messages.translate import SourceLine, TranslateRequest, TranslateResult
from pipelines.testing.wordwise import WordwiseClient, source_lines

ATTEMPT = Attempt("job", 1, Path("/nowhere"), "files/one/work")


def request(lines: tuple[SourceLine, ...], target: str = "is", **more: Any) -> TranslateRequest:
    return TranslateRequest(
        file_id="one", track_id="two", source_language="en-US", target_language=target, lines=lines, **more
    )


def run(wanted: TranslateRequest, client: TranslationClient, attempt: Attempt = ATTEMPT) -> TranslateResult:
    return parts(list(translate(wanted, attempt, client=client)))[2]


def parts(values: list[Any]) -> tuple[list[Progress], list[Chunk], TranslateResult]:
    assert isinstance(values[-1], Result)
    assert isinstance(values[-1].payload, TranslateResult)
    return (
        [value for value in values if isinstance(value, Progress)],
        [value for value in values if isinstance(value, Chunk)],
        values[-1].payload,
    )


def shown(result: TranslateResult) -> list[tuple[str, str]]:
    return [("".join(line.source_ids), line.text) for line in result.lines]


@pytest.fixture
def start() -> Iterator[Callable[..., WordwiseClient]]:
    clients: list[WordwiseClient] = []

    def make(*arguments: Any, **named: Any) -> WordwiseClient:
        clients.append(WordwiseClient(*arguments, **named))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


STORY = source_lines(
    "When I came home,",
    "the door was\nopen.",
    "[applause]",
    "- Who is there?\n- Nobody.",
    "",
    "♪",
    "Good night.",
)
