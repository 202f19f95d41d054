"""Numbers of a text, compared without regard to how a language writes them: `1,000.5` and `1.000,5` are equal."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_SPACES = " \u00a0\u202f"
_NUMBER = re.compile(rf"(?<![A-Za-zÀ-ɏ\d])(?:\d{{1,3}}(?:[{_SPACES}]\d{{3}})+(?!\d)|\d+)(?:[.,:'’/-]\d+)*")
_DIGITS = re.compile(r"\d+")
_THOUSANDS = 3


def numbers_in(text: str) -> Counter[str]:
    """Each number in ASCII digits, whatever its script, with a point for any separator but that of thousands."""
    return Counter(_plain(match) for match in _NUMBER.findall(_ascii(text)))


def lost_numbers(source: str, target: str) -> list[str]:
    """Numbers of the source that the target does not hold as often, as `numbers_in` writes them.

    A number that the target adds is not counted: `twenty` may well become `20`.
    """
    lost = numbers_in(source) - numbers_in(target)
    if not lost or not _parts(source) - _parts(target):
        # The same digits in other compounds: `30-40` and `30 to 40`.
        return []
    return list(lost)


def _parts(text: str) -> Counter[str]:
    return Counter(_DIGITS.findall(_ascii(text)))


def _plain(number: str) -> str:
    head, *groups = re.split(rf"[{_SPACES}.,:'’/-]", number)
    plain = head
    for index, group in enumerate(groups):
        is_last = index == len(groups) - 1
        plain += group if len(group) == _THOUSANDS else f".{group}"
        if len(group) != _THOUSANDS and not is_last:
            # A date, a time or a version: keep every separator.
            return ".".join([head, *groups])
    return plain


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.digit(c, c)) if c.isdecimal() else c for c in text)
