"""3. Each file, kind and input has one job with one result, and each result takes effect once."""

from __future__ import annotations

import json
import uuid
from collections import Counter, defaultdict

from api.platform.jobs.states import AttemptEnd, JobKind, JobState
from api.platform.realtime.messages import EVENT, QUOTA_EXCEEDED, Action, Topic
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants import texts
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event

DONE_BY_EVENT = {
    (Topic.UPLOAD, Action.TRANSCRIBING): JobKind.UPLOAD,
    (Topic.UPLOAD, Action.COMPLETED): JobKind.UPLOAD,
    (Topic.TRANSCRIBE, Action.COMPLETED): JobKind.TRANSCRIBE,
    (Topic.ENCODING, Action.COMPLETED): JobKind.ENCODING,
    (Topic.EXPORT, Action.COMPLETED): JobKind.EXPORT,
    (Topic.TRANSLATE, Action.COMPLETED): JobKind.TRANSLATE,
    (Topic.MINUTES, Action.COMPLETED): JobKind.MINUTES,
    (Topic.SPEAKERS, Action.COMPLETED): JobKind.SPEAKERS,
}
"""The events that report a finished job to pages. A file without sound ends with `Upload/Completed`."""

PREFIX = "jobs"


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(3, "one job and one result for each input; effects counted once")
    jobs = evidence.tables["jobs"]
    _judge_inputs(verdict, evidence, jobs)
    attempts: dict[uuid.UUID, list[Row]] = defaultdict(list)
    for attempt in evidence.tables.get("job_attempts", []):
        attempts[attempt["job_id"]].append(attempt)
    for job in jobs:
        _judge_attempts(verdict, job, attempts[job["id"]])
    _judge_events(verdict, evidence, jobs)
    _judge_exports(verdict, evidence)
    texts.judge(verdict, evidence)
    return verdict


def _judge_inputs(verdict: Verdict, evidence: Evidence, jobs: list[Row]) -> None:
    again = evidence.slugs(Event.RETRY_ASKED)
    same = defaultdict(list)
    for job in jobs:
        same[job["subject_id"], job["kind"], json.dumps(job["request"], sort_keys=True)].append(job)
    for (subject_id, kind, _), group in same.items():
        done = [job["id"] for job in group if job["state"] == JobState.DONE]
        verdict.expect(len(done) <= 1, f"The {kind} of {subject_id} was done by {len(done)} jobs: {_ids(done)}.")
        slug = evidence.slug_of_file.get(subject_id) or evidence.slug_of_file.get(group[0]["file_id"])
        verdict.expect(
            len(group) == 1 or slug in again,
            f"The {kind} of {subject_id} has {len(group)} jobs for one input: {_ids(job['id'] for job in group)}.",
        )


def _judge_attempts(verdict: Verdict, job: Row, attempts: list[Row]) -> None:
    name = f"Job {job['id']} ({job['kind']}, {job['state']})"
    results = [attempt["fence"] for attempt in attempts if attempt["ending"] == AttemptEnd.DONE]
    if job["state"] == JobState.DONE:
        verdict.expect(job["attempt"] >= 1, f"{name} is done after {job['attempt']} attempts.")
        verdict.expect(job["result"] is not None, f"{name} has no result.")
        verdict.expect(
            results == [job["fence"]], f"{name} with fence {job['fence']} has results of attempts {results}."
        )
        text = json.dumps(job["result"])
        other = [
            attempt["fence"]
            for attempt in attempts
            if attempt["fence"] != job["fence"] and f'"{PREFIX}/{job["id"]}/{attempt["fence"]}/' in text
        ]
        verdict.expect(not other, f"{name}: the result with fence {job['fence']} names files of attempts {other}.")
    else:
        verdict.expect(not results, f"{name} has results of attempts {results}.")
    still_open = [attempt["fence"] for attempt in attempts if attempt["ended_at"] is None]
    expected = [job["fence"]] if job["state"] == JobState.RUNNING else []
    verdict.expect(still_open == expected, f"{name}: attempts {still_open} never ended.")


def _judge_events(verdict: Verdict, evidence: Evidence, jobs: list[Row]) -> None:
    """Each result was announced once, and nothing was announced that did not happen."""
    told: Counter[tuple[str, str]] = Counter()
    arrived: Counter[str] = Counter()
    for message in evidence.tables["outbox"]:
        if message["topic"] == EVENT:
            data = message["payload"]["data"]
            kind = DONE_BY_EVENT.get((data["queue"], data["action"]))
            if data.get("code") == QUOTA_EXCEEDED:
                # A prepared file for which there are no minutes gets this instead of `Upload/Transcribing`.
                kind = JobKind.UPLOAD
            if kind is not None:
                told[kind, data["slug"]] += 1
            elif (data["queue"], data["action"]) == (Topic.TUS, Action.COMPLETED):
                arrived[data["slug"]] += 1
    done: Counter[tuple[str, str]] = Counter()
    slug_of_export = {
        change.row_id: evidence.slug_of_file.get(uuid.UUID(change.new["file_id"]), "")
        for change in evidence.changes_of("exports")
        if change.new is not None
    }
    slugs = evidence.slug_of_file | slug_of_export
    gone = {change.row_id for table in ("files", "exports") for change in evidence.changes_of(table) if not change.new}
    removed_with = {slugs.get(row_id, "") for row_id in gone}
    for job in jobs:
        if job["state"] == JobState.DONE:
            done[job["kind"], slugs.get(job["subject_id"]) or slugs.get(job["file_id"], "")] += 1
    for change in evidence.changes_of("jobs"):
        # Jobs that ended go with a file that is deleted for good.
        if change.new is None and change.old is not None and change.old["state"] == JobState.DONE:
            subject_id, file_id = (uuid.UUID(change.old[name]) for name in ("subject_id", "file_id"))
            done[change.old["kind"], slugs.get(subject_id) or slugs.get(file_id, "")] += 1
    for key in done.keys() | told.keys():
        slug = key[1]
        # A job may end while its file or export is removed: then there is nothing to announce.
        fits = told[key] <= done[key] if slug in removed_with else told[key] == done[key]
        verdict.expect(fits, f"{' '.join(key)}: {told[key]} events for {done[key]} results.")
    for upload in evidence.tables["uploads"]:
        count = arrived[upload["slug"]]
        verdict.expect(count <= 1, f"{count} events say that upload {upload['slug']} has arrived.")


def _judge_exports(verdict: Verdict, evidence: Evidence) -> None:
    same = Counter(
        (row["file_id"], row["language"], row["mode"], row["revision"])
        for row in evidence.tables["exports"]
        if row["status"] not in ("canceled", "error")
    )
    for (file_id, language, mode, revision), count in same.items():
        verdict.expect(count == 1, f"File {file_id} has {count} exports of revision {revision} in {language}, {mode}.")


def _ids(ids: object) -> str:
    return ", ".join(map(str, ids))  # type: ignore[call-overload]
