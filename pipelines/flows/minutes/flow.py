"""The flow of kind `minutes`: write a text from a transcript, in two steps.

Each section of 8 to 10 minutes becomes claims that name their lines, then the text is written from the claims alone.
Every sentence of the text thus carries the ids of lines, and is checked against them.
"""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Future
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from cluster.wording.message import Message, Wording
from pipelines.ai_text.blocks import minutes_blocks
from pipelines.ai_text.claims import Tongues, distinct
from pipelines.ai_text.coverage import coverage
from pipelines.ai_text.refusal import base_code, needs_translation, text_refusal
from pipelines.ai_text.translated import translated
from pipelines.flows.minutes.composition import Composer
from pipelines.flows.minutes.note_taking import TextClient, finished_sections
from pipelines.flows.minutes.sentence_translation import SentenceTranslator, translations
from pipelines.flows.transcribe.windows import refused
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Attempt, Chunk, Progress, Result, StageFailed
from pipelines.messages.minutes import (
    Claim,
    MinutesRequest,
    MinutesResult,
    SectionNotes,
    TextBlock,
    TextLine,
    TextType,
    WrittenBlock,
)
from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.text.messages import ClaimKind
from serve.tasks.translation.messages import Passage, Translated

if TYPE_CHECKING:
    from serve.core.client import ModelClient

STAGE = "minutes"
READING, WRITING = "reading", "writing"
NO_TEXT = Message(
    "pipelines.flows.no_text",
    "These captions hold no text yet, so there is nothing to write about. Transcribe the file first.",
)
NOTHING_FOUND = Message(
    "pipelines.flows.nothing_found", "The text model found nothing to write about in these captions."
)
SELECTION_TRANSLATED = Message(
    "pipelines.flows.selection_translated", "The selected sentences were translated by the translation model."
)
UNSUPPORTED_ONE = Message(
    "pipelines.flows.unsupported_one", "1 sentence is marked because the cited lines do not support it fully."
)
UNSUPPORTED = Wording(
    "pipelines.flows.unsupported", "{count} sentences are marked because the cited lines do not support them fully."
)
LEFT_OUT_ONE = Message(
    "pipelines.flows.left_out_one", "1 sentence is left out because the model named no line of the transcript for it."
)
LEFT_OUT = Wording(
    "pipelines.flows.left_out",
    "{count} sentences are left out because the model named no line of the transcript for them.",
)


def run(request: MinutesRequest, attempt: Attempt) -> Generator[Progress | Chunk | Result]:
    """Write the text with the models of the cluster."""
    # Imported here because they import Ray, which callers of `write` with other clients do not need.
    from serve.core.client import ModelClient
    from serve.tasks.text.task import TEXT_WORK

    with closing(ModelClient(TEXT_WORK)) as client, closing(_ClusterTranslator()) as translator:
        yield from write(request, attempt, client=client, translator=translator)


def write(
    request: MinutesRequest, attempt: Attempt, *, client: TextClient, translator: SentenceTranslator
) -> Generator[Progress | Chunk | Result]:
    """Yield a `Chunk` for each section, progress in lines, a `Chunk` for each written block, then the result.

    Sections that an earlier attempt finished are skipped. Closing the generator cancels what is in flight.
    Raises only `StageFailed`.
    """
    lines = [line for line in request.lines if line.text.strip()]
    if not lines:
        raise StageFailed(STAGE, NO_TEXT, retryable=False)
    yield Progress(READING, 0, len(lines), "lines")
    try:
        info = client.describe()
        _require(request, info, translator)
        yield from _Writing(request, attempt, lines, client, translator, info).values()
    except EngineRefused as error:
        raise refused(STAGE, error) from error


def _require(request: MinutesRequest, info: EngineInfo, translator: SentenceTranslator) -> None:
    """Raise `StageFailed` before any work when the engines cannot write this text."""
    helper = None
    if needs_translation(info, request.language, request.source_language):
        helper = translator.describe()
    sentence = text_refusal(info, helper, type=request.type, language=request.language, source=request.source_language)
    if sentence is not None:
        raise StageFailed(STAGE, sentence, retryable=False, code=LANGUAGE_UNSUPPORTED)


