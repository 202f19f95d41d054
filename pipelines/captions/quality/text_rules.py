"""Rules on the text of a line: length, rows, spaces, marks and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from pipelines.captions.quality.findings import Circumstances, Finding, Rule, Severity
from pipelines.captions.texts.break_points import Break, break_after
from pipelines.captions.texts.marks import dash_of, forbidden_break, label_of
from pipelines.captions.texts.measure import half_widths
from pipelines.captions.texts.text import word_units
from pipelines.messages.lines import CaptionLine

DOUBLED = re.compile(r"[ \t\u00a0]{2,}")
BEFORE_STOP = re.compile(r" [,.](?![.\d])")
OPEN_CODE = re.compile(r"\{\\[^{}]{0,40}$")
SIMPLE_TAG = re.compile(r"<(/?)([A-Za-z]{1,4})(?:[ .][^<>]{0,40})?>")
PAIRED = ("i", "b", "u", "s", "font", "c", "v")
UNSPOKEN = re.compile(r"[*_^~|\\\ufffd]")
NUMBER = re.compile(r"^[(\"'“„‘¿¡]{0,3}([0-9]{1,6})[)\"'”“’,;:!?….]{0,4}$")
UNIT = re.compile(
    r"^(?:%|°|kg|g|km|m|cm|mm|ml|l|s|ms|h|min|am|pm|a\.m|p\.m|kr|usd|eur|gb|mb|tb|k|x|million|milljón|milljónir"
    r"|milljarðar|o'clock)[.,;:!?]{0,3}$",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]{0,3}$")
NUMBER_LANGUAGES = frozenset({"en", "is"})


def text_findings(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    yield from _lengths(line, about)
    yield from _forms(line, about)
    yield from _rows(line, about)
    yield from _numbers(line, about)


def _severity(is_red: bool) -> Severity:
    return Severity.ERROR if is_red else Severity.WARNING


def _lengths(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    profile = about.profile
    rows = line.text.split("\n")
    longest = max(half_widths(row, counts_half=profile.half_width) for row in rows)
    if longest > 2 * profile.max_row:
        values = {"length": (longest + 1) // 2, "limit": profile.max_row}
        yield Finding(Rule.ROW_TOO_LONG, _severity(longest * 10 > 22 * profile.max_row), (line.id,), values)
    if len(rows) > profile.max_rows:
        values = {"rows": len(rows), "limit": profile.max_rows}
        yield Finding(Rule.TOO_MANY_ROWS, Severity.ERROR, (line.id,), values)


def _forms(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    text = line.text
    if has_odd_spaces(text):
        yield Finding(Rule.SPACES, Severity.WARNING, (line.id,))
    open_tag = unclosed(text)
    if open_tag is not None:
        yield Finding(Rule.TAG, Severity.ERROR, (line.id,), {"tag": open_tag})
    unspoken = UNSPOKEN.search(text)
    if unspoken is not None:
        yield Finding(Rule.UNSPOKEN, Severity.INFO, (line.id,), {"character": unspoken[0]})
    missing = next((character for character in text if character in about.undrawable), None)
    if missing is not None:
        yield Finding(Rule.GLYPH, Severity.ERROR, (line.id,), {"character": missing})


def has_odd_spaces(text: str) -> bool:
    return any(row[:1] in " \t" or row[-1:] in " \t" for row in text.split("\n") if row) or bool(
        DOUBLED.search(text) or BEFORE_STOP.search(text)
    )


def unclosed(text: str) -> str | None:
    """The first tag that is opened and not closed, or closed and not opened; None where all are paired."""
    if "<" not in text and "{" not in text:
        return None
    counts: dict[str, int] = {}
    for found in SIMPLE_TAG.finditer(text):
        name = found[2].lower()
        if name in PAIRED:
            counts[name] = counts.get(name, 0) + (-1 if found[1] else 1)
    for name in PAIRED:
        if counts.get(name):
            return f"<{name}>" if counts[name] > 0 else f"</{name}>"
    return "{\\" if OPEN_CODE.search(text) else None


def _rows(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    rows = line.text.split("\n")
    profile = about.profile
    dashes = [dash_of(row) for row in rows]
    is_dialogue = len(rows) > 1 and any(dash is not None for dash in dashes)
    if len(rows) > 1 and not is_dialogue:
        for upper, lower in pairwise(rows):
            last, first = word_units(upper)[-1:], word_units(lower)[:1]
            if last and first and break_after(last[0], first[0], about.code) is Break.LEANING:
                yield Finding(Rule.ROW_BREAK, Severity.INFO, (line.id,), {"word": last[0]})
                break
    for upper, lower in pairwise(rows):
        signs = forbidden_break(upper, lower)
        if signs is not None:
            yield Finding(Rule.FORBIDDEN_BREAK, Severity.WARNING, (line.id,), {"before": signs[0], "after": signs[1]})
            break
    if is_dialogue:
        wanted = next(dash for dash in dashes if dash is not None) if profile.dash is None else profile.dash.mark
        if any(dash is not None and dash != wanted for dash in dashes):
            yield Finding(Rule.DASH, Severity.WARNING, (line.id,), {"mark": wanted.strip()})
    if profile.label is not None:
        for row in rows:
            label = label_of(row)
            if label is not None and label.style != profile.label:
                yield Finding(Rule.LABEL, Severity.WARNING, (line.id,), {"label": label.shown})
                break


def _numbers(line: CaptionLine, about: Circumstances) -> Iterator[Finding]:
    if not about.profile.numbers or about.code not in NUMBER_LANGUAGES:
        return
    words = line.text.split()
    for index, word in enumerate(words):
        found = NUMBER.match(word)
        if found is None:
            continue
        before = words[index - 1] if index else ""
        following = words[index + 1] if index + 1 < len(words) else ""
        begins = index > 0 and SENTENCE_END.search(before) is not None
        is_name = before[:1].isupper() and index > 1
        is_small = 1 <= int(found[1]) <= 10 and not found[1].startswith("0")
        if begins or (is_small and not is_name and UNIT.match(following) is None):
            yield Finding(Rule.NUMBER, Severity.INFO, (line.id,), {"number": found[1]})
            return
