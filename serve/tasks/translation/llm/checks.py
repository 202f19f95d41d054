"""Checks of a chat model's translations against their source."""

from __future__ import annotations

import re
from dataclasses import dataclass

from serve.tasks.translation.guard import has_text, is_broken

LONGEST_RATIO = 6
SPARE_CHARACTERS = 80
"""A translation of more than six times the source's characters and this is an explanation, or garbage."""

_NUMBER = re.compile(r"\d(?:[\d.,:\u00a0\u202f ]*\d)?")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\{\\[^{}]*\}")
_NOT_DIGITS = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a translation is not taken. A small one is taken when nothing better comes; the caller flags it."""

    sentence: str
    is_small: bool = False


def fault_of(source: str, translation: str | None) -> Fault | None:
    """What is wrong with the translation of a passage; None when nothing is."""
    if translation is None:
        return Fault("A passage was missing.")
    if not translation.strip():
        return Fault("A translation was empty.")
    if not has_text(translation):
        return Fault("A translation held no words.")
    if is_broken(source, translation):
        return Fault("A translation repeated itself.")
    if len(translation) > LONGEST_RATIO * len(source) + SPARE_CHARACTERS:
        return Fault("A translation was much longer than its passage.")
    if sorted(_TAG.findall(source)) != sorted(_TAG.findall(translation)):
        return Fault("A tag was lost or added.")
    if numbers(source) != numbers(translation):
        return Fault("A number was changed, lost or added.", is_small=True)
    return None


def numbers(text: str) -> list[str]:
    """The numbers of a text by their digits: languages write 12,500 and 12.500."""
    return sorted(_NOT_DIGITS.sub("", number) for number in _NUMBER.findall(text))
