"""What the import child answers: as little as possible for plain lines, everything for those that say more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cluster.stored_sentences import sentence_as_json, sentence_of_json
from pipelines.captions.forms.form import Kept
from pipelines.captions.imports.subtitles import Imported
from pipelines.captions.json_form import line_from_json, line_to_json, place_from_json, place_to_json
from pipelines.captions.texts.stored_words import words_from_stored, words_to_store
from pipelines.messages.lines import CaptionLine


def imported_to_json(imported: Imported) -> dict[str, Any]:
    """Lines as `[start, end, text]`, with speaker and place where they have one, or whole where they have words."""
    return {
        "lines": [_value(line) for line in imported.lines],
        "notes": [sentence_as_json(note) for note in imported.notes],
        "speakers": imported.speakers,
        "form": imported.form,
        "keeps": sorted(imported.keeps),
    }


def imported_from_json(value: Mapping[str, Any]) -> Imported:
    """The import that `imported_to_json` wrote."""
    return Imported(
        tuple(_line(each, str(number)) for number, each in enumerate(value["lines"], 1)),
        tuple(map(sentence_of_json, value["notes"])),
        dict(value["speakers"]),
        value["form"],
        frozenset(Kept(each) for each in value["keeps"]),
    )


def _value(line: CaptionLine) -> Any:
    if line.words or line.doubts or line.locked or line.forced:
        return line_to_json(replace(line, words=())) | {"words": words_to_store(line), "has_words": bool(line.words)}
    if line.speaker is None and line.place is None:
        return [line.start_ms, line.end_ms, line.text]
    return [line.start_ms, line.end_ms, line.text, line.speaker, place_to_json(line.place)]


def _line(value: Any, number: str) -> CaptionLine:
    if isinstance(value, dict):
        line = line_from_json({**value, "words": (), "id": number})
        if not value["has_words"]:
            return line
        return replace(line, words=words_from_stored(value["words"], line.text, line.start_ms, line.end_ms))
    start, end, text, *more = value
    speaker, place = more or (None, None)
    return CaptionLine(number, start, end, text, speaker=speaker, place=place_from_json(place))
