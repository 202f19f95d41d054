"""The changes of many lines: functions of all lines of a track that another process calls by name.

Each returns the change, and in how many places it changes something where that is counted.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from api.content.captions.large.walk import PastLines
from api.content.captions.stored.revision_lines import result_of_text
from pipelines.captions.edits.bulk import BulkChange, change_lines
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.edits.replacement import replacement
from pipelines.captions.edits.rerun import Choice, Span, chosen_change, proposals_of
from pipelines.captions.edits.restoring import restored
from pipelines.captions.edits.search import Replacement, SearchTerms, replace_text
from pipelines.captions.edits.speaker_lines import merge_speakers, reassign
from pipelines.captions.imports.imported_json import imported_from_json
from pipelines.captions.quality.recut import recut
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.lines import CaptionLine

Lines = Sequence[CaptionLine]
Made = tuple[EditResult, int]


def import_file(lines: Lines, imported: bytes, labels: Mapping[str, str], *, has_speakers: bool) -> Made:
    """`imported` is the answer of the process that read the file."""
    file = imported_from_json(json.loads(imported))
    return replacement(lines, file, labels, has_speakers=has_speakers), 0


def step(_lines: Lines, before: str, after: str, *, is_undo: bool) -> Made:
    """Take back or repeat the change whose lines a revision stores as these texts."""
    made = result_of_text(before, after)
    return made.undone() if is_undo else made, 0


def change_many(lines: Lines, change: BulkChange) -> Made:
    return change_lines(lines, change), 0


def restore(lines: Lines, past: PastLines, only: Collection[str] | None) -> Made:
    return restored(lines, past.lines(lines), only), 0


def replace_in_all(lines: Lines, terms: SearchTerms, text: str) -> Made:
    return replace_text(lines, Replacement(terms, text))


def cut_again(lines: Lines, rules: CaptionRules, language: str) -> Made:
    return recut(lines, rules, language, lambda: str(uuid.uuid4())), 0


def merge(lines: Lines, source: str, target: str) -> Made:
    return merge_speakers(lines, source, target), 0


def assign(lines: Lines, ids: Collection[str], speaker: str | None) -> Made:
    return reassign(lines, ids, speaker), 0


def take_proposals(lines: Lines, words: Sequence[Any], spans: Sequence[Span], choices: Mapping[str, Choice]) -> Made:
    """What was chosen of what transcribing again found. `words` are JSON values."""
    return chosen_change(proposals_of(lines, words, spans), choices), 0
