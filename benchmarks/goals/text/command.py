"""`python -m benchmarks text-goals`: AI text with requests of many files in one batch against one after the other."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from benchmarks.goals.pairs import Pairs, alternate
from benchmarks.goals.report import Report
from benchmarks.quiet import silence_logs
from cluster.resources import cores
from serve.chat.ct2_chat import CTranslate2Chat
from serve.chat.messages import ChatAnswer, ChatRequest
from serve.tasks.text.prompts import section_request
from serve.testing.meeting import NOTES, section
from serve.testing.random_chat import HALF, random_chat

ANSWER_TOKENS = 64
REQUESTS = 8

NOTES_OF_REPORT = (
    f"Random weights: {REQUESTS} requests of about 360 tokens, {ANSWER_TOKENS} answer tokens each; int8, greedy.",
    "Per second of processor time of this process, so that other work on the machine counts little.",
)


def command(pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count for each ratio.")] = 5) -> None:
    silence_logs()
    report = Report("text-goals")
    with tempfile.TemporaryDirectory(prefix="text-") as work:
        _random_weights(report, Path(work), pairs)
    for sentence in NOTES_OF_REPORT:
        report.note(sentence)
    report.write()


def _random_weights(report: Report, folder: Path, pairs: int) -> None:
    chat = CTranslate2Chat(random_chat(HALF, folder), name=HALF.name, threads=cores())
    types = list(NOTES)
    known = [section_request(section(types[number % len(types)])) for number in range(REQUESTS)]
    requests = [replace(each, max_tokens=ANSWER_TOKENS) for each in known]
    with closing(chat):
        chat.complete(requests[:1])
        found = alternate(
            lambda: _tokens_per_s(chat, [requests]), lambda: _tokens_per_s(chat, [[each] for each in requests]), pairs
        )
    _show(report, "text model, answer tokens", found, "tokens per core-second")


def _tokens_per_s(chat: CTranslate2Chat, batches: Sequence[Sequence[ChatRequest]]) -> float:
    begun = time.process_time()
    answers = [answer for batch in batches for answer in chat.complete(batch)]
    tokens = sum(answer.tokens for answer in answers if isinstance(answer, ChatAnswer))
    assert tokens == REQUESTS * ANSWER_TOKENS, tokens
    return tokens / (time.process_time() - begun)


def _show(report: Report, name: str, found: Pairs, unit: str) -> None:
    report.figure(f"{name}, batched", median(found.ours), unit)
    report.figure(f"{name}, one by one", median(found.theirs), unit)
    report.figure(f"{name}, batched / one by one", found.ratio, "x", **found.detail())
