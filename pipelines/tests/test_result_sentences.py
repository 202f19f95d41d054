"""Sentences of a result keep their codes on their way through JSON, so each reader gets them in their own language."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cluster.wording.message import Message, in_language
from pipelines.captions.imports.process import read_in_process
from pipelines.messages.minutes import MinutesResult, TextType
from pipelines.messages.proofread import ProofreadResult, Proposal
from pipelines.messages.results import ExportResult, FlowResult, engine_record
from pipelines.messages.speakers import SpeakersResult
from pipelines.messages.translate import TranslateResult
from serve.core.messages import EngineInfo
from serve.tasks.text.choice import SELECTS, extractive_info
from serve.tasks.text.messages import CorrectionKind
from serve.tasks.text.proofreading_rules import TWICE

NOTE = SELECTS
ENGINE = extractive_info(NOTE)
PROPOSAL = Proposal(line="1", before="a a", after="a", kind=CorrectionKind.REPETITION, reason=TWICE, is_large=False)


@pytest.mark.parametrize(
    ("result", "path"),
    [
        (
            MinutesResult(
                type=TextType.MINUTES,
                language="en",
                engine=ENGINE,
                title="",
                blocks=(),
                covered_ms=0,
                total_ms=0,
                notes=(NOTE,),
            ),
            ("notes", 0),
        ),
        (SpeakersResult(engine=ENGINE, turns=(), notes=(NOTE,)), ("notes", 0)),
        (TranslateResult(language="is", engine=ENGINE, lines=(), notes=(NOTE,)), ("notes", 0)),
        (ProofreadResult(engine=ENGINE, proposals=(), lines=1, notes=(NOTE,)), ("notes", 0)),
        (ProofreadResult(engine=ENGINE, proposals=(PROPOSAL,), lines=1), ("proposals", 0, "reason")),
        (ExportResult(export_key="k", size_bytes=1, notice=NOTE), ("notice",)),
        (SpeakersResult(engine=ENGINE, turns=()), ("engine", "note")),
    ],
)
def test_a_sentence_of_a_result_keeps_its_code(result: FlowResult, path: tuple[Any, ...]) -> None:
    stored = json.loads(json.dumps(result.to_json()))
    found: Any = type(result).from_json(stored)
    for step in path:
        found = found[step] if isinstance(step, int) else getattr(found, step)
    assert isinstance(found, Message)
    assert in_language(found, "is") != found


def test_a_row_keeps_the_codes_of_an_engine() -> None:
    assert engine_record(ENGINE)["note"] == NOTE.as_json()
    assert engine_record(EngineInfo("text", "x", "x", "cpu", "By hand."))["reason"] == "By hand."


@pytest.mark.long
def test_notes_of_an_import_keep_their_codes() -> None:
    read = read_in_process(
        b"1\n00:00:01,000 --> 00:00:00,500\nBackwards\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n", "en"
    )
    assert read.notes
    assert all(isinstance(note, Message) for note in read.notes)
