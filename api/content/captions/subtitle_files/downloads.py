"""The captions of a track as a file to download, and what that file cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Query
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.loading import Captions
from api.content.captions.speakers import names_of
from api.content.files.models import File, FileKind
from api.content.styles.service import style_of
from pipelines.captions.forms import registry
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.json_form import line_from_json
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.media.export.card import CARD_SIZE, card_style
from pipelines.messages.caption_style import CaptionStyle, Karaoke

FRAME_RATE_MAX = 120

CaptionFormQuery: TypeAlias = Annotated[CaptionFormat, Query(alias="format")]
FrameRate: TypeAlias = Annotated[float | None, Query(ge=1, le=FRAME_RATE_MAX, description="Frames per second.")]

DEFAULT_FPS = 25.0
DEFAULT_PICTURE = (1920, 1080)
"""For videos whose size is not known yet."""


def drawing_of(file: File, style: CaptionStyle) -> tuple[CaptionStyle, tuple[int, int]]:
    """The style and the picture, in pixels, in which an export of the file draws its captions: for sound, the card."""
    if file.kind == FileKind.AUDIO:
        return card_style(style, has_cover=file.poster_key is not None), CARD_SIZE
    return style, (file.width, file.height) if file.width and file.height else DEFAULT_PICTURE


@dataclass(frozen=True, slots=True)
class Download:
    """What a file is made of.

    `only_forced`: of the captions those alone that people without subtitles see as well. `fps`: None for the frame rate
    of the media. `from_timecode`: forms that count frames do so from the time address of
    the media's first one, if it has one.
    """

    captions: Captions
    form: CaptionFormat
    speakers: SpeakerStyle
    fps: float | None
    names: Mapping[str, str]
    style: CaptionStyle
    from_timecode: bool = False
    only_forced: bool = False

    def content(self) -> bytes:
        """The content of the file. Takes seconds for many lines."""
        return registry.write(self.form, self._document())

    def losses(self) -> list[str]:
        """Sentences on what the file cannot hold."""
        return registry.losses(self.form, self._document())

    def _document(self) -> Document:
        file = self.captions.file
        lights_words = self.form is CaptionFormat.ASS and self.style.karaoke is not Karaoke.NONE
        needs_words = self.form is CaptionFormat.JSON or lights_words
        values = self.captions.values
        lines = [line_from_json(line) for line in values] if needs_words else self.captions.texts
        lines = [line for line in lines if line.forced] if self.only_forced else lines
        rate = self.fps or file.fps or DEFAULT_FPS
        drawing = drawing_of(file, self.style)
        start = (file.timecode or "") if self.from_timecode else ""
        return Document(lines, self.captions.language, self.names, self.speakers, file.name, rate, *drawing, start)


async def download_of(
    session: AsyncSession,
    captions: Captions,
    form: CaptionFormat,
    speakers: SpeakerStyle,
    fps: float | None,
    *,
    from_timecode: bool = False,
    only_forced: bool = False,
) -> Download:
    """A download with the speakers' names and the caption style of its file."""
    style = (await style_of(session, captions.file)).style
    names = await names_of(session, captions.file.id)
    return Download(captions, form, speakers, fps, names, style, from_timecode, only_forced)
