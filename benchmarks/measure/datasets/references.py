"""Reads what was really said and who said it: texts, subtitles, STM, RTTM and UEM."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.encodings import decode

IGNORED = "ignore_time_segment_in_scoring"
_ALTERNATIVES = re.compile(r"\{\s*([^{}/]*?)\s*(?:/[^{}]*)?\}")
_STM_FIELDS = 5
_RTTM_FIELDS = 8
_UEM_FIELDS = 4


class BadReference(ValueError):
    """A reference file that cannot be read. The message says where and why."""


@dataclass(frozen=True, slots=True)
class ReferenceLine:
    """What somebody says between two times. `speaker` is empty where the reference does not tell."""

    start_ms: int
    end_ms: int
    text: str
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceTurn:
    """Somebody speaks."""

    start_ms: int
    end_ms: int
    speaker: str


@dataclass(frozen=True, slots=True)
class StmFile:
    """The lines of one audio file. `ignored` are times that do not count; `language` is empty where no label has it."""

    lines: tuple[ReferenceLine, ...]
    ignored: tuple[tuple[int, int], ...]
    language: str


def read_text(path: Path, language: str = "") -> str:
    """The text of a file in any encoding, on one row."""
    return " ".join(decode(path.read_bytes(), language or None).split())


def read_lines(path: Path, language: str = "") -> tuple[ReferenceLine, ...]:
    """The lines of a subtitle file, with their rows joined. Raises BadReference."""
    try:
        found = parse_subtitles(path.read_bytes(), language or None)
    except UnreadableSubtitles as problem:
        raise BadReference(str(problem)) from problem
    return tuple(ReferenceLine(line.start_ms, line.end_ms, " ".join(line.text.split())) for line in found.lines)


def read_stm(path: Path) -> dict[str, StmFile]:
    """NIST's segment time marks by file: `file channel speaker start end <label> words`. Raises BadReference.

    Of alternatives `{ a / b }` the first counts; words in brackets, such as `(uh)`, may be missing and are left out.
    """
    lines: dict[str, list[ReferenceLine]] = {}
    ignored: dict[str, list[tuple[int, int]]] = {}
    languages: dict[str, str] = {}
    for number, row in _rows(path):
        fields = row.split(None, _STM_FIELDS)
        if len(fields) < _STM_FIELDS:
            raise BadReference(f"Row {number} has fewer fields than file, channel, speaker, start and end.")
        name, _, speaker, start, end, *rest = fields
        span = _span(number, start, end)
        text = rest[0] if rest else ""
        lines.setdefault(name, [])
        if text.startswith("<") and ">" in text:
            label, text = text[1:].split(">", 1)
            for part in label.split(","):
                if part.lower().startswith("lang="):
                    languages[name] = part[len("lang=") :]
        if IGNORED in text.lower():
            ignored.setdefault(name, []).append(span)
        elif said := _said(text):
            lines[name].append(ReferenceLine(*span, said, speaker))
    return {
        name: StmFile(
            tuple(sorted(found, key=lambda line: line.start_ms)), tuple(ignored.get(name, ())), languages.get(name, "")
        )
        for name, found in lines.items()
    }


def read_rttm(path: Path) -> list[tuple[str, ReferenceTurn]]:
    """Turns with the name of their file: `SPEAKER file channel start length <NA> <NA> name`. Raises BadReference."""
    turns = []
    for number, row in _rows(path):
        fields = row.split()
        if fields[0].upper() != "SPEAKER":
            continue
        if len(fields) < _RTTM_FIELDS:
            raise BadReference(f"Row {number} has {len(fields)} fields; a SPEAKER row has at least {_RTTM_FIELDS}.")
        start, length = _seconds(number, fields[3]), _seconds(number, fields[4])
        if length > 0:
            turn = ReferenceTurn(round(start * 1000), round((start + length) * 1000), fields[7])
            turns.append((fields[1], turn))
    return turns


def read_uem(path: Path) -> list[tuple[str, tuple[int, int]]]:
    """Times that count with the name of their file: `file channel start end`. Raises BadReference."""
    spans = []
    for number, row in _rows(path):
        fields = row.split()
        if len(fields) < _UEM_FIELDS:
            raise BadReference(f"Row {number} has fewer fields than file, channel, start and end.")
        spans.append((fields[0], _span(number, fields[2], fields[3])))
    return spans


def _rows(path: Path) -> Iterator[tuple[int, str]]:
    """Rows that say something, with their numbers. `;;` begins a comment."""
    for number, row in enumerate(decode(path.read_bytes()).removeprefix("\ufeff").splitlines(), 1):
        if row.strip() and not row.lstrip().startswith(";;"):
            yield number, row.strip()


def _span(row: int, start: str, end: str) -> tuple[int, int]:
    begin, stop = _seconds(row, start), _seconds(row, end)
    if stop < begin:
        raise BadReference(f"Row {row} ends before it starts.")
    return round(begin * 1000), round(stop * 1000)


def _seconds(row: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e7:
        raise BadReference(f"Row {row}: “{text}” is no time in seconds.")
    return value


def _said(text: str) -> str:
    while (chosen := _ALTERNATIVES.sub(r"\1", text)) != text:
        text = chosen
    return " ".join(word for word in text.split() if not (word.startswith("(") and word.endswith(")")) and word != "@")
