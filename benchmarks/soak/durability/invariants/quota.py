"""6. The ledger adds up; each finished transcription is charged once, by its sound, and no other work is."""

from __future__ import annotations

import uuid
from collections import defaultdict

from api.content.files.models import FileStatus
from api.people.ledger.models import MovementKind
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import QUOTA_EXCEEDED
from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants.verdict import Verdict


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(6, "quota used is the sum of settled charges; nothing stays reserved")
    verdict.checked = len(evidence.tables["ledger_grants"]) + len(evidence.tables["ledger_movements"])
    for sentence in evidence.ledger:
        verdict.expect(False, sentence)
    _judge_charges(verdict, evidence)
    for file in evidence.tables["files"]:
        if file["error_code"] == QUOTA_EXCEEDED:
            verdict.expect(
                file["status"] == FileStatus.FAILED and bool(file["error"]),
                f"File {file['slug']} was refused for want of minutes and is {file['status']}: {file['error']!r}.",
            )
    return verdict


def _judge_charges(verdict: Verdict, evidence: Evidence) -> None:
    """A transcription costs the seconds of its sound once it is done, however often it was tried."""
    charged: dict[uuid.UUID, int] = defaultdict(int)
    for movement in evidence.tables["ledger_movements"]:
        if movement["kind"] == MovementKind.SETTLE and movement["job_id"] is not None:
            charged[movement["job_id"]] += movement["seconds"]
    durations = {file["id"]: file["duration_ms"] for file in evidence.tables["files"]}
    for job in evidence.tables["jobs"]:
        if job["kind"] != JobKind.TRANSCRIBE:
            continue
        duration = durations.get(job["file_id"])
        if job["state"] != JobState.DONE:
            expected = 0
        elif duration is not None:
            expected = -(-duration // 1000)
        else:
            continue
        found = charged[job["id"]]
        verdict.expect(
            found == expected, f"Transcription {job['id']} is {job['state']}: {found} s charged, not {expected}."
        )
