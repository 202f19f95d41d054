"""Changes of who speaks which line, and labels that survive another detection. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from pipelines.captions.edits.edit import EditResult
from pipelines.captions.spans import near
from pipelines.messages.lines import CaptionLine
from pipelines.messages.speakers import Turn


def spoken_by(line: CaptionLine, speaker: str | None) -> CaptionLine:
    """The whole line as spoken by one speaker."""
    return replace(line, speaker=speaker, words=tuple(replace(word, speaker=None) for word in line.words))


def reassign(lines: Iterable[CaptionLine], ids: Collection[str], speaker: str | None) -> EditResult:
    """Give these lines to a speaker; lines that are gone are left out."""
    before = list(lines)
    return difference(before, [spoken_by(line, speaker) if line.id in ids else line for line in before])


def merge_speakers(lines: Iterable[CaptionLine], source: str, target: str) -> EditResult:
    """Give everything that `source` says to `target`."""

    def merged(line: CaptionLine) -> CaptionLine:
        words = tuple(replace(word, speaker=target) if word.speaker == source else word for word in line.words)
        speaker = target if line.speaker == source else line.speaker
        words = tuple(replace(word, speaker=None) if word.speaker == speaker else word for word in words)
        return replace(line, speaker=speaker, words=words)

    before = list(lines)
    return difference(before, [merged(line) for line in before])


def difference(before: Sequence[CaptionLine], after: Sequence[CaptionLine]) -> EditResult:
    """The lines that differ between two states of a track."""
    old, new = {line.id: line for line in before}, {line.id: line for line in after}
    return EditResult(
        tuple(line for line in before if new.get(line.id) != line),
        tuple(line for line in after if old.get(line.id) != line),
    )


def labels_kept(turns: Sequence[Turn], lines: Iterable[CaptionLine], known: Collection[str]) -> Mapping[str, str]:
    """Which label each newly detected speaker gets, so that names survive: that of whom the old lines name there.

    `turns` have the new labels, by their starts. The pair that shares most time is matched first; a speaker without
    a match gets the next label that none of `known` has.
    """
    shared: dict[tuple[str, str], int] = defaultdict(int)
    old = sorted((line for line in lines if line.speaker is not None), key=lambda line: line.start_ms)
    for turn, lines_then in zip(turns, near(turns, old), strict=True):
        for line in lines_then:
            time_ms = min(turn.end_ms, line.end_ms) - max(turn.start_ms, line.start_ms)
            if line.speaker is not None and time_ms > 0:
                shared[turn.speaker, line.speaker] += time_ms
    result: dict[str, str] = {}
    for (label, speaker), _ in sorted(shared.items(), key=lambda pair: (-pair[1], pair[0])):
        if label not in result and speaker not in result.values():
            result[label] = speaker
    taken = {*result.values(), *known}
    for label in dict.fromkeys(turn.speaker for turn in turns):
        if label not in result:
            result[label] = next_label(taken)
            taken.add(result[label])
    return result


def next_label(taken: Collection[str]) -> str:
    """The first canonical label that is free."""
    number = 1
    while f"S{number}" in taken:
        number += 1
    return f"S{number}"
