"""9. What is in the bin is out of sight and whole; what a person deleted for good is gone: rows, text and objects."""

from __future__ import annotations

import uuid

from api.platform.jobs.states import JobState
from api.platform.realtime.messages import EVENT, Action, Topic
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.keys import ever_named, named_now
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event

NOT_FOUND = 404
DELETED = f"{Topic.FILE}/{Action.DELETED}"
RESTORED = f"{Topic.FILE}/{Action.RESTORED}"


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(9, "the bin hides and keeps files; nothing is left of what was deleted for good")
    verdict.missing = "deleting accounts and translations"
    files = {file["slug"]: file for file in evidence.tables["files"]}
    last = {
        entry["slug"]: Event(entry["event"])
        for entry in evidence.entries_of(Event.DELETED, Event.RESTORED, Event.PURGED)
    }
    file_ids = {slug: file_id for file_id, slug in evidence.slug_of_file.items()}
    for slug, act in last.items():
        if slug not in file_ids:
            continue
        if act is Event.PURGED:
            _judge_gone(verdict, evidence, slug, file_ids[slug])
        else:
            _judge_kept(verdict, slug, files.get(slug), is_binned=act is Event.DELETED)
    _judge_sight(verdict, evidence, files)
    _judge_silence(verdict, evidence)
    _judge_loose(verdict, evidence)
    return verdict


def _judge_kept(verdict: Verdict, slug: str, file: Row | None, *, is_binned: bool) -> None:
    """Its bytes are judged with those of all files, its edits with all edits."""
    if verdict.expect(file is not None, f"File {slug} was in the bin and has no row any more.") and file is not None:
        found = "in the bin" if file["deleted_at"] is not None else "outside the bin"
        wanted = "in the bin" if is_binned else "outside the bin"
        verdict.expect(found == wanted, f"File {slug} is {found} and should be {wanted}.")


def _judge_gone(verdict: Verdict, evidence: Evidence, slug: str, file_id: uuid.UUID) -> None:
    name = f"File {slug} ({file_id}) was deleted for good and"
    verdict.expect(all(row["id"] != file_id for row in evidence.tables["files"]), f"{name} is still there.")
    for table in ("caption_tracks", "exports", "ai_texts", "speakers", "file_tags"):
        left = [row for row in evidence.tables[table] if row["file_id"] == file_id]
        verdict.expect(not left, f"{name} has {len(left)} rows of {table} left.")
    # A job that was cancelled last ends after its file is gone.
    jobs = [
        str(job["id"])
        for job in evidence.tables["jobs"]
        if job["file_id"] == file_id and job["state"] in (JobState.READY, JobState.RUNNING)
    ]
    verdict.expect(not jobs, f"{name} is still worked on by {', '.join(jobs)}.")


def _judge_sight(verdict: Verdict, evidence: Evidence, files: dict[str, Row]) -> None:
    """Nobody can list, open, download or find a deleted file; the bin shows just what is in it."""
    shown = {slug for slug, file in files.items() if file["deleted_at"] is None}
    for entry in evidence.entries_of(Event.OPENED):
        if entry["slug"] not in shown:
            status = entry["status"]
            verdict.expect(status == NOT_FOUND, f"{entry['path']} of a deleted file was answered {status}.")
    texts = {line["text"]: line["track_id"] for line in evidence.tables["caption_lines"]}
    for entry in evidence.entries_of(Event.SEARCHED):
        is_found = entry["slug"] in (entry["found"] or ())
        if entry["slug"] not in shown:
            verdict.expect(not is_found, f"A search finds {entry['text']!r} in the deleted file {entry['slug']}.")
        elif entry["text"] in texts:
            verdict.expect(is_found, f"A search does not find {entry['text']!r} in file {entry['slug']}.")
    for entry in evidence.entries_of(Event.BIN_SHOWS):
        binned = {
            slug
            for slug, file in files.items()
            if str(file["user_id"]) == entry["user_id"] and file["deleted_at"] is not None
        }
        verdict.expect(
            set(entry["slugs"]) == binned,
            f"The bin of user {entry['user_id']} shows {sorted(entry['slugs'])}; in it are {sorted(binned)}.",
        )


def _judge_silence(verdict: Verdict, evidence: Evidence) -> None:
    """Pages hear no more of a deleted file than that its work was stopped, until it is restored."""
    binned: set[str] = set()
    for message in sorted(evidence.tables["outbox"], key=lambda row: int(row["id"])):
        if message["topic"] != EVENT:
            continue
        data = message["payload"]["data"]
        slug, what = data["slug"], f"{data['queue']}/{data['action']}"
        if what == DELETED:
            binned.add(slug)
        elif what == RESTORED:
            binned.discard(slug)
        elif slug in binned:
            verdict.expect(data["action"] == Action.ABANDONED, f"Pages got {what} of the deleted file {slug}.")


def _judge_loose(verdict: Verdict, evidence: Evidence) -> None:
    """No text without its captions, no removed export, no object whose row is gone."""
    tracks = {row["id"] for row in evidence.tables["caption_tracks"]}
    for table in ("caption_lines", "caption_revisions"):
        loose = [row for row in evidence.tables[table] if row["track_id"] not in tracks]
        verdict.expect(not loose, f"{len(loose)} rows of {table} belong to captions that are gone.")
    exports = {str(row["id"]) for row in evidence.tables["exports"]}
    for entry in evidence.entries_of(Event.EXPORT_REMOVED):
        verdict.expect(
            entry["export_id"] not in exports, f"Export {entry['export_id']} was removed and is still there."
        )
    running = {str(job["id"]) for job in evidence.tables["jobs"] if job["state"] == JobState.RUNNING}
    for key in sorted(ever_named(evidence) - named_now(evidence)):
        if not any(part in running for part in key.split("/")):
            verdict.expect(key not in evidence.objects, f"The object {key} is still there, and what named it is gone.")
