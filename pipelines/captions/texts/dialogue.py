"""Dashes that begin the rows of a dialogue: made where two speakers share a line, dropped where they part."""

from __future__ import annotations

import re

from pipelines.captions.texts.marks import dash_of

_HYPHENS = ("-", "\u2010", "\u2011")
_BEHIND = re.compile(r"(?<=\s)[-‐‑–—][ \u00a0]?\Z")


def dialogue(left: str, right: str, mark: str) -> str | None:
    """Two speakers' texts as rows that begin with `mark`. None where a text is empty or has dashes already."""
    rows = [" ".join(text.split("\n")) for text in (left, right)]
    if not all(rows) or any(dash_of(row) for text in (left, right) for row in text.split("\n")):
        return None
    return "\n".join(mark + row for row in rows)


def without_dashes(text: str, at: int) -> tuple[str, int]:
    """The text and the place `at` where it is split, without the dashes that the split makes needless.

    It does where the second part begins with the dash of the next speaker, on a row of its own or after a row that
    begins with one: then each part that holds no other dash loses its first one. Subtitle Edit does so since its
    issue 10622. A caret behind the dash means the place before it. A hyphen before a small letter is part of a word.
    """
    behind = _BEHIND.search(text[:at])
    place = at if behind is None else behind.start()
    left, right = text[:place], text[place:]
    tail = right.lstrip()
    between = left[len(left.rstrip()) :] + right[: len(right) - len(tail)]
    if _speaker_dash(tail) is None or ("\n" not in between and _speaker_dash(left) is None):
        return text, at
    head = _alone(left)
    return head + right[: len(right) - len(tail)] + _alone(tail), len(head)


def _alone(part: str) -> str:
    """The part without the dash it begins with, if no other row has one."""
    first, *others = part.split("\n")
    dash = _speaker_dash(first)
    return part if dash is None or any(dash_of(row) for row in others) else part[len(dash) :]


def _speaker_dash(row: str) -> str | None:
    """The dash that begins a row. None for the hyphen of a word that was broken, as in "x-" and "-ray"."""
    return None if row[:1] in _HYPHENS and row[1:2].islower() else dash_of(row)
