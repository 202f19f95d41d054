"""The text of a finished request, read from the parts that its jobs left."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.edges.speech.models import SpeechRequest, SpeechTask
from api.edges.speech.speakers import SpeakerTurns
from api.edges.speech.work import TEXT_KINDS
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.states import JobKind
from pipelines.captions.line_builder import lines_from_segments
from pipelines.captions.texts.text import join_words
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionLine
from pipelines.messages.results import TranscribedWindow
from pipelines.messages.translate import TargetLine, TranslatedGroup
from serve.tasks.transcription.messages import Segment

PartT = TypeVar("PartT", bound=JsonMessage)


@dataclass(frozen=True, slots=True)
class SpeechText:
    """`segments` as the model gave them; `english` has the lines of a translation, None without one.

    `said`: who speaks when, where the program wants to know.
    """

    request: SpeechRequest
    segments: tuple[Segment, ...]
    english: tuple[TargetLine, ...] | None
    said: SpeakerTurns | None = None

    @property
    def text(self) -> str:
        return joined(part.text for part in self.parts)

    @property
    def parts(self) -> Sequence[Segment | TargetLine]:
        return self.segments if self.english is None else self.english

    @property
    def seconds(self) -> float:
        return (self.request.duration_ms or 0) / 1000

    def lines(self) -> list[CaptionLine]:
        """The text as captions. Takes a while for hours of sound."""
        if self.english is None:
            return lines_from_segments(self.segments, DEFAULT_RULES)
        return [
            CaptionLine(id=str(index), start_ms=line.start_ms, end_ms=line.end_ms, text=line.text)
            for index, line in enumerate(self.english)
        ]


def joined(texts: Iterable[str]) -> str:
    return join_words([text for part in texts if (text := " ".join(part.split()))])


async def windows_of(session: AsyncSession, request_id: uuid.UUID) -> list[TranscribedWindow]:
    """The finished windows of the sound so far, in order. Some may be missing between them."""
    windows = await _parts(session, request_id, TEXT_KINDS, TranscribedWindow)
    return sorted(windows, key=lambda window: window.index)


async def text_of(session: AsyncSession, request: SpeechRequest) -> SpeechText:
    windows = await windows_of(session, request.id)
    segments = tuple(segment for window in windows for segment in window.segments)
    if request.task == SpeechTask.TRANSCRIBE:
        if request.speakers is None:
            return SpeechText(request, segments, None)
        said = await _parts(session, request.id, (JobKind.SPEECH_SPEAKERS,), SpeakerTurns)
        return SpeechText(request, segments, None, said[0] if said else SpeakerTurns(turns=()))
    groups = await _parts(session, request.id, (JobKind.SPEECH_ENGLISH,), TranslatedGroup)
    lines = tuple(line for group in sorted(groups, key=lambda group: group.index) for line in group.lines)
    return SpeechText(request, segments, lines if groups else None)


async def _parts(
    session: AsyncSession, request_id: uuid.UUID, kinds: Sequence[JobKind], form: type[PartT]
) -> list[PartT]:
    statement = (
        select(JobChunk.payload)
        .join(Job, Job.id == JobChunk.job_id)
        .where(Job.subject_id == request_id, Job.kind.in_(kinds))
    )
    return [form.from_json(payload) for payload in await session.scalars(statement)]
