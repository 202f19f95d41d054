from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from api.platform.http.pages.language import PageText
from api.platform.http.text import CLEAN_LINE
from pipelines.captions.limits import SPEAKER_NAME_MAX, SPEAKERS_MAX
from pipelines.captions.texts.speaker_names import COLOURS

LINES_AT_ONCE = 20_000


class DetectionState(StrEnum):
    """How far the detection of speakers is. `none`: nobody has started it.

    `omitted`: it was asked for with the upload, and no engine here could do it.
    """

    NONE = "none"
    OMITTED = "omitted"
    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


class SampleOut(BaseModel):
    """Where in the sound the voice can be heard alone."""

    start_ms: int
    end_ms: int


class VoiceSuggestion(BaseModel):
    """The known voice of the team that a speaker without a name sounds like. `similarity` is a percentage."""

    name: str
    similarity: int


class SpeakerOut(BaseModel):
    """`label` is canonical; `name` is what people call the speaker, null until somebody says; `shown` is either in
    words. `lines` and `spoken_ms` count the transcription's lines.
    """

    label: str
    name: str | None
    shown: str
    colour: int
    lines: int
    spoken_ms: int
    sample: SampleOut | None
    suggestion: VoiceSuggestion | None


class SpeakersOut(BaseModel):
    """Who speaks in a file. `can_detect` is false where no engine works; `reason` then says why and what to do.

    `revision` is that of the transcription's captions. `notes` are sentences about the last detection.
    """

    state: DetectionState
    progress: int
    eta_s: int | None
    queue_place: int | None
    error: PageText | None
    engine: PageText | None
    notes: list[PageText]
    can_detect: bool
    reason: PageText | None
    revision: int
    can_undo: bool
    speakers: list[SpeakerOut]


class Detection(BaseModel):
    """How many people speak; detected when unset."""

    speakers: int | None = Field(None, ge=1, le=SPEAKERS_MAX)


class SpeakerChange(BaseModel):
    """A new name (empty: none), a new colour, or both. The name of another speaker asks to merge the two."""

    name: Annotated[str, StringConstraints(max_length=SPEAKER_NAME_MAX), CLEAN_LINE] | None = None
    colour: int | None = Field(None, ge=0, lt=COLOURS)


class NewSpeaker(BaseModel):
    """A speaker whom a person adds. Without a name, the number stands for one; without a colour, the next is taken."""

    name: Annotated[str, StringConstraints(max_length=SPEAKER_NAME_MAX), CLEAN_LINE] = ""
    colour: int | None = Field(None, ge=0, lt=COLOURS)


class SpeakerMerge(BaseModel):
    into: str = Field(max_length=20)


class Reassignment(BaseModel):
    """Lines and who speaks them: a label, null for nobody, or `new` for a speaker of their own."""

    lines: list[uuid.UUID] = Field(min_length=1, max_length=LINES_AT_ONCE)
    speaker: str | None = Field(None, max_length=20)
