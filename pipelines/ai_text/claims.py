"""Turns what a model noted about a section into claims that name lines of the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.ai_text.support import fault, is_said
from pipelines.messages.minutes import Claim, TextLine
from serve.core.text.words import content_stems
from serve.tasks.text import messages as text_messages
from serve.tasks.text.messages import ClaimKind

SAME = 0.7
"""Share of common words from which two claims of overlapping lines are one."""


@dataclass(frozen=True, slots=True)
class Tongues:
    """Base codes of the languages of a text and of its transcript."""

    text: str
    source: str


def grounded(
    noted: Sequence[text_messages.Claim], lines: Sequence[TextLine], tongues: Tongues
) -> tuple[list[Claim], int]:
    """The claims with the ids of their lines, and how many named no line of the section.

    Numbers count from 1 and are checked against the section. Owner and due stay only where the lines say them.
    """
    claims: list[Claim] = []
    without = 0
    for each in noted:
        cited = [lines[number - 1] for number in sorted(set(each.lines)) if 1 <= number <= len(lines)]
        if not cited or not each.text.strip():
            without += 1
            continue
        is_action = each.kind is ClaimKind.ACTION
        claims.append(
            Claim(
                text=each.text.strip(),
                line_ids=tuple(line.id for line in cited),
                unsupported=fault(each.text, cited, language=tongues.text, source=tongues.source) is not None,
                kind=each.kind,
                owner=each.owner
                if is_action and each.owner and is_said(each.owner, cited, with_speakers=True)
                else None,
                due=each.due if is_action and each.due and is_said(each.due, cited) else None,
                weight=each.weight,
            )
        )
    return claims, without


def distinct(claims: Sequence[Claim]) -> list[Claim]:
    """Without repeats from the overlap of sections: claims that share a line and most of their words are one."""
    kept: list[Claim] = []
    by_line: dict[str, list[int]] = {}
    for claim in claims:
        near = {at for line in claim.line_ids for at in by_line.get(line, ())}
        twin = next((at for at in sorted(near) if _same(kept[at], claim)), None)
        if twin is None:
            for line in claim.line_ids:
                by_line.setdefault(line, []).append(len(kept))
            kept.append(claim)
        elif kept[twin].unsupported and not claim.unsupported:
            kept[twin] = claim
    return kept


def _same(one: Claim, other: Claim) -> bool:
    if one.text == other.text:
        return True
    words, others = content_stems(one.text), content_stems(other.text)
    return bool(words and others) and len(words & others) / len(words | others) >= SAME
