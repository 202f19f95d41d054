"""AI texts are whole: part of the invariant on jobs."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict

from api.content.ai_texts.models import AiTextStatus, VersionKind
from api.content.ai_texts.transitions import OPEN
from api.content.ai_texts.versions import VERSIONS_MAX
from api.platform.jobs.states import JobKind, JobState
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event

WORKING = (JobState.READY, JobState.RUNNING)


def judge(verdict: Verdict, evidence: Evidence) -> None:
    texts = {row["id"]: row for row in evidence.tables["ai_texts"]}
    jobs = {job["id"]: job for job in evidence.tables["jobs"] if job["kind"] == JobKind.MINUTES}
    versions: dict[uuid.UUID, list[Row]] = defaultdict(list)
    for version in evidence.tables["ai_text_versions"]:
        versions[version["ai_text_id"]].append(version)
        _judge_version(verdict, version, texts)
    done = Counter(job["subject_id"] for job in jobs.values() if job["state"] == JobState.DONE)
    for text in texts.values():
        _judge_text(verdict, text, versions[text["id"]], done[text["id"]])
        _judge_job(verdict, text, jobs.get(text["job_id"]))
    for entry in evidence.entries_of(Event.TEXT_ACCEPTED):
        is_there = uuid.UUID(entry["text_id"]) in texts
        verdict.expect(
            is_there or entry["slug"] in evidence.purged, f"Text {entry['text_id']} was accepted and is gone."
        )


def _judge_version(verdict: Verdict, version: Row, texts: dict[uuid.UUID, Row]) -> None:
    """A version belongs to a text, and each line that it cites is kept with it."""
    name = f"Version {version['number']} of text {version['ai_text_id']}"
    verdict.expect(version["ai_text_id"] in texts, f"{name} belongs to no text.")
    content = version["content"]
    lines = {line["id"] for line in content["lines"]}
    cited = {
        line_id for block in content["blocks"] for sentence in block["sentences"] for line_id in sentence["line_ids"]
    }
    verdict.expect(cited <= lines, f"{name} cites {len(cited - lines)} lines that are not kept with it.")


def _judge_text(verdict: Verdict, text: Row, versions: list[Row], done: int) -> None:
    """The newest versions are there without a gap, one for each finished job and each change of a person."""
    name = f"Text {text['id']} ({text['status']}, version {text['version']})"
    numbers = sorted(version["number"] for version in versions)
    expected = list(range(max(1, text["version"] - VERSIONS_MAX + 1), text["version"] + 1))
    verdict.expect(numbers == expected, f"{name} has the versions {numbers}.")
    written = sum(version["kind"] == VersionKind.WRITTEN for version in versions)
    if text["version"] <= VERSIONS_MAX:
        verdict.expect(written == done, f"{name} was written {written} times by {done} jobs.")
    if text["status"] == AiTextStatus.READY:
        verdict.expect(text["version"] > 0, f"{name} has nothing to show.")
    if text["status"] == AiTextStatus.CANCELLED:
        verdict.expect(text["version"] == 0, f"{name} hides the version it has.")


def _judge_job(verdict: Verdict, text: Row, job: Row | None) -> None:
    """A text is open exactly while its job works on it."""
    name = f"Text {text['id']} ({text['status']})"
    if not verdict.expect(job is not None, f"{name} has no job.") or job is None:
        return
    works = job["state"] in WORKING and not job["cancel_requested"]
    verdict.expect((text["status"] in OPEN) == works, f"{name} has a job that is {job['state']}.")
