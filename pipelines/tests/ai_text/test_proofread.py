"""Proofreading: what the rules correct, which corrections of a model become proposals, and the flow around them."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest

from pipelines.ai_text.proposals import proposals
from pipelines.flows.proofread import BY_RULES, LINES_AT_ONCE, proofread
from pipelines.messages.attempt import Attempt, Chunk, Result, StageFailed
from pipelines.messages.proofread import ProofLine, ProofreadRequest, ProofreadResult
from serve.core.messages import EngineInfo
from serve.tasks.text.choice import extractive_info
from serve.tasks.text.extractive import ExtractiveEngine
from serve.tasks.text.messages import (
    Correction,
    CorrectionKind,
    Language,
    ProofreadItem,
    ProofreadLines,
    ProofreadTask,
    SpokenLine,
    TextItem,
    TextOutcome,
)

INFO = extractive_info("Test.")


class Rules:
    """The offline engine as a text client."""

    def __init__(self) -> None:
        self.items: list[TextItem] = []

    def describe(self) -> EngineInfo:
        return INFO

    def submit(self, item: TextItem) -> Future[TextOutcome]:
        self.items.append(item)
        (outcome,) = ExtractiveEngine(INFO).run([item])
        future: Future[TextOutcome] = Future()
        assert isinstance(outcome, ProofreadLines)
        future.set_result(outcome)
        return future


def request(*texts: str, task: ProofreadTask = ProofreadTask.CORRECT, terms: tuple[str, ...] = ()) -> ProofreadRequest:
    lines = tuple(ProofLine(id=f"line-{at}", text=text) for at, text in enumerate(texts))
    return ProofreadRequest(file_id="f", track_id="t", language="en-US", lines=lines, task=task, terms=terms)


def values(asked: ProofreadRequest, client: Rules, chunks: dict[str, dict[str, object]] | None = None) -> list[object]:
    return list(proofread(asked, Attempt("job", 1, Path("unused"), "unused", chunks or {}), client=client))


def result_of(asked: ProofreadRequest) -> ProofreadResult:
    last = values(asked, Rules())[-1]
    assert isinstance(last, Result)
    assert isinstance(last.payload, ProofreadResult)
    return last.payload


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("We saw the the harbour", "We saw the harbour", CorrectionKind.REPETITION),
        ("They had had enough ,really", None, None),
        ("The end . Or not", "The end. Or not", CorrectionKind.PUNCTUATION),
        ("It closed. nobody knew", "It closed. Nobody knew", CorrectionKind.PUNCTUATION),
        ("from húsavík today", "from Húsavík today", CorrectionKind.NAME),
        ("All is well.", None, None),
    ],
)
def test_rules(text: str, expected: str | None, kind: CorrectionKind | None) -> None:
    found = result_of(request(text, terms=("Húsavík",))).proposals
    assert [(each.after, each.kind) for each in found] == ([] if expected is None else [(expected, kind)])


def test_rules_shorten_by_leaving_out_fillers_and_say_that_they_are_rules() -> None:
    result = result_of(request("Um, you know, the the pier is closed", task=ProofreadTask.SHORTEN))
    assert [each.after for each in result.proposals] == ["The pier is closed"]
    assert result.notes == (BY_RULES,)


def test_proposals_keep_numbers_tags_and_rows_and_mark_rewrites() -> None:
    lines = [
        ProofLine(id="a", text="It costs 12 krona"),
        ProofLine(id="b", text="<i>Thre</i> boats"),
        ProofLine(id="c", text="We dont know\nwhen it opens"),
        ProofLine(id="d", text="He go home now"),
    ]
    fixed = [
        Correction(1, "It costs 13 krónur", CorrectionKind.SPELLING, ""),
        Correction(2, "Three boats", CorrectionKind.SPELLING, ""),
        Correction(3, "We don’t know when it opens", CorrectionKind.SPELLING, "An apostrophe"),
        Correction(4, "They all went back to their houses", CorrectionKind.GRAMMAR, ""),
    ]
    part = proposals(ProofreadLines(0, tuple(fixed)), lines)
    assert part.dropped == 2
    assert [(each.line, each.after, each.is_large) for each in part.proposals] == [
        ("c", "We don’t know\nwhen it opens", False),
        ("d", "They all went back to their houses", True),
    ]


def test_parts_that_an_earlier_attempt_finished_are_not_read_again() -> None:
    asked = request(*["so so it goes"] * (LINES_AT_ONCE + 5))
    first = Rules()
    chunks = {each.key: each.payload.to_json() for each in values(asked, first) if isinstance(each, Chunk)}
    assert len(first.items) == len(chunks) == 2
    again = Rules()
    values(asked, again, chunks)
    assert again.items == []


@pytest.mark.parametrize(("was", "other"), [("lines-", "lines-another-"), ("-00000-", "-00001-")])
def test_parts_of_another_engine_or_of_other_lines_are_not_taken(was: str, other: str) -> None:
    asked = request(*["so so it goes"] * 3)
    chunks = {each.key: each.payload.to_json() for each in values(asked, Rules()) if isinstance(each, Chunk)}
    again = Rules()
    values(asked, again, {key.replace(was, other, 1): value for key, value in chunks.items()})
    assert len(again.items) == len(chunks) == 1


def test_captions_without_text_are_refused_with_a_sentence() -> None:
    with pytest.raises(StageFailed, match="nothing to proofread"):
        values(request(" "), Rules())


def test_a_long_line_takes_no_time() -> None:
    long = SpokenLine("a " * 500 + "," * 1_000 + " " * 1_000)
    item = ProofreadItem("s", 0, Language("en", "English"), (long,))
    assert ExtractiveEngine(INFO).run([item])
