"""The durability check finds every way in which an AI text can be incomplete."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import texts
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Entry, Event

Tables = dict[str, list[dict[str, Any]]]


def tables() -> Tables:
    """A text that a job wrote and a person edited."""
    text_id, job_id = uuid.uuid4(), uuid.uuid4()
    content = {"lines": [{"id": "a"}], "blocks": [{"sentences": [{"line_ids": ["a"]}]}]}
    job = {"id": job_id, "kind": "minutes", "state": "done", "subject_id": text_id, "cancel_requested": False}
    return {
        "ai_texts": [{"id": text_id, "status": "ready", "version": 2, "job_id": job_id}],
        "ai_text_versions": [
            {"ai_text_id": text_id, "number": 1, "kind": "written", "content": content},
            {"ai_text_id": text_id, "number": 2, "kind": "edited", "content": content},
        ],
        "jobs": [job],
    }


def violations(values: Tables, entries: list[Entry] | None = None) -> list[str]:
    verdict = Verdict(3, "")
    texts.judge(verdict, Evidence(entries or [], values, [], datetime.now(UTC), 30.0, Path(), Path()))
    return verdict.violations


def test_a_whole_text_is_accepted() -> None:
    values = tables()
    accepted = {"event": Event.TEXT_ACCEPTED, "slug": "s", "text_id": str(values["ai_texts"][0]["id"])}
    assert violations(values, [accepted]) == []
    gone = accepted | {"text_id": str(uuid.uuid4())}
    assert violations(values, [gone])
    assert violations(values, [gone, {"event": Event.PURGE_ASKED, "slug": "s"}]) == []


def lost_version(values: Tables) -> None:
    del values["ai_text_versions"][1]


def written_twice(values: Tables) -> None:
    values["ai_text_versions"][1]["kind"] = "written"


def nothing_written(values: Tables) -> None:
    values["ai_texts"][0]["version"] = 0
    values["ai_text_versions"] = []


def half_written(values: Tables) -> None:
    values["jobs"][0]["state"] = "running"


def never_ends(values: Tables) -> None:
    values["ai_texts"][0]["status"] = "running"


def hidden(values: Tables) -> None:
    values["ai_texts"][0]["status"] = "cancelled"


def ownerless(values: Tables) -> None:
    values["ai_texts"] = []


def unknown_line(values: Tables) -> None:
    values["ai_text_versions"][0]["content"]["lines"] = []


@pytest.mark.parametrize(
    "fault",
    [lost_version, written_twice, nothing_written, half_written, never_ends, hidden, ownerless, unknown_line],
)
def test_every_fault_is_found(fault: Callable[[Tables], None]) -> None:
    values = tables()
    fault(values)
    assert violations(values)
