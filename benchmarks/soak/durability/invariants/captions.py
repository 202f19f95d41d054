"""2. Each acknowledged edit is a revision, and the lines are what the revisions add up to."""

from __future__ import annotations

import uuid
from collections import defaultdict

from api.content.captions.actions import CaptionAction
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants import links, speakers
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Entry, Event


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(2, "saved caption edits are there, or overwritten by a later one")
    revisions: dict[uuid.UUID, dict[int, Row]] = defaultdict(dict)
    for row in evidence.tables["caption_revisions"]:
        revisions[row["track_id"]][row["number"]] = row
    there = {row["id"]: row for row in evidence.tables["caption_tracks"]}
    for entry in evidence.entries_of(Event.EDIT_SAVED):
        _judge_saved(verdict, entry, there, revisions, is_gone=entry["slug"] in evidence.purged)
    requested = {str(entry["content"]) for entry in evidence.entries_of(Event.EDIT_ASKED) if "content" in entry}
    for track_id, track in there.items():
        _judge_numbers(verdict, track, revisions[track_id])
        _judge_asked(verdict, track_id, revisions[track_id], requested)
    _judge_lines(verdict, evidence, revisions)
    links.judge(verdict, evidence)
    speakers.judge(verdict, evidence)
    return verdict


def _judge_saved(
    verdict: Verdict,
    entry: Entry,
    there: dict[uuid.UUID, Row],
    revisions: dict[uuid.UUID, dict[int, Row]],
    *,
    is_gone: bool,
) -> None:
    track_id, number = uuid.UUID(entry["transcription_id"]), entry["revision"]
    name = f"Edit {number} of the captions of {entry['slug']} ({track_id})"
    if track_id not in there:
        verdict.expect(is_gone, f"{name} was saved; the captions are gone, and nobody deleted the file for good.")
        return
    row = revisions[track_id].get(number)
    if not verdict.expect(row is not None, f"{name} was answered Success and is no revision.") or row is None:
        return
    verdict.expect(row["action"] == entry["action"], f"{name} was {entry['action']} and is kept as {row['action']}.")
    if entry["action"] == CaptionAction.EDIT:
        texts = [line["text"] for line in row["after"] if line["id"] == entry["line"]]
        verdict.expect(
            texts == [entry["content"]],
            f"{name}: line {entry['line']} got {entry['content']!r} and is kept as {texts}.",
        )


def _judge_numbers(verdict: Verdict, track: Row, revisions: dict[int, Row]) -> None:
    expected = list(range(1, track["revision"] + 1))
    verdict.expect(
        sorted(revisions) == expected,
        f"Captions {track['id']} are at revision {track['revision']}, kept are {sorted(revisions)}.",
    )


def _judge_asked(verdict: Verdict, track_id: uuid.UUID, revisions: dict[int, Row], requested: set[str]) -> None:
    """The history holds no change that nobody requested."""
    for number, row in revisions.items():
        if row["action"] != CaptionAction.EDIT:
            continue
        known = all(line["text"] in requested for line in row["after"])
        verdict.expect(known, f"Revision {number} of captions {track_id} has a text that nobody typed.")


def _judge_lines(verdict: Verdict, evidence: Evidence, revisions: dict[uuid.UUID, dict[int, Row]]) -> None:
    """Each line is as the last revision that touched it left it."""
    lines = {row["id"]: row for row in evidence.tables["caption_lines"]}
    for track_id, rows in revisions.items():
        last: dict[str, tuple[int, str | None]] = {}
        for number in sorted(rows):
            before, after = _sides(rows, number)
            for line in before:
                last[line["id"]] = (number, None)
            for line in after:
                last[line["id"]] = (number, line["text"])
        for line_id, (number, text) in last.items():
            row_now = lines.get(uuid.UUID(line_id))
            found = row_now["text"] if row_now is not None else None
            verdict.expect(
                found == text,
                f"Line {line_id} of captions {track_id} is {found!r}; revision {number} left {text!r}.",
            )


def _sides(rows: dict[int, Row], number: int) -> tuple[list[Row], list[Row]]:
    """The lines before and after a revision. Undo and Redo name the change that they revert or repeat."""
    row = rows[number]
    if row["step_of"] is None or row["before"] or row["after"]:
        # An undo on a translation that has moved with its source since holds its own lines.
        return row["before"], row["after"]
    made = rows[row["step_of"]]
    sides = (made["before"], made["after"])
    return sides[::-1] if row["action"] == CaptionAction.UNDO else sides
