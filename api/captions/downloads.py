"""The captions of a track as a file to download, and what that file cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from fastapi import Query

from api.captions.service import Captions
from pipelines.captions.forms import registry
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.json_form import line_from_json
from pipelines.captions.speaker_names import SpeakerStyle

FRAME_RATE_MAX = 120

CaptionFormQuery: TypeAlias = Annotated[CaptionFormat, Query(alias="format")]
FrameRate: TypeAlias = Annotated[float | None, Query(ge=1, le=FRAME_RATE_MAX, description="Frames per second.")]

DEFAULT_FPS = 25.0


def content_of(
    captions: Captions, form: CaptionFormat, names: Mapping[str, str], speakers: SpeakerStyle, fps: float | None = None
) -> bytes:
    """The content of the file. `fps`: None for the frame rate of the media."""
    return registry.write(form, _document(captions, form, names, speakers, fps))


def losses_of(
    captions: Captions, form: CaptionFormat, names: Mapping[str, str], speakers: SpeakerStyle, fps: float | None = None
) -> list[str]:
    """Sentences on what the file cannot hold."""
    return registry.losses(form, _document(captions, form, names, speakers, fps))


def _document(
    captions: Captions, form: CaptionFormat, names: Mapping[str, str], speakers: SpeakerStyle, fps: float | None
) -> Document:
    is_json = form is CaptionFormat.JSON
    lines = [line_from_json(line) for line in captions.values] if is_json else captions.texts
    rate = fps or captions.file.fps or DEFAULT_FPS
    return Document(lines, captions.language, names, speakers, captions.file.name, rate)
