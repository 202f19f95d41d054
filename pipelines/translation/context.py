"""What surrounds a sentence group, for models that read it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipelines.messages.translate import TargetLine, TranslateRequest
from pipelines.translation.groups import SentenceGroup, one_row
from serve.tasks.translation.messages import TranslationContext

BEFORE_ROWS = 12
AFTER_ROWS = 2
_SPEAKERS_MAX = 20
_SYNOPSIS_CHARS_MAX = 1_000


class Surroundings:
    """The context of each group of one job, from the lines translated so far and the existing ones."""

    def __init__(self, request: TranslateRequest) -> None:
        self._lines = request.lines
        self._position = {line.id: index for index, line in enumerate(request.lines)}
        self._synopsis = request.synopsis[:_SYNOPSIS_CHARS_MAX]
        self._formality = request.formality.value
        self.speakers = speakers_of(request)
        wanted = frozenset(request.wanted)
        self._targets: dict[int, TargetLine] = {}
        self.add(line for line in request.existing if not wanted.intersection(line.source_ids))

    def add(self, lines: Iterable[TargetLine]) -> None:
        """Take translated lines as context of the groups after them."""
        self._targets.update(
            (self._position[line.source_ids[0]], line)
            for line in lines
            if line.source_ids and line.source_ids[0] in self._position
        )

    def of(self, group: SentenceGroup) -> TranslationContext:
        """The 12 nearest rows before the group that are translated by now, and the two source rows after it."""
        first = self._position[group.lines[0].id]
        last = self._position[group.lines[-1].id]
        return TranslationContext(
            before=tuple(_pairs(self._targets, first)),
            after=tuple(one_row(line.text) for line in self._lines[last + 1 : last + 1 + AFTER_ROWS]),
            synopsis=self._synopsis,
            speakers=self.speakers[:_SPEAKERS_MAX],
            formality=self._formality,
        )


def speakers_of(request: TranslateRequest) -> tuple[str, ...]:
    """The names of the file's speakers in the order in which they speak."""
    return tuple(dict.fromkeys(line.speaker for line in request.lines if line.speaker))


def _pairs(targets: Mapping[int, TargetLine], first: int) -> Sequence[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    # Looking further back than four times as many lines would join scenes that have nothing to do with each other.
    for index in range(first - 1, max(-1, first - 1 - 4 * BEFORE_ROWS), -1):
        line = targets.get(index)
        if line is not None:
            pairs.append((" ".join(one_row(text) for text in line.source_texts), one_row(line.text)))
            if len(pairs) == BEFORE_ROWS:
                break
    return pairs[::-1]
