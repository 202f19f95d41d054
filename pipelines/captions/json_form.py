"""Convert captions to JSON values and back, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.messages.lines import (
    NO_STYLES,
    CaptionLine,
    CaptionWord,
    LineLink,
    LinePlace,
    Origin,
    SourceText,
    WordStyle,
    Writer,
)


def word_to_json(word: CaptionWord) -> dict[str, Any]:
    values: dict[str, Any] = {
        "start_ms": word.start_ms,
        "end_ms": word.end_ms,
        "text": word.text,
        "confidence": word.confidence,
        "origin": word.origin.value,
    }
    # Almost every word is upright and spoken by its line's speaker. A three-hour file has 30,000 words.
    if word.speaker is not None:
        values["speaker"] = word.speaker
    if word.styles:
        values["styles"] = styles_to_json(word.styles)
    return values


def word_from_json(value: Mapping[str, Any]) -> CaptionWord:
    return CaptionWord(
        value["start_ms"],
        value["end_ms"],
        value["text"],
        Origin(value["origin"]),
        value["confidence"],
        value.get("speaker"),
        styles_from_json(value["styles"]) if value.get("styles") else NO_STYLES,
    )


def styles_to_json(styles: frozenset[WordStyle]) -> list[str]:
    """The names in one order, so that equal words have equal JSON."""
    return [style.value for style in WordStyle if style in styles]


def styles_from_json(values: Sequence[str]) -> frozenset[WordStyle]:
    return frozenset(WordStyle(value) for value in values)


def place_to_json(place: LinePlace | None) -> dict[str, Any] | None:
    return None if place is None else {"align": place.align, "x": place.x, "y": place.y}


def place_from_json(value: Mapping[str, Any] | None) -> LinePlace | None:
    return None if value is None else LinePlace(value["align"], value["x"], value["y"])


def line_to_json(line: CaptionLine) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": line.id,
        "start_ms": line.start_ms,
        "end_ms": line.end_ms,
        "text": line.text,
        "words": [word_to_json(word) for word in line.words],
        "doubts": list(line.doubts),
        "speaker": line.speaker,
        "place": place_to_json(line.place),
    }
    if line.locked:
        values["locked"] = True
    if line.forced:
        values["forced"] = True
    return values


def line_from_json(value: Mapping[str, Any]) -> CaptionLine:
    return CaptionLine(
        value["id"],
        value["start_ms"],
        value["end_ms"],
        value["text"],
        tuple(word_from_json(word) for word in value["words"]),
        tuple(value["doubts"]),
        value.get("speaker"),
        place=place_from_json(value.get("place")),
        locked=bool(value.get("locked", False)),
        forced=bool(value.get("forced", False)),
    )


def link_to_json(link: LineLink) -> dict[str, Any]:
    return {
        "sources": [{"id": source.id, "text": source.text} for source in link.sources],
        "by": link.by.value,
        "flags": list(link.flags),
        "log_probability": link.log_probability,
    }


def link_from_json(value: Mapping[str, Any]) -> LineLink:
    return LineLink(
        tuple(SourceText(source["id"], source["text"]) for source in value["sources"]),
        Writer(value["by"]),
        tuple(value["flags"]),
        value["log_probability"],
    )
