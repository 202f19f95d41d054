"""Send the sentence groups of one job through the model, a bounded number at a time, and take them as they finish."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass

from pipelines.flows.translate.part_translation import PartTranslation
from pipelines.flows.translate.passages import PassageSender, TranslationClient
from pipelines.messages.attempt import Attempt
from pipelines.messages.translate import GlossaryTerm, TranslatedGroup, TranslateRequest
from pipelines.translation.checks import Checker
from pipelines.translation.context import Surroundings
from pipelines.translation.groups import Part, SentenceGroup
from pipelines.translation.speed import passage_budget, target_rules
from pipelines.translation.target_lines import target_lines
from pipelines.translation.terms.glossary import TermIndex
from serve.core.messages import EngineRefused
from serve.tasks.translation.messages import Passage, Term, TranslationContext

_YIELD_EVERY_S = 2.0


@dataclass(frozen=True, slots=True)
class DoneGroup:
    """A finished group, which translates `source_lines` lines. `is_new`: this attempt translated it."""

    key: str
    group: TranslatedGroup
    source_lines: int
    is_new: bool


class GroupStream:
    """The groups of one job. `reads_context`: the engine uses what surrounds a passage and can correct a draft."""

    def __init__(
        self,
        request: TranslateRequest,
        groups: Sequence[SentenceGroup],
        attempt: Attempt,
        client: TranslationClient,
        *,
        reads_context: bool,
    ) -> None:
        self._request = request
        self._attempt = attempt
        self._reads_context = reads_context
        self._rules = target_rules(request)
        self._surroundings = Surroundings(request)
        self._checker = Checker(request.source_language, request.target_language, self._surroundings.speakers)
        self._waiting = [(group, self._finished_before(group)) for group in groups]
        self._sender = PassageSender(
            client, [part.marked.text for group, earlier in self._waiting if earlier is None for part in group.parts]
        )
        self._terms = TermIndex(request.glossary, request.source_language)
        self._passages = 0

    def finished(self, in_flight: int) -> Generator[DoneGroup | None]:
        """Yield groups as they finish, and None now and then while none does. Closing it cancels those in flight.

        Raises `EngineRefused` when the model cannot work, after the groups that are finished by then.
        """
        todo = iter(self._waiting)
        running: dict[int, tuple[SentenceGroup, list[PartTranslation]]] = {}
        try:
            while True:
                while len(running) < in_flight and (following := next(todo, None)) is not None:
                    group, earlier = following
                    if earlier is not None:
                        self._surroundings.add(earlier.lines)
                        yield DoneGroup(key_of(group), earlier, len(group.lines), is_new=False)
                        continue
                    running[group.index] = (group, self._send(group))
                if not running:
                    return
                answers = [part.waits_for for _, parts in running.values() for part in parts if part.waits_for]
                if answers:
                    wait(answers, timeout=_YIELD_EVERY_S, return_when=FIRST_COMPLETED)
                yield from self._take(running)
                yield None
        finally:
            self._sender.cancel()

    def _take(self, running: dict[int, tuple[SentenceGroup, list[PartTranslation]]]) -> Iterator[DoneGroup]:
        """Read every answer that is there, and yield the groups that are finished with it."""
        refused: EngineRefused | None = None
        for index, (group, parts) in list(running.items()):
            try:
                for part in parts:
                    if part.waits_for is not None and part.waits_for.done():
                        part.read()
            except EngineRefused as error:
                refused = error
                continue
            if all(part.waits_for is None for part in parts):
                del running[index]
                yield self._finish(group, parts)
        if refused is not None:
            raise refused

    def _send(self, group: SentenceGroup) -> list[PartTranslation]:
        """The parts of a group with something to translate, on their way."""
        return [
            PartTranslation(
                group,
                part,
                *self._passage(group, part),
                self._sender,
                self._checker,
                self._rules,
                revises=self._reads_context,
            )
            for part in group.parts
            if part.marked.text
        ]

    def _passage(self, group: SentenceGroup, part: Part) -> tuple[Passage, list[GlossaryTerm]]:
        terms = self._terms.terms_in(part.marked.text)
        spoken = sum(len(each.marked.text) for each in group.parts)
        self._passages += 1
        passage = Passage(
            stream=self._attempt.job_id,
            index=self._passages - 1,
            source_language=self._request.source_language,
            target_language=self._request.target_language,
            text=part.marked.text,
            budget=passage_budget(group.lines, self._rules, len(part.marked.text) / spoken),
            glossary=tuple(Term(term.source, term.target) for term in terms),
            context=self._surroundings.of(group) if self._reads_context else TranslationContext(),
        )
        return passage, terms

    def _finish(self, group: SentenceGroup, parts: Sequence[PartTranslation]) -> DoneGroup:
        best = {id(each.part): each.best for each in parts}
        chosen = [best.get(id(part)) for part in group.parts]
        lines = target_lines(group, chosen, self._rules, self._checker)
        self._surroundings.add(lines)
        done = TranslatedGroup(index=group.index, lines=tuple(lines))
        return DoneGroup(key_of(group), done, len(group.lines), is_new=True)

    def _finished_before(self, group: SentenceGroup) -> TranslatedGroup | None:
        """The result of an earlier attempt for exactly these lines."""
        chunk = self._attempt.chunks.get(key_of(group))
        earlier = TranslatedGroup.read(chunk) if chunk is not None else None
        if earlier is None:
            return None
        known = [
            (source_id, text)
            for line in earlier.lines
            for source_id, text in zip(line.source_ids, line.source_texts, strict=True)
        ]
        return earlier if known == [(line.id, line.text) for line in group.lines] else None


def key_of(group: SentenceGroup) -> str:
    return f"group-{group.index:06}"
