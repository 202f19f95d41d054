"""Speakers are whole: part of the invariant on captions, and of the one on what is left over."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator

from api.content.captions.actions import SPEAKERS
from api.content.captions.models import TrackOrigin
from api.platform.jobs.states import JobKind, JobState
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict

WORKING = (JobState.READY, JobState.RUNNING)


def judge(verdict: Verdict, evidence: Evidence) -> None:
    tracks = {row["id"]: row for row in evidence.tables["caption_tracks"]}
    known: dict[uuid.UUID, list[str]] = defaultdict(list)
    for speaker in evidence.tables["speakers"]:
        known[speaker["file_id"]].append(speaker["label"])
    for file_id, labels in known.items():
        verdict.expect(len(labels) == len(set(labels)), f"File {file_id} has a speaker twice: {sorted(labels)}.")
    _judge_lines(verdict, evidence, tracks, known)
    _judge_changes(verdict, evidence, tracks, known)
    _judge_detections(verdict, evidence, tracks)


def judge_parts(verdict: Verdict, evidence: Evidence) -> None:
    """Parts of a detection describe voices, which are biometric data: none outlives its job's work."""
    ended = {
        job["id"] for job in evidence.tables["jobs"] if job["kind"] == JobKind.SPEAKERS and job["state"] not in WORKING
    }
    kept = [row["job_id"] for row in evidence.tables["job_chunks"]]
    for job_id in ended:
        count = kept.count(job_id)
        verdict.expect(count == 0, f"Speakers job {job_id} has ended and left {count} descriptions of voices.")


def _judge_lines(
    verdict: Verdict, evidence: Evidence, tracks: dict[uuid.UUID, Row], known: dict[uuid.UUID, list[str]]
) -> None:
    """Whoever speaks a line or a word of the transcription is a speaker of the file."""
    for line in evidence.tables["caption_lines"]:
        track = tracks.get(line["track_id"])
        if track is None or track["origin"] == TrackOrigin.TRANSLATION:
            continue
        unknown = set(_labels_of(line)) - set(known[track["file_id"]])
        verdict.expect(not unknown, f"Line {line['id']} is spoken by {sorted(unknown)}, whom its file does not know.")


def _judge_changes(
    verdict: Verdict, evidence: Evidence, tracks: dict[uuid.UUID, Row], known: dict[uuid.UUID, list[str]]
) -> None:
    """A change of speakers names everybody whom it puts on a line, and nobody else brings speakers into a file."""
    changed = set()
    for revision in evidence.tables["caption_revisions"]:
        if revision["action"] != SPEAKERS:
            continue
        if (track := tracks.get(revision["track_id"])) is not None:
            changed.add(track["file_id"])
        named = {speaker["label"] for speaker in revision["speakers_after"] or ()}
        given = {label for line in revision["after"] for label in _labels_of(line)}
        verdict.expect(
            given <= named,
            f"Revision {revision['number']} of captions {revision['track_id']} gives lines to "
            f"{sorted(given - named)} and does not name them.",
        )
    files = {track["file_id"] for track in tracks.values()}
    for file_id in known.keys() & files:
        is_explained = not known[file_id] or file_id in changed
        verdict.expect(is_explained, f"File {file_id} has speakers, and no change of its captions put them there.")


def _judge_detections(verdict: Verdict, evidence: Evidence, tracks: dict[uuid.UUID, Row]) -> None:
    """Each detection that found somebody is one change of the captions, which can be undone."""
    changes: dict[uuid.UUID, int] = defaultdict(int)
    for revision in evidence.tables["caption_revisions"]:
        if revision["action"] == SPEAKERS and revision["track_id"] in tracks:
            changes[tracks[revision["track_id"]]["file_id"]] += 1
    done: dict[uuid.UUID, int] = defaultdict(int)
    for job in evidence.tables["jobs"]:
        if job["kind"] == JobKind.SPEAKERS and job["state"] == JobState.DONE and job["result"]["speakers"]:
            done[job["subject_id"]] += 1
    transcribed = {track["file_id"] for track in tracks.values() if track["origin"] != TrackOrigin.TRANSLATION}
    for file_id in done.keys() & transcribed:
        verdict.expect(
            changes[file_id] >= done[file_id],
            f"Speakers of file {file_id} were detected {done[file_id]} times and changed {changes[file_id]} times.",
        )


def _labels_of(line: Row) -> Iterator[str]:
    words: Collection[Row] = line.get("words") or ()
    yield from (label for label in (line.get("speaker"), *(word.get("speaker") for word in words)) if label)
