"""5. Statuses follow the transition tables, an end stays an end unless a person acts, and progress only rises."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from api.content.ai_texts.transitions import AI_TEXT_STATUS
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.exports.transitions import EXPORT_STATUS
from api.content.files.models import FileStatus
from api.content.files.transitions import FILE_STATUS
from api.platform.jobs.states import JobState
from api.platform.jobs.transitions import JOB_STATE
from benchmarks.soak.durability.evidence import Change, Evidence
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event

MOVES: dict[str, Mapping[str, frozenset[str]]] = {
    "uploads": UPLOAD_STATUS.allowed,  # type: ignore[dict-item]
    "files": FILE_STATUS.allowed,  # type: ignore[dict-item]
    "exports": EXPORT_STATUS.allowed,  # type: ignore[dict-item]
    "ai_texts": AI_TEXT_STATUS.allowed,  # type: ignore[dict-item]
    "jobs": JOB_STATE.allowed,  # type: ignore[dict-item]
}
FILE_ENDS = frozenset({FileStatus.COMPLETED, FileStatus.FAILED, FileStatus.ABANDONED})
JOB_ENDS = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED})


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(5, "statuses follow the allowed moves; ends stay; progress never falls in an attempt")
    again = evidence.slugs(Event.RETRY_ASKED)
    for change in evidence.changes:
        if change.old is None or change.new is None or change.table not in MOVES:
            continue
        old, new = change.old[change.status], change.new[change.status]
        name = f"{change.table} {change.row_id}"
        if old != new:
            verdict.expect(new in MOVES[change.table][old], f"{name} went from {old} to {new}, which is not allowed.")
            _judge_end(verdict, evidence, change, old, again)
        elif change.table == "jobs" and new == JobState.RUNNING and change.old["fence"] == change.new["fence"]:
            before, after = int(change.old["progress"]), int(change.new["progress"])
            verdict.expect(
                after >= before, f"{name}: progress of attempt {change.new['fence']} fell from {before} to {after}."
            )
    return verdict


def _judge_end(verdict: Verdict, evidence: Evidence, change: Change, old: str, again: set[str]) -> None:
    assert change.old is not None
    if change.table == "files" and old in FILE_ENDS:
        slug = change.old["slug"]
        verdict.expect(slug in again, f"File {slug} left {old}, and nobody started it again.")
    if change.table == "jobs" and old in JOB_ENDS:
        slug = evidence.slug_of_file.get(uuid.UUID(change.old["subject_id"]), "")
        verdict.expect(slug in again, f"Job {change.row_id} left {old}, and nobody started it again.")
