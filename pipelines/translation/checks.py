"""What a translation must keep of its source: numbers, names, formatting codes and glossary terms.

Also marks the lines that the model was least sure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.messages.translate import GlossaryTerm, LineFlag, TargetLine
from pipelines.translation.terms.glossary import missing, occurs
from pipelines.translation.texts.markings import tags_in
from pipelines.translation.texts.names import lost_names
from pipelines.translation.texts.numbers import lost_numbers, numbers_in

UNSURE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class Losses:
    """What a passage's translation does not hold."""

    numbers: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    tags: tuple[str, ...] = ()
    terms: tuple[GlossaryTerm, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.names or self.tags or self.terms)


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks the passages of one job. `speakers` are the names of the people who speak in the file."""

    source_language: str
    target_language: str
    speakers: tuple[str, ...] = ()

    def losses(self, source: str, target: str, terms: Sequence[GlossaryTerm]) -> Losses:
        """`terms` are those that occur in the source. A term's own words may change with it."""
        names = lost_names(source, target, self.source_language, self.speakers)
        return Losses(
            numbers=tuple(lost_numbers(source, target)),
            names=tuple(name for name in names if not self._in_a_term(name, terms)),
            tags=tuple(Counter(tags_in(source)) - Counter(tags_in(target))),
            terms=tuple(missing(target, terms, self.target_language)),
        )

    def row_flags(self, losses: Losses, sources: Sequence[str]) -> list[set[LineFlag]]:
        """Distribute a passage's losses to its rows by their source texts.

        What no row holds on its own, such as a term that begins in one cue and ends in the next, goes to the first.
        """
        flags: list[set[LineFlag]] = [set() for _ in sources]
        for flag, holders in self._holders(losses, sources):
            for index in holders or [0]:
                flags[index].add(flag)
        return flags

    def _holders(self, losses: Losses, sources: Sequence[str]) -> list[tuple[LineFlag, list[int]]]:
        def rows(holds: Sequence[bool]) -> list[int]:
            return [index for index, does in enumerate(holds) if does]

        language = self.source_language
        return [
            *(
                (LineFlag.NUMBER_CHANGED, rows([each in numbers_in(text) for text in sources]))
                for each in losses.numbers
            ),
            *((LineFlag.NAME_CHANGED, rows([each[0] in text for text in sources])) for each in losses.names),
            *((LineFlag.TAG_CHANGED, rows([each in text for text in sources])) for each in losses.tags),
            *(
                (LineFlag.GLOSSARY_MISS, rows([occurs(each.source, text, language) for text in sources]))
                for each in losses.terms
            ),
        ]

    def _in_a_term(self, name: tuple[str, ...], terms: Sequence[GlossaryTerm]) -> bool:
        return any(occurs(word, term.source, self.source_language) for word in name for term in terms)


def flag_unsure(lines: Sequence[TargetLine], others: Sequence[TargetLine] = ()) -> list[TargetLine]:
    """The lines, with `unsure` on those among the 5 % least probable of all. `others` are lines of the track that stay.

    A line as probable as the first one above the limit is not flagged, so never more than 5 % are.
    """
    known = sorted(line.log_probability for line in (*lines, *others) if line.log_probability is not None)
    limit = known[int(len(known) * UNSURE_SHARE)] if known else None
    flagged = []
    for line in lines:
        flags: tuple[LineFlag, ...] = tuple(flag for flag in line.flags if flag is not LineFlag.UNSURE)
        if limit is not None and line.log_probability is not None and line.log_probability < limit:
            flags = (*flags, LineFlag.UNSURE)
        flagged.append(line.model_copy(update={"flags": flags}))
    return flagged
