"""Sends the sections of one transcript to the text model, a bounded number at a time, and takes their claims."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pipelines.ai_text.claims import Tongues, grounded
from pipelines.ai_text.sections import Section, halves, sections
from pipelines.languages import language_label
from pipelines.messages.attempt import Attempt
from pipelines.messages.minutes import MinutesRequest, SectionNotes, TextLine
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.text.messages import (
    PROMPT_TOKENS,
    SECTION_TOKENS,
    Language,
    SectionClaims,
    SectionItem,
    SpokenLine,
    TextItem,
    TextOutcome,
)

IN_FLIGHT = 8
"""Sections of one file at the model: a batch of a GPU, few enough to leave room for other files."""
YIELD_EVERY_S = 2.0

Value = TypeVar("Value")


class TextClient(Protocol):
    """What the flow needs from the `Writer` deployment.

    Refusals are raised as `EngineRefused`. The client, not the flow, waits for an overloaded model.
    """

    def describe(self) -> EngineInfo: ...

    def submit(self, item: TextItem) -> Future[TextOutcome]: ...


@dataclass(frozen=True, slots=True)
class DoneSection:
    """The claims of a section. `new_lines` counts the lines that no earlier section has."""

    key: str
    section: Section
    notes: SectionNotes
    new_lines: int
    is_new: bool


def finished_sections(
    request: MinutesRequest,
    lines: Sequence[TextLine],
    attempt: Attempt,
    client: TextClient,
    info: EngineInfo,
    tongues: Tongues,
) -> Generator[DoneSection | None]:
    """Yield sections as they finish, and None now and then while none does. Closing it cancels those in flight.

    A section that is too long for the model, or whose answer is cut off, is done again in halves.
    """
    most = None if info.token_limit is None else max(1, info.token_limit - PROMPT_TOKENS - SECTION_TOKENS)
    todo = sections(lines, most_tokens=most)[::-1]
    waiting: dict[Future[TextOutcome], Section] = {}
    try:
        while todo or waiting:
            while todo and len(waiting) < IN_FLIGHT:
                section = todo.pop()
                if (earlier := _finished_before(section, attempt, info)) is not None:
                    yield _done_section(section, earlier, info, is_new=False)
                else:
                    waiting[client.submit(_item(request, lines, attempt, section, tongues))] = section
            if not waiting:
                continue
            done, _ = wait(waiting, timeout=YIELD_EVERY_S, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            # Hand over finished sections before a failure ends the attempt, so that the next attempt can skip them.
            for future in sorted(done, key=lambda future: future.exception() is not None):
                section = waiting.pop(future)
                claims = _claims(future)
                if (claims is None or not claims.is_complete) and (cut := halves(lines, section)):
                    todo += cut[::-1]
                elif claims is None:
                    future.result()
                else:
                    yield _done_section(section, _notes(section, claims, lines, tongues), info, is_new=True)
    finally:
        for future in waiting:
            future.cancel()


def spoken_language(code: str, locale: str) -> Language:
    return Language(code, language_label(locale) if code else "the language of the transcript")


def _claims(future: Future[TextOutcome]) -> SectionClaims | None:
    """The claims; None when the section was too long. Raises any other refusal."""
    try:
        outcome = future.result()
    except EngineRefused as refused:
        if refused.problem is EngineProblem.TOO_LONG:
            return None
        raise
    assert isinstance(outcome, SectionClaims)
    return outcome


def _item(
    request: MinutesRequest, lines: Sequence[TextLine], attempt: Attempt, section: Section, tongues: Tongues
) -> SectionItem:
    return SectionItem(
        stream=attempt.job_id,
        index=section.first,
        type=request.type,
        language=spoken_language(tongues.text, request.language),
        source=spoken_language(tongues.source, request.source_language),
        lines=tuple(SpokenLine(line.text, line.speaker) for line in lines[section.first : section.end]),
        title=request.title,
    )


def _notes(section: Section, claims: SectionClaims, lines: Sequence[TextLine], tongues: Tongues) -> SectionNotes:
    found, without = grounded(claims.claims, lines[section.first : section.end], tongues)
    return SectionNotes(index=section.first, claims=tuple(found), dropped=claims.dropped + without)


def _done_section(section: Section, notes: SectionNotes, info: EngineInfo, *, is_new: bool) -> DoneSection:
    return DoneSection(_key(section, info), section, notes, section.end - section.core, is_new)


def _key(section: Section, info: EngineInfo) -> str:
    # Another engine's claims may be in another language, so they are not reused.
    return f"section-{info.engine}-{section.key}"


def _finished_before(section: Section, attempt: Attempt, info: EngineInfo) -> SectionNotes | None:
    chunk = attempt.chunks.get(_key(section, info))
    return SectionNotes.read(chunk) if chunk is not None else None
