"""Our own form: everything that a track holds, and back without loss."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from cluster.wording.message import Message
from pipelines.captions.forms.form import Document, Source
from pipelines.captions.json_form import line_to_json
from pipelines.captions.limits import LINES_MAX, TIME_MS_MAX
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.overlaps import untangle
from pipelines.captions.texts.text import clean_text, without_space
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, Origin, WordStyle

BEGINS = re.compile(r'\s*\{\s*"')
"""How a file of this form begins."""

_DOUBTS_MAX, _DOUBT_CHARS_MAX = 10, 40

FOREIGN = Message(
    "pipelines.captions.foreign",
    "This JSON file is not one of ours. It needs a list “lines” whose entries have start_ms, end_ms and text. "
    "Import a subtitle file, or JSON that was downloaded here.",
)


def write_json(document: Document) -> bytes:
    """The language, what the speakers are called, and the lines with their words, one line of captions in each row."""
    head = json.dumps({"language": document.language, "speakers": dict(document.names)}, ensure_ascii=False)
    rows = ",\n".join(
        json.dumps(line_to_json(line), ensure_ascii=False, separators=(",", ":")) for line in document.lines
    )
    return f'{head[:-1]}, "lines": [{f"{chr(10)}{rows}{chr(10)}" if rows else ""}]}}\n'.encode()


def read_json(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The lines of a file that `write_json` made, with words, styles, place, forced ones, locks, doubts and speakers.

    A line whose words are damaged keeps its text. Raises `UnreadableSubtitles` for other JSON.
    """
    try:
        whole = json.loads(source.text)
        values = whole["lines"]
        names = whole.get("speakers") or {}
    except json.JSONDecodeError as damaged:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.json.damaged",
                "This JSON file is damaged or cut off at row {row:,}. Download it again and import that file.",
                row=damaged.lineno,
            )
        ) from None
    except (ValueError, TypeError, KeyError, RecursionError, AttributeError):
        raise UnreadableSubtitles(FOREIGN) from None
    if not isinstance(values, list) or not isinstance(names, dict):
        raise UnreadableSubtitles(FOREIGN)
    if len(values) > LINES_MAX:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.json.too_many",
                "This file holds {count:,} captions; {limit:,} are the most.",
                count=len(values),
                limit=LINES_MAX,
            )
        )
    lines = [line for value in values if (line := _line(value, names, report)) is not None]
    return untangle(lines, report)


def _line(value: Any, names: Mapping[str, Any], report: ImportReport) -> CaptionLine | None:
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        raise UnreadableSubtitles(FOREIGN)
    start, end = _time(value.get("start_ms")), _time(value.get("end_ms"))
    if start is None or end is None:
        raise UnreadableSubtitles(FOREIGN)
    text = clean_text(value["text"])
    if not text:
        return None
    line = CaptionLine(
        "1",
        start,
        end,
        text,
        doubts=_doubts(value.get("doubts")),
        speaker=_speaker(value.get("speaker"), names, report),
        place=_place(value.get("place")),
        locked=value.get("locked") is True,
        forced=value.get("forced") is True,
    )
    words = _words(value.get("words"), names, report)
    if words is None or "".join(without_space(word.text) for word in words) != without_space(text):
        report.untimed += bool(value.get("words"))
        words = ()
    return replace(line, words=words)


def _time(value: Any) -> int | None:
    is_time = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= TIME_MS_MAX
    return value if is_time else None


def _speaker(label: Any, names: Mapping[str, Any], report: ImportReport) -> str | None:
    if not isinstance(label, str) or not label:
        return None
    name = names.get(label)
    named = clean_text(name if isinstance(name, str) else label).replace("\n", " ")[:80]
    return report.label_of(named) if named else None


def _place(value: Any) -> LinePlace | None:
    if not isinstance(value, dict) or value.get("align") not in range(1, 10):
        return None
    x, y = (_share(value.get(axis)) for axis in ("x", "y"))
    return LinePlace(int(value["align"]), x, y) if x is not None and y is not None else LinePlace(int(value["align"]))


def _share(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value) if 0 <= value <= 1 else None


def _doubts(value: Any) -> tuple[str, ...]:
    named = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
    return tuple(each[:_DOUBT_CHARS_MAX] for each in named[:_DOUBTS_MAX])


def _words(value: Any, names: Mapping[str, Any], report: ImportReport) -> tuple[CaptionWord, ...] | None:
    if not isinstance(value, list):
        return None
    words = list(_read_words(value, names, report))
    return tuple(words) if len(words) == len(value) else None


def _read_words(values: list[Any], names: Mapping[str, Any], report: ImportReport) -> Iterator[CaptionWord]:
    for value in values:
        if not isinstance(value, dict) or not isinstance(value.get("text"), str) or not value["text"].strip():
            return
        start, end, styles = _time(value.get("start_ms")), _time(value.get("end_ms")), value.get("styles") or []
        origin = value.get("origin")
        if start is None or end is None or end < start or origin not in list(Origin) or not isinstance(styles, list):
            return
        yield CaptionWord(
            start,
            end,
            value["text"],
            Origin(origin),
            _share(value.get("confidence")),
            _speaker(value.get("speaker"), names, report),
            frozenset(WordStyle(style) for style in styles if style in list(WordStyle)),
        )
