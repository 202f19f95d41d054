from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, StringConstraints

from pipelines.captions.limits import SPEAKER_NAME_MAX


class KnownVoiceOut(BaseModel):
    """A voice that people named: in how many files, how long it speaks there, and when it was last learned."""

    name: str
    files: int
    spoken_ms: int
    learned_at: datetime


class KnownVoicesOut(BaseModel):
    """Whether the team knows voices, and which. `may_switch` and `may_forget` are what the viewer may do."""

    is_on: bool
    may_switch: bool
    may_forget: bool
    voices: list[KnownVoiceOut]


class VoicesSwitch(BaseModel):
    """Off forgets every voice."""

    is_on: bool


class ForgottenVoice(BaseModel):
    name: Annotated[str, StringConstraints(min_length=1, max_length=SPEAKER_NAME_MAX)]
