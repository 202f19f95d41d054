"""8. A client gets what it missed with the next state: pages show what the database holds."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from api.content.arrivals.models import UploadStatus
from api.content.files.transitions import UNFINISHED
from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(8, "missed events are repaired: open pages show what the database holds")
    true = _state(evidence)
    for entry in evidence.entries_of(Event.PAGE_SHOWS):
        user_id, shown = entry["user_id"], entry["files"]
        expected = true.get(user_id, {})
        page = "The answer to" if entry.get("fresh") else "The open page of"
        for slug in shown.keys() | expected.keys():
            verdict.expect(
                shown.get(slug) == expected.get(slug),
                f"{page} user {user_id} shows {shown.get(slug)} of file {slug}; the database has {expected.get(slug)}.",
            )
    for entry in evidence.entries_of(Event.INITIATED):
        unfinished = _unfinished(evidence, entry["user_id"])
        verdict.expect(
            (entry["sent"] == 0) == (unfinished == 0),
            f"User {entry['user_id']} has {unfinished} unfinished things and was told of {entry['sent']}.",
        )
    for message in evidence.tables["outbox"]:
        # The end of a look into an account is planned when it begins.
        is_later = message["not_before"] is not None and message["not_before"] > evidence.now
        is_sent = message["published_at"] is not None
        verdict.expect(is_sent or is_later, f"Outbox row {message['id']} ({message['topic']}) was never sent.")
    return verdict


def _state(evidence: Evidence) -> dict[str, dict[str, Any]]:
    exports: dict[Any, dict[str, str]] = defaultdict(dict)
    for export in evidence.tables["exports"]:
        exports[export["file_id"]][str(export["id"])] = export["status"]
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for file in evidence.tables["files"]:
        if file["deleted_at"] is not None:
            continue
        found[str(file["user_id"])][file["slug"]] = {
            "status": file["status"],
            "plays": file["playback_key"] is not None or file["plays_in_browser"],
            "exports": exports[file["id"]],
        }
    return found


def _unfinished(evidence: Evidence, user_id: str) -> int:
    """Files outside the bin, uploads and exports that still go on."""
    own = {
        file["id"]: file["status"]
        for file in evidence.tables["files"]
        if str(file["user_id"]) == user_id and file["deleted_at"] is None
    }
    waiting = [
        upload
        for upload in evidence.tables["uploads"]
        if str(upload["user_id"]) == user_id and upload["status"] == UploadStatus.WAITING
    ]
    exports = [
        export
        for export in evidence.tables["exports"]
        if export["file_id"] in own and export["status"] in ("submitted", "progressing")
    ]
    return len([status for status in own.values() if status in UNFINISHED]) + len(waiting) + len(exports)
