"""1. Acknowledged bytes are stored: one row, one file, the same SHA-256, one end with a sentence."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from pathlib import Path

from api.content.arrivals.models import UploadStatus
from api.content.files.models import FileStatus
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Entry, Event

UPLOAD_ENDS = frozenset({UploadStatus.COMPLETED, UploadStatus.FAILED, UploadStatus.CANCELLED})
FILE_ENDS = frozenset({FileStatus.COMPLETED, FileStatus.FAILED, FileStatus.ABANDONED})


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(1, "promised uploads are whole, once, and end with a status and a sentence")
    records = {row["id"]: row for row in evidence.tables["tus_uploads"]}
    whole = {entry["tus_id"] for entry in evidence.entries_of(Event.UPLOAD_WHOLE)}
    given_up = {entry["tus_id"] for entry in evidence.entries_of(Event.UPLOAD_END_ASKED)}
    promised: dict[str, Entry] = {}
    for entry in evidence.entries_of(Event.OFFSET_PROMISED):
        if entry["offset"] >= promised.get(entry["tus_id"], entry)["offset"]:
            promised[entry["tus_id"]] = entry
    for entry in evidence.entries_of(Event.OFFSET_FELL):
        sentence = f"Upload {entry['tus_id']}: {entry['promised']} bytes were promised, later only {entry['offset']}."
        verdict.expect(False, sentence)
    for created in evidence.entries_of(Event.UPLOAD_CREATED):
        tus_id = created["tus_id"]
        record = records.get(tus_id)
        if record is None:
            is_gone = _slugs_made_of(evidence, tus_id) <= evidence.purged and tus_id in whole
            verdict.expect(is_gone, f"Upload {tus_id} of {created['name']} has no record.")
            continue
        if tus_id in whole and tus_id not in given_up:
            _judge_whole(verdict, evidence, created, record)
        elif tus_id in promised and record["completed_at"] is None and record["terminated_at"] is None:
            _judge_part(verdict, evidence, record, promised[tus_id])
    _judge_files(verdict, evidence)
    return verdict


def _judge_whole(verdict: Verdict, evidence: Evidence, created: Entry, record: Row) -> None:
    tus_id = record["id"]
    name = f"Upload {tus_id} of {created['name']}"
    verdict.expect(record["completed_at"] is not None, f"{name} was promised whole and is not complete.")
    rows = [row for row in evidence.tables["uploads"] if row["tus_id"] == tus_id]
    if not verdict.expect(len(rows) == 1, f"{name} has {len(rows)} rows in uploads, not one."):
        return
    (upload,) = rows
    status = upload["status"]
    verdict.expect(status in UPLOAD_ENDS, f"{name} (upload {upload['id']}) has not ended: it is {status}.")
    if status == UploadStatus.FAILED:
        verdict.expect(bool(upload["error"]), f"{name} (upload {upload['id']}) failed without a sentence.")
    key = record["storage_key"]
    made = _files_made_of(evidence, key)
    if not verdict.expect(
        len(made) == 1, f"{name}: {len(made)} files were made of it, not one: {sorted(map(str, made))}."
    ):
        return
    (file_id,) = made
    acts = evidence.slugs(Event.CANCEL_ASKED, Event.DELETE_ASKED)
    if status == UploadStatus.CANCELLED:
        slug = evidence.slug_of_file[file_id]
        verdict.expect(slug in acts, f"{name} is cancelled, and nobody cancelled its file {slug}.")
    file = next((row for row in evidence.tables["files"] if row["id"] == file_id), None)
    if file is None:
        return
    path = evidence.storage / str(key)
    if verdict.expect(path.is_file(), f"{name}: the object {key} of file {file_id} is gone."):
        found = _sha256(path, None)
        verdict.expect(found == created["sha256"], f"{name}: the object {key} holds other bytes than were sent.")


def _judge_part(verdict: Verdict, evidence: Evidence, record: Row, promised: Entry) -> None:
    name = f"Upload {record['id']}"
    verdict.expect(
        record["offset"] >= promised["offset"],
        f"{name}: {promised['offset']} bytes were promised, the record says {record['offset']}.",
    )
    path = evidence.incoming.get(record["id"])
    if promised["offset"] == 0:
        return
    size = path.stat().st_size if path is not None else 0
    if verdict.expect(size >= record["offset"], f"{name}: of {record['offset']} recorded bytes {size} are on disk."):
        assert path is not None
        same = _sha256(path, promised["offset"]) == promised["sha256"]
        verdict.expect(same, f"{name}: the first {promised['offset']} bytes on disk are not those that were sent.")


def _judge_files(verdict: Verdict, evidence: Evidence) -> None:
    for file in evidence.tables["files"]:
        name, status = f"File {file['slug']} ({file['id']})", file["status"]
        verdict.expect(status in FILE_ENDS, f"{name} has not ended: it is {status}.")
        if status in (FileStatus.FAILED, FileStatus.ABANDONED):
            verdict.expect(bool(file["error"]), f"{name} is {status} without a sentence.")
    for change in evidence.changes_of("files"):
        if change.new is None and change.old is not None:
            slug = change.old["slug"]
            verdict.expect(
                slug in evidence.purged, f"File {slug} ({change.row_id}) is gone, and nobody deleted it for good."
            )
    twice = Counter(row["tus_id"] for row in evidence.tables["uploads"] if row["tus_id"])
    for tus_id, count in twice.items():
        verdict.expect(count == 1, f"Upload {tus_id} has {count} rows.")


def _files_made_of(evidence: Evidence, key: str | None) -> set[uuid.UUID]:
    """Every file ever made from this object, deleted ones included."""
    return {
        change.row_id
        for change in evidence.changes_of("files")
        if change.old is None and change.new is not None and change.new["original_key"] == key
    }


def _slugs_made_of(evidence: Evidence, tus_id: str) -> set[str]:
    """The files ever made of an upload. The key of the object holds its id."""
    return {
        change.new["slug"]
        for change in evidence.changes_of("files")
        if change.new is not None and tus_id in change.new["original_key"]
    }


def _sha256(path: Path, count: int | None) -> str:
    with path.open("rb") as file:
        return hashlib.sha256(file.read() if count is None else file.read(count)).hexdigest()
