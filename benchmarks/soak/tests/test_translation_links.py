"""The durability check finds every way in which a translation can be out of step."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from api.content.captions.speech.runs import subject_of
from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import links
from benchmarks.soak.durability.invariants.verdict import Verdict

Tables = dict[str, list[dict[str, Any]]]


def tables() -> Tables:
    """A file of two lines, translated by a job that is done."""
    file_id, source, translation = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
    lines = [
        {"id": uuid.uuid4(), "track_id": track, "start_ms": start, "text": text}
        for track, start, text in (
            (source, 0, "One."),
            (source, 9, "Two."),
            (translation, 0, "Uno."),
            (translation, 9, "Dos."),
        )
    ]
    track = {"file_id": file_id, "source_track_id": None, "origin": "transcription"}
    return {
        "caption_tracks": [
            {**track, "id": source, "language": "en-US"},
            {**track, "id": translation, "language": "es", "origin": "translation", "source_track_id": source},
        ],
        "caption_lines": lines,
        "caption_links": [
            {
                "target_id": lines[2 + index]["id"],
                "position": 0,
                "track_id": translation,
                "source_id": lines[index]["id"],
                "text": lines[index]["text"],
                "is_stale": False,
            }
            for index in range(2)
        ],
        "jobs": [
            {"kind": "translate", "state": "done", "subject_id": subject_of(file_id, "es"), "cancel_requested": False}
        ],
    }


def violations(values: Tables) -> list[str]:
    verdict = Verdict(2, "")
    links.judge(verdict, Evidence([], values, [], datetime.now(UTC), 30.0, Path(), Path()))
    return verdict.violations


def test_a_translation_in_step_is_accepted() -> None:
    values = tables()
    assert violations(values) == []
    values["caption_lines"][0]["text"] = "Another."
    values["caption_links"][0]["is_stale"] = True
    assert violations(values) == []


def missing_source(values: Tables) -> None:
    del values["caption_lines"][0]


def unmarked(values: Tables) -> None:
    values["caption_lines"][0]["text"] = "Another."


def swapped(values: Tables) -> None:
    first, second = values["caption_links"]
    first["source_id"], second["source_id"] = second["source_id"], first["source_id"]
    first["text"], second["text"] = second["text"], first["text"]


def linked_to_itself(values: Tables) -> None:
    values["caption_links"][0] |= {"source_id": values["caption_lines"][2]["id"], "text": "Uno."}


def second_track(values: Tables) -> None:
    values["caption_tracks"].append({**values["caption_tracks"][0], "id": uuid.uuid4()})


def unfinished(values: Tables) -> None:
    values["jobs"][0]["state"] = "running"


def two_jobs(values: Tables) -> None:
    values["jobs"] += [{**values["jobs"][0], "state": state} for state in ("ready", "running")]


@pytest.mark.parametrize(
    "fault", [missing_source, unmarked, swapped, linked_to_itself, second_track, unfinished, two_jobs]
)
def test_every_fault_is_found(fault: Callable[[Tables], None]) -> None:
    values = tables()
    fault(values)
    assert violations(values)
