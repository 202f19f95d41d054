"""The lines before and after a change, as a revision stores them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.captions.edit import EditResult
from pipelines.captions.json_form import line_from_json, line_to_json, link_from_json, link_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.stored_words import words_from_stored, words_to_store


def lines_of_revision(result: EditResult) -> tuple[dict[str, Any], int]:
    """The lines as a revision stores them, and their approximate size in bytes of JSON (measured: within 10 %)."""
    before, after = _values(result.before), _values(result.after)
    size = sum(
        150 + 2 * len(value["text"]) + sum(map(_word_size, value["words"])) + _link_size(value)
        for value in (*before, *after)
    )
    return {"before": before, "after": after}, size


def result_of_text(before: str, after: str) -> EditResult:
    """The change whose lines a revision stores, from their JSON."""
    return EditResult(_lines(before), _lines(after))


def _values(lines: Sequence[CaptionLine]) -> list[dict[str, Any]]:
    return [_value(line) for line in lines]


def _value(line: CaptionLine) -> dict[str, Any]:
    value = {**line_to_json(replace(line, words=())), "words": words_to_store(line)}
    return value if line.link is None else {**value, "link": link_to_json(line.link)}


def _word_size(value: Mapping[str, Any]) -> int:
    return 95 + (25 if "styles" in value else 0)


def _link_size(value: Mapping[str, Any]) -> int:
    return sum(70 + len(source["text"]) for source in value["link"]["sources"]) + 80 if "link" in value else 0


def _lines(text: str) -> tuple[CaptionLine, ...]:
    return tuple(
        replace(
            line_from_json({**value, "words": ()}),
            words=words_from_stored(value["words"], value["text"], value["start_ms"], value["end_ms"]),
            link=link_from_json(value["link"]) if "link" in value else None,
        )
        for value in json.loads(text)
    )
