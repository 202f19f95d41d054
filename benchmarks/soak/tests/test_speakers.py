"""The durability check finds every way in which the speakers of a file can be incomplete."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import speakers
from benchmarks.soak.durability.invariants.verdict import Verdict

Tables = dict[str, list[dict[str, Any]]]


def tables() -> Tables:
    """A file of two lines, whose two speakers a detection found; another detection was cancelled."""
    file_id, track_id, job_id = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
    lines: list[dict[str, Any]] = [
        {"id": uuid.uuid4(), "track_id": track_id, "speaker": label, "words": []} for label in ("S1", "S2")
    ]
    lines[0]["words"] = [{"text": "Yes.", "speaker": "S2"}]
    job = {"kind": "speakers", "subject_id": file_id}
    return {
        "caption_tracks": [{"id": track_id, "file_id": file_id, "origin": "transcription"}],
        "caption_lines": lines,
        "caption_revisions": [
            {
                "track_id": track_id,
                "number": 1,
                "action": "Speakers",
                "after": [{"speaker": line["speaker"]} for line in lines],
                "speakers_after": [{"label": "S1"}, {"label": "S2"}],
            }
        ],
        "speakers": [{"file_id": file_id, "label": label} for label in ("S1", "S2")],
        "jobs": [
            {**job, "id": job_id, "state": "done", "result": {"speakers": 2}},
            {**job, "id": uuid.uuid4(), "state": "cancelled", "result": None},
        ],
        "job_chunks": [],
    }


def violations(values: Tables) -> list[str]:
    verdict = Verdict(2, "")
    evidence = Evidence([], values, [], datetime.now(UTC), 30.0, Path(), Path())
    speakers.judge(verdict, evidence)
    speakers.judge_parts(verdict, evidence)
    return verdict.violations


def test_a_detection_that_is_whole_is_accepted() -> None:
    values = tables()
    assert violations(values) == []
    running = {**values["jobs"][1], "id": uuid.uuid4(), "state": "running"}
    values["jobs"].append(running)
    values["job_chunks"].append({"job_id": running["id"]})
    assert violations(values) == []


def test_a_translation_takes_its_speakers_from_its_source() -> None:
    values = tables()
    track = {**values["caption_tracks"][0], "id": uuid.uuid4(), "origin": "translation"}
    values["caption_tracks"].append(track)
    values["caption_lines"].append({**values["caption_lines"][0], "track_id": track["id"], "speaker": "S9"})
    assert violations(values) == []


def unknown_on_a_line(values: Tables) -> None:
    values["caption_lines"][0]["speaker"] = "S3"


def unknown_on_a_word(values: Tables) -> None:
    values["caption_lines"][0]["words"][0]["speaker"] = "S3"


def lost_speaker(values: Tables) -> None:
    del values["speakers"][1]


def twice(values: Tables) -> None:
    values["speakers"][1]["label"] = "S1"
    values["caption_lines"][0]["words"] = []
    values["caption_lines"][1]["speaker"] = "S1"


def unnamed(values: Tables) -> None:
    del values["caption_revisions"][0]["speakers_after"][0]


def half_written(values: Tables) -> None:
    """Speakers without the change of the lines that belongs to them."""
    values["caption_revisions"] = []
    values["jobs"] = []
    for line in values["caption_lines"]:
        line |= {"speaker": None, "words": []}


def without_effect(values: Tables) -> None:
    values["caption_revisions"] = []
    values["speakers"] = []
    for line in values["caption_lines"]:
        line |= {"speaker": None, "words": []}


def kept_voices(values: Tables) -> None:
    values["job_chunks"].append({"job_id": values["jobs"][0]["id"]})


def kept_voices_of_a_cancelled_job(values: Tables) -> None:
    values["job_chunks"].append({"job_id": values["jobs"][1]["id"]})


@pytest.mark.parametrize(
    "fault",
    [
        unknown_on_a_line,
        unknown_on_a_word,
        lost_speaker,
        twice,
        unnamed,
        half_written,
        without_effect,
        kept_voices,
        kept_voices_of_a_cancelled_job,
    ],
)
def test_every_fault_is_found(fault: Callable[[Tables], None]) -> None:
    values = tables()
    fault(values)
    assert violations(values)
