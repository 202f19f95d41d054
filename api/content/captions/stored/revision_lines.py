"""The lines before and after a change, as a revision stores them: JSON, packed where there are many.

20,000 lines before and after are 28 MB of JSON and 3 MB packed. Nobody's change waits while that is written.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.json_form import line_from_json, line_to_json, link_from_json, link_to_json
from pipelines.captions.texts.stored_words import words_from_stored, words_to_store
from pipelines.messages.lines import CaptionLine

_PACKED_FROM = 200
"""Lines. Fewer are read and written faster as they are."""
_LEVEL = 3
"""Level 6 takes twice as long and saves 8 % more on 5,000 lines."""
_BASE64 = ":"
"""No digit of base 85."""


def lines_of_revision(result: EditResult) -> tuple[dict[str, Any], int]:
    """The lines as a revision stores them, and their approximate size in bytes of JSON (measured: within 10 %)."""
    if len(result.before) + len(result.after) >= _PACKED_FROM:
        packed = {"before": pack_lines(result.before), "after": pack_lines(result.after)}
        return packed, sum(map(len, packed.values()))
    before, after = _values(result.before), _values(result.after)
    size = sum(
        150 + 2 * len(value["text"]) + sum(map(_word_size, value["words"])) + _link_size(value)
        for value in (*before, *after)
    )
    return {"before": before, "after": after}, size


def result_of_text(before: str, after: str) -> EditResult:
    """The change whose lines a revision stores, from their JSON."""
    return EditResult(_lines(values_of_text(before)), _lines(values_of_text(after)))


def result_of_lines(lines: Mapping[str, Any]) -> EditResult:
    """The change of which `lines_of_revision` made this."""
    before, after = (_lines(_unpacked(each) if isinstance(each, str) else each) for each in lines.values())
    return EditResult(before, after)


def has_many_lines(before: str) -> bool:
    """Whether the change with this JSON was packed."""
    return before.startswith('"')


def values_of_text(text: str) -> list[dict[str, Any]]:
    """The lines that a revision stores on one side of a change, as JSON values."""
    stored = json.loads(text)
    return _unpacked(stored) if isinstance(stored, str) else stored


def pack_lines(lines: Sequence[CaptionLine]) -> str:
    """Compressed JSON, a tenth of its size, as text for any database."""
    values = json.dumps(_values(lines), ensure_ascii=False, separators=(",", ":")).encode()
    return _BASE64 + base64.b64encode(zlib.compress(values, _LEVEL)).decode()


def unpack_lines(text: str) -> list[CaptionLine]:
    return list(_lines(_unpacked(text)))


def _unpacked(text: str) -> list[dict[str, Any]]:
    # Older snapshots are in base 85, which Python takes a second to write for 20,000 lines.
    packed = base64.b64decode(text[1:]) if text.startswith(_BASE64) else base64.b85decode(text)
    values: list[dict[str, Any]] = json.loads(zlib.decompress(packed))
    return values


def _values(lines: Sequence[CaptionLine]) -> list[dict[str, Any]]:
    return [_value(line) for line in lines]


def _value(line: CaptionLine) -> dict[str, Any]:
    value = {**line_to_json(replace(line, words=())), "words": words_to_store(line)}
    return value if line.link is None else {**value, "link": link_to_json(line.link)}


def _word_size(value: Mapping[str, Any]) -> int:
    return 95 + (25 if "styles" in value else 0)


def _link_size(value: Mapping[str, Any]) -> int:
    return sum(70 + len(source["text"]) for source in value["link"]["sources"]) + 80 if "link" in value else 0


def _lines(values: Sequence[dict[str, Any]]) -> tuple[CaptionLine, ...]:
    return tuple(
        replace(
            line_from_json({**value, "words": ()}),
            words=words_from_stored(value["words"], value["text"], value["start_ms"], value["end_ms"]),
            link=link_from_json(value["link"]) if "link" in value else None,
        )
        for value in values
    )
