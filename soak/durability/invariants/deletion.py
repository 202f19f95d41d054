"""9. What a person deleted is gone: no row, no captions in the search, no object, no export."""

from __future__ import annotations

import uuid

from api.jobs.states import JobState
from soak.durability.evidence import Evidence
from soak.durability.invariants.keys import ever_named, named_now
from soak.durability.invariants.verdict import Verdict
from soak.durability.journal import Event


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(9, "deleted files and exports left no row, no text and no object")
    verdict.missing = "deleting accounts and translations"
    file_ids = {slug: file_id for file_id, slug in evidence.slug_of_file.items()}
    for slug in evidence.slugs(Event.DELETED):
        file_id = file_ids.get(slug)
        if file_id is not None:
            _judge_file(verdict, evidence, slug, file_id)
    exports = {str(row["id"]) for row in evidence.tables["exports"]}
    for entry in evidence.entries_of(Event.EXPORT_REMOVED):
        verdict.expect(
            entry["export_id"] not in exports, f"Export {entry['export_id']} was removed and is still there."
        )
    named = named_now(evidence)
    running = {str(job["id"]) for job in evidence.tables["jobs"] if job["state"] == JobState.RUNNING}
    for key in sorted(ever_named(evidence) - named):
        if not any(part in running for part in key.split("/")):
            verdict.expect(key not in evidence.objects, f"The object {key} is still there, and what named it is gone.")
    return verdict


def _judge_file(verdict: Verdict, evidence: Evidence, slug: str, file_id: uuid.UUID) -> None:
    name = f"File {slug} ({file_id}) was deleted and"
    verdict.expect(all(row["id"] != file_id for row in evidence.tables["files"]), f"{name} is still there.")
    for table in ("caption_tracks", "exports", "ai_texts"):
        left = [str(row["id"]) for row in evidence.tables[table] if row["file_id"] == file_id]
        verdict.expect(not left, f"{name} has {table} left: {', '.join(left)}.")
    tracks = {row["id"] for row in evidence.tables["caption_tracks"]}
    for table in ("caption_lines", "caption_revisions"):
        loose = [row for row in evidence.tables[table] if row["track_id"] not in tracks]
        verdict.expect(not loose, f"{len(loose)} rows of {table} belong to captions that are gone.")
    jobs = [
        str(job["id"])
        for job in evidence.tables["jobs"]
        if job["subject_id"] == file_id and job["state"] in (JobState.READY, JobState.RUNNING)
    ]
    verdict.expect(not jobs, f"{name} is still worked on by {', '.join(jobs)}.")
