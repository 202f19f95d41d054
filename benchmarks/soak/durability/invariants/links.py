"""Translations are whole and in step with their source: part of the invariant on captions."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict

from api.content.captions.models import TrackOrigin
from api.content.captions.speech.runs import subject_of
from api.platform.jobs.states import JobKind, JobState
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict
from pipelines.captions.edits.links import one_row


def judge(verdict: Verdict, evidence: Evidence) -> None:
    tracks = {row["id"]: row for row in evidence.tables["caption_tracks"]}
    lines = {row["id"]: row for row in evidence.tables["caption_lines"]}
    _judge_languages(verdict, tracks)
    links: dict[uuid.UUID, list[Row]] = defaultdict(list)
    for link in evidence.tables["caption_links"]:
        links[link["track_id"]].append(link)
        _judge_link(verdict, link, tracks, lines)
    for track_id, of_track in links.items():
        _judge_order(verdict, track_id, of_track, lines)
    _judge_runs(verdict, evidence, tracks)


def _judge_languages(verdict: Verdict, tracks: dict[uuid.UUID, Row]) -> None:
    """Each file has one track for each language, and a translation was made from a track of the same file."""
    for (file_id, language), count in Counter((row["file_id"], row["language"]) for row in tracks.values()).items():
        verdict.expect(count == 1, f"File {file_id} has {count} tracks in {language}.")
    for track in tracks.values():
        source = tracks.get(track["source_track_id"])
        if track["origin"] == TrackOrigin.TRANSLATION and source is not None:
            same = source["file_id"] == track["file_id"]
            verdict.expect(same, f"Translation {track['id']} was made from captions of another file.")


def _judge_link(verdict: Verdict, link: Row, tracks: dict[uuid.UUID, Row], lines: dict[uuid.UUID, Row]) -> None:
    """A link names a line of its translation and a line of that translation's source, and marks it truly."""
    name = f"Line {link['target_id']} of translation {link['track_id']}"
    track, line, source = tracks.get(link["track_id"]), lines.get(link["target_id"]), lines.get(link["source_id"])
    is_own = line is not None and line["track_id"] == link["track_id"]
    verdict.expect(is_own, f"{name} is linked and is not there.")
    if not verdict.expect(source is not None, f"{name} is linked to {link['source_id']}, which is missing."):
        return
    assert source is not None
    is_source = track is not None and source["track_id"] == track["source_track_id"]
    verdict.expect(is_source, f"{name} is linked to {link['source_id']}, a line of other captions.")
    changed = one_row(link["text"]) != one_row(source["text"])
    verdict.expect(link["is_stale"] == changed, f"{name} is marked {link['is_stale']} and should be {changed}.")


def _judge_order(verdict: Verdict, track_id: uuid.UUID, links: list[Row], lines: dict[uuid.UUID, Row]) -> None:
    """Later lines of a translation are linked to no earlier source lines than the lines before them."""
    known = [link for link in links if link["target_id"] in lines and link["source_id"] in lines]
    known.sort(key=lambda link: (lines[link["target_id"]]["start_ms"], link["position"]))
    starts = [lines[link["source_id"]]["start_ms"] for link in known]
    verdict.expect(starts == sorted(starts), f"The links of translation {track_id} are not in order.")


def _judge_runs(verdict: Verdict, evidence: Evidence, tracks: dict[uuid.UUID, Row]) -> None:
    """A translation exists as a whole once its job is done, and not before. One job at a time works on it."""
    jobs = [job for job in evidence.tables["jobs"] if job["kind"] == JobKind.TRANSLATE]
    ready = {job["subject_id"] for job in jobs if job["state"] == JobState.DONE}
    for track in tracks.values():
        if track["origin"] == TrackOrigin.TRANSLATION:
            subject = subject_of(track["file_id"], track["language"])
            verdict.expect(subject in ready, f"Translation {track['id']} is there, and no job that makes it is done.")
    working = Counter(
        job["subject_id"]
        for job in jobs
        if job["state"] in (JobState.READY, JobState.RUNNING) and not job["cancel_requested"]
    )
    for subject_id, count in working.items():
        verdict.expect(count == 1, f"{count} jobs work on translation {subject_id}.")
