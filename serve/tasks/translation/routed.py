"""The engine of translators that need no context: each passage goes the way of its pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.translation.engine import PassageOutcome, Sentence, Translator
from serve.tasks.translation.guard import has_text
from serve.tasks.translation.messages import Hypothesis, Passage, Translated
from serve.tasks.translation.pairs import Route, in_words, reachable, route
from serve.tasks.translation.sentences import NO_PAIR, NO_PAIRS
from serve.tasks.translation.seq2seq.word_attention import chained, even


class RoutedEngine:
    """Translators of several pairs as one engine."""

    has_deadline = False

    def __init__(
        self, translators: Sequence[Translator], info: EngineInfo, *, parallel: int, gains_from_batches: bool
    ) -> None:
        self.info = info
        self.parallel = parallel
        # A spare worker's call shares the cores with the running ones; on a GPU they would only queue.
        self.spare_workers = 1 if info.device == "cpu" else 0
        self.gains_from_batches = gains_from_batches
        self._translators = translators

    def batch_key(self, passage: Passage) -> Hashable:
        """Passages of one way share a call; those without any are refused together."""
        way = self._route(passage)
        return (tuple(step.name for step in way.steps), way.languages) if way is not None else None

    def run(self, batch: Sequence[Passage]) -> list[PassageOutcome]:
        outcomes: dict[int, PassageOutcome] = {}
        ways: dict[tuple[str, ...], Route[Translator]] = {}
        groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for index, passage in enumerate(batch):
            way = self._route(passage)
            if way is None:
                outcomes[index] = self.refusal(passage)
            elif not has_text(passage.text):
                outcomes[index] = unchanged(passage)
            else:
                ways[way.languages] = way
                groups[way.languages].append(index)
        for languages, indexes in groups.items():
            found = _along(ways[languages], [batch[index].text for index in indexes])
            for index, hypotheses in zip(indexes, found, strict=True):
                passage = batch[index]
                outcomes[index] = Translated(passage.index, hypotheses) if hypotheses else unusable(passage)
        return [outcomes[index] for index in range(len(batch))]

    def can(self, passage: Passage) -> bool:
        """Whether there is a way for this passage."""
        return self._route(passage) is not None

    def refusal(self, passage: Passage) -> EngineRefused:
        pairs = in_words(reachable(self._translators))
        return EngineRefused(
            EngineProblem.UNKNOWN_LANGUAGE,
            NO_PAIR(source=passage.source_language, target=passage.target_language, pairs=pairs)
            if pairs
            else NO_PAIRS(source=passage.source_language, target=passage.target_language),
        )

    def rest(self) -> None:
        for translator in self._translators:
            translator.rest()

    def close(self) -> None:
        for translator in self._translators:
            translator.close()

    def _route(self, passage: Passage) -> Route[Translator] | None:
        return route(self._translators, passage.source_language, passage.target_language)


def unchanged(passage: Passage) -> Translated:
    """The text as it is: music signs and dots need no translation."""
    return Translated(passage.index, (Hypothesis(passage.text, None, even(passage.text, passage.text)),))


def unusable(passage: Passage) -> Translated:
    """The source's text as a fallback: nothing that a model gave can be shown, and an empty row would lose the line."""
    return Translated(
        passage.index, (Hypothesis(passage.text, None, even(passage.text, passage.text)),), is_fallback=True
    )


def _along(way: Route[Translator], texts: Sequence[str]) -> list[tuple[Hypothesis, ...]]:
    """Translations at the end of the way. Through another language, those of the best translation into it."""
    first, *rest = way.steps
    source, middle, *_ = way.languages
    found = first.translate([Sentence(text, source, middle) for text in texts])
    if not rest:
        return found
    best = {index: hypotheses[0] for index, hypotheses in enumerate(found) if hypotheses}
    onward = rest[0].translate([Sentence(each.text, *way.languages[1:]) for each in best.values()])
    ends: list[tuple[Hypothesis, ...]] = [()] * len(texts)
    for (index, before), hypotheses in zip(best.items(), onward, strict=True):
        ends[index] = tuple(_continued(before, after) for after in hypotheses)
    return ends


def _continued(before: Hypothesis, after: Hypothesis) -> Hypothesis:
    """A translation of a translation, as sure as both are on average."""
    known = [each.log_probability for each in (before, after) if each.log_probability is not None]
    certainty = sum(known) / len(known) if known else None
    return Hypothesis(after.text, certainty, chained(before.attention, after.attention))
