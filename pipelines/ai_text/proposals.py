"""Turn a model's corrections into proposals that a person can accept without fear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.texts.text import clean_text
from pipelines.messages.proofread import ProofLine, ProofreadPart, Proposal
from serve.tasks.text.messages import CorrectionKind, ProofreadLines

LARGE = 0.6
"""Likeness of words below which a correction is a rewrite, which stays unchecked."""

_TAGS = re.compile(r"<[^<>]{0,100}>|\{[^{}]{0,100}\}")
_NUMBER = re.compile(r"\d+")


def proposals(found: ProofreadLines, lines: Sequence[ProofLine]) -> ProofreadPart:
    """The usable corrections. Dropped are those that change nothing, tags or numbers, or are no line of captions."""
    usable: list[Proposal] = []
    dropped = found.dropped
    for each in found.corrections:
        line = lines[each.line - 1]
        after = _in_rows(clean_text(each.text), line.text)
        if after == line.text:
            continue
        if not after or len(after) > LINE_CHARS_MAX or _signs(after) != _signs(line.text):
            dropped += 1
            continue
        is_shorter = each.kind is CorrectionKind.SHORTER
        if is_shorter and len(after) >= len(line.text):
            dropped += 1
            continue
        usable.append(
            Proposal(
                line=line.id,
                before=line.text,
                after=after,
                kind=each.kind,
                reason=each.reason,
                is_large=not is_shorter and _likeness(line.text, after) < LARGE,
            )
        )
    return ProofreadPart(proposals=tuple(usable), dropped=dropped)


def _signs(text: str) -> tuple[list[str], list[str]]:
    """The tags and the numbers of a text, neither of which proofreading may change."""
    return _TAGS.findall(text), sorted(_NUMBER.findall(_TAGS.sub("", text)))


def _likeness(before: str, after: str) -> float:
    return SequenceMatcher(None, before.split(), after.split(), autojunk=False).ratio()


def _in_rows(after: str, before: str) -> str:
    """The text with the line break of the old one, at the word nearest to where it was. Models answer in one row."""
    if "\n" in after or "\n" not in before:
        return after
    words, rows = after.split(" "), before.count("\n") + 1
    if len(words) < rows:
        return after
    share = len(before.split("\n")[0]) / len(before)
    wanted = share * len(after)
    at, best, length = 1, len(after) + 1.0, 0
    for index, word in enumerate(words[:-1], 1):
        length += len(word) + 1
        if abs(length - wanted) < best:
            at, best = index, abs(length - wanted)
    head, tail = " ".join(words[:at]), " ".join(words[at:])
    return f"{head}\n{tail}"
