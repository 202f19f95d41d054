"""Translate one passage of a sentence group: send it, judge the answers, have a draft corrected where that helps."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace

from pipelines.captions.texts.text import visible_length
from pipelines.flows.translate.passages import PassageSender
from pipelines.messages.caption_rules import CaptionRules
from pipelines.messages.translate import GlossaryTerm
from pipelines.translation.checks import Checker, Losses
from pipelines.translation.choice import Attention, Candidate, best_of, candidates
from pipelines.translation.groups import Part, SentenceGroup
from pipelines.translation.recut import Row
from pipelines.translation.speed import is_too_long
from pipelines.translation.target_lines import rows_of
from pipelines.translation.terms.term_restoration import keep_terms
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.translation.messages import Hypothesis, Passage, Translated

_TEXT_PROBLEMS = frozenset({EngineProblem.BAD_INPUT, EngineProblem.TOO_LONG})
"""Refusals of one text, which leave its lines untranslated. Any other problem ends the attempt."""


class PartTranslation:
    """One passage on its way. `revises`: the engine can correct a draft."""

    def __init__(
        self,
        group: SentenceGroup,
        part: Part,
        passage: Passage,
        terms: Sequence[GlossaryTerm],
        sender: PassageSender,
        checker: Checker,
        rules: CaptionRules,
        *,
        revises: bool,
    ) -> None:
        self.part = part
        self._group = group
        self._passage = passage
        self._terms = terms
        self._sender = sender
        self._checker = checker
        self._rules = rules
        self._revises = revises
        self._usable: list[Candidate] = []
        self._answer: Future[Translated] | None = sender.send(passage)

    @property
    def waits_for(self) -> Future[Translated] | None:
        """The answer that has not been read yet; None when the part is finished."""
        return self._answer

    @property
    def best(self) -> Candidate | None:
        """The best usable translation so far."""
        return best_of(self._usable)

    def read(self) -> None:
        """Take the answer, which must be there. Raises `EngineRefused` for a problem of the model."""
        answer, self._answer = self._answer, None
        translated = _translated(answer) if answer is not None else None
        if translated is not None:
            translated = replace(translated, hypotheses=tuple(map(self._with_term_restoration, translated.hypotheses)))
            self._usable += candidates(translated, self.part.marked.text, self._losses, self._cut, self._is_too_long)
        best = self.best
        if self._revises and best is not None and best.wants_revision:
            self._revises = False
            self._answer = self._sender.send_alone(replace(self._passage, draft=best.text))

    def _with_term_restoration(self, hypothesis: Hypothesis) -> Hypothesis:
        return keep_terms(hypothesis, self.part.marked.text, self._terms, self._passage.target_language)

    def _losses(self, text: str) -> Losses:
        return self._checker.losses(self.part.marked.text, text, self._terms)

    def _cut(self, text: str, attention: Attention) -> tuple[Row, ...]:
        return tuple(rows_of(self._group, text, attention, self._rules))

    def _is_too_long(self, rows: tuple[Row, ...]) -> bool:
        lines = self._group.lines
        if len(lines) == 1:
            return self._passage.budget is not None and visible_length(rows[0].text) > self._passage.budget
        return any(
            is_too_long(row.text, lines[row.after - 1].end_ms - lines[row.first].start_ms, self._rules) for row in rows
        )


def _translated(answer: Future[Translated]) -> Translated | None:
    try:
        return answer.result()
    except EngineRefused as error:
        if error.problem in _TEXT_PROBLEMS:
            return None
        raise
