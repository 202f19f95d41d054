"""Sentences and clauses that follow one another, each by its code."""

from __future__ import annotations

from cluster.wording.message import Wording

_TWO = Wording("sentences.two", "{first} {second}")
_CLAUSES = Wording("sentences.clauses", "{first}; {second}")


def paragraph(first: str, *others: str) -> str:
    """The sentences after one another. What of them is a `Message` stays one."""
    for other in others:
        first = _TWO(first=first, second=other)
    return first


def clauses(first: str, *others: str) -> str:
    """Clauses as one, with semicolons. What of them is a `Message` stays one."""
    for other in others:
        first = _CLAUSES(first=first, second=other)
    return first