class _Writing:
    """One attempt at one text."""

    def __init__(
        self,
        request: MinutesRequest,
        attempt: Attempt,
        lines: list[TextLine],
        client: TextClient,
        translator: SentenceTranslator,
        info: EngineInfo,
    ) -> None:
        source = base_code(request.source_language)
        self._request = request
        self._attempt = attempt
        self._lines = lines
        self._client = client
        self._translator = translator
        self._info = info
        self._is_translated = needs_translation(info, request.language, request.source_language)
        # An engine that selects writes in the language of the transcript. Where nobody knows that, it is the text's.
        self._final = Tongues(base_code(request.language), source or base_code(request.language))
        self._written = Tongues(self._final.source, self._final.source) if info.only_selects else self._final
        self._blocks: list[TextBlock] = []
        self._dropped = 0
        self._uncited = 0

    def values(self) -> Generator[Progress | Chunk | Result]:
        claims = yield from self._claims()
        if not claims:
            raise StageFailed(STAGE, NOTHING_FOUND, retryable=not self._info.only_selects)
        yield self._progress(WRITING)
        title = yield from self._text(claims)
        yield self._progress(WRITING)
        yield Result(self._result(title or self._request.title))

    def _claims(self) -> Generator[Progress | Chunk, None, list[Claim]]:
        """The claims of all sections in order, without repeats."""
        total, done_lines = len(self._lines), 0
        notes: dict[tuple[int, int], SectionNotes] = {}
        finished = finished_sections(self._request, self._lines, self._attempt, self._client, self._info, self._written)
        with closing(finished):
            for done in finished:
                if done is not None:
                    done_lines += done.new_lines
                    notes[done.section.core, done.section.end] = done.notes
                    if done.is_new:
                        yield Chunk(done.key, done.notes)
                # Yield even when nothing finished: the reader can stop this attempt only between two values.
                yield Progress(READING, min(done_lines, total), total, "lines")
        ordered = [notes[position] for position in sorted(notes)]
        self._dropped += sum(each.dropped for each in ordered)
        return distinct([claim for each in ordered for claim in each.claims])

    def _text(self, claims: list[Claim]) -> Generator[Progress | Chunk, None, str]:
        """Write the blocks; each is handed over as soon as it is written. Returns the title."""
        by_id = {line.id: line for line in self._lines}
        composer = Composer(self._request, self._attempt.job_id, self._client, self._info, self._written, by_id)
        is_minutes = self._request.type is TextType.MINUTES
        points = [claim for claim in claims if claim.kind is ClaimKind.POINT] if is_minutes else claims
        title = ""
        bullets: list[TextBlock] = []
        written = composer.compose(points)
        with closing(written):
            for portion in written:
                if portion is None:
                    yield self._progress(WRITING)
                    continue
                title = title or portion.title
                self._uncited += portion.uncited
                if is_minutes:
                    bullets += portion.blocks
                else:
                    yield from self._hand_over(portion.blocks)
        if is_minutes:
            yield from self._hand_over(minutes_blocks(bullets, claims, self._written.text))
        self._dropped += composer.dropped
        return title

    def _hand_over(self, blocks: list[TextBlock]) -> Generator[Progress | Chunk]:
        if self._is_translated:
            texts = [sentence.text for block in blocks for sentence in block.sentences]
            waiting = translations(texts, self._attempt.job_id, self._final, self._translator)
            found: dict[str, str] = {}
            with closing(waiting):
                while True:
                    try:
                        next(waiting)
                    except StopIteration as end:
                        found = end.value
                        break
                    yield self._progress(WRITING)
            by_id = {line.id: line for line in self._lines}
            blocks = [translated(block, found, by_id, self._final) for block in blocks]
        for block in blocks:
            index = len(self._blocks)
            self._blocks.append(block)
            yield Chunk(f"block-{index:05}", WrittenBlock(index=index, block=block))

    def _progress(self, phase: str) -> Progress:
        return Progress(phase, len(self._lines), len(self._lines), "lines")

    def _result(self, title: str) -> MinutesResult:
        sentences = [sentence for block in self._blocks for sentence in block.sentences if sentence.line_ids]
        if not sentences:
            raise StageFailed(STAGE, NOTHING_FOUND, retryable=not self._info.only_selects)
        supported = {line for sentence in sentences if not sentence.unsupported for line in sentence.line_ids}
        covered = coverage(self._lines, supported)
        return MinutesResult(
            type=self._request.type,
            language=self._request.language,
            engine=self._info,
            title=title,
            blocks=tuple(self._blocks),
            covered_ms=covered.covered_ms,
            total_ms=covered.total_ms,
            notes=tuple(self._notes(sum(sentence.unsupported for sentence in sentences))),
        )

    def _notes(self, unsupported: int) -> list[str]:
        notes = [self._info.note] if self._info.only_selects and self._info.note else []
        if self._is_translated:
            notes.append(SELECTION_TRANSLATED)
        if unsupported:
            notes.append(UNSUPPORTED_ONE if unsupported == 1 else UNSUPPORTED(count=unsupported))
        if left_out := self._dropped + self._uncited:
            notes.append(LEFT_OUT_ONE if left_out == 1 else LEFT_OUT(count=left_out))
        return notes


class _ClusterTranslator:
    """The cluster's translation model, reached only when a text needs it."""

    def __init__(self) -> None:
        self._client: ModelClient[Passage, Translated] | None = None

    def describe(self) -> EngineInfo | None:
        from ray.exceptions import RayError

        from serve.core.capability_store import published
        from serve.tasks.translation.messages import TRANSLATION

        # What is published also covers a model that is idle; asking the deployment would first start it.
        with suppress(RayError):
            return published(TRANSLATION).loaded
        return None

    def submit(self, passage: Passage) -> Future[Translated]:
        from serve.core.client import ModelClient
        from serve.tasks.translation.task import TRANSLATION_TASK

        if self._client is None:
            self._client = ModelClient(TRANSLATION_TASK)
        return self._client.submit(passage)

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
