from __future__ import annotations

import uuid
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints, model_validator

from api.content.styles.models import CaptionStyleRow
from api.platform.http.limits import CAPTION_TEXT_MAX, STYLE_NAME_MAX
from api.platform.http.text import CLEAN_LINE
from cluster.wording.message import Message
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.messages.caption_style import CaptionStyle
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, WordStyle

PREVIEW_LINES_MAX = 200
"""Lines of one preview script: about ten minutes of speech."""
PREVIEW_SIDE_MAX = 8192
Name = Annotated[str, StringConstraints(min_length=1, max_length=STYLE_NAME_MAX), CLEAN_LINE]
PresetId = Annotated[str, Field(min_length=1, max_length=40)]
Time = Annotated[int, Field(ge=0, le=TIME_MS_MAX)]


class StyleScope(StrEnum):
    """Whose preset it is."""

    BUILT_IN = "built_in"
    USER = "user"
    TEAM = "team"


class PresetIn(BaseModel):
    """`is_default`: files of this owner have this style unless they chose another."""

    name: Name
    style: CaptionStyle
    is_default: bool = False


class NewPreset(PresetIn):
    """`scope`: whose preset. Without it the active team's if there is one, else one's own."""

    scope: StyleScope | None = None


class PresetOut(BaseModel):
    id: str
    name: str
    scope: StyleScope
    is_default: bool
    may_change: bool
    style: CaptionStyle


class FontOut(BaseModel):
    """A font that captions can have. `urls`: its files."""

    family: str
    urls: list[str]


class StylesOut(BaseModel):
    presets: list[PresetOut]
    fonts: list[FontOut]


class FileStyleIn(BaseModel):
    """`preset_id`: the preset that the style came from."""

    preset_id: PresetId | None = None
    style: CaptionStyle


class FileStyleOut(BaseModel):
    """The style with which a file is drawn. `is_own` is false where the file only follows the default."""

    preset_id: str | None
    is_own: bool
    style: CaptionStyle


class PlaceIn(BaseModel):
    align: int = Field(2, ge=1, le=9)
    x: float | None = Field(None, ge=0, le=1)
    y: float | None = Field(None, ge=0, le=1)


class DrawnWord(BaseModel):
    start_ms: Time
    end_ms: Time
    text: str = Field(max_length=CAPTION_TEXT_MAX)
    styles: list[WordStyle] = Field([], max_length=len(WordStyle))


class DrawnLine(BaseModel):
    """A line as the page shows it now, saved or not."""

    start_ms: Time
    end_ms: Time
    text: str = Field(max_length=CAPTION_TEXT_MAX)
    words: list[DrawnWord] = Field([], max_length=CAPTION_TEXT_MAX)
    speaker: str | None = Field(None, max_length=20)
    place: PlaceIn | None = None

    def to_line(self, number: int) -> CaptionLine:
        return CaptionLine(
            str(number),
            self.start_ms,
            self.end_ms,
            self.text,
            tuple(
                CaptionWord(word.start_ms, word.end_ms, word.text, styles=frozenset(word.styles)) for word in self.words
            ),
            speaker=self.speaker,
            place=None if self.place is None else LinePlace(self.place.align, self.place.x, self.place.y),
        )


class ScriptRequest(BaseModel):
    """Lines to draw over a picture of `width` by `height` pixels.

    `is_card`: over the plain picture of a sound that has no cover.
    """

    style: CaptionStyle
    width: int = Field(ge=16, le=PREVIEW_SIDE_MAX)
    height: int = Field(ge=16, le=PREVIEW_SIDE_MAX)
    is_card: bool = False
    lines: list[DrawnLine] = Field(max_length=PREVIEW_LINES_MAX)

    @model_validator(mode="after")
    def _bounded(self) -> ScriptRequest:
        if sum(len(line.words) for line in self.lines) > WORDS_MAX:
            raise ValueError(
                Message(
                    "styles.preview_too_long",
                    "A preview draws at most {count:,} words. Send fewer lines.",
                    count=WORDS_MAX,
                )
            )
        return self


WORDS_MAX = 4_000


class ScriptOut(BaseModel):
    """`ass`: the script. `fonts`: what it draws with. `missing`: characters that no bundled font draws."""

    ass: str
    fonts: list[FontOut]
    missing: list[str]


def describe(row: CaptionStyleRow, *, may_change: bool) -> PresetOut:
    return PresetOut(
        id=str(row.id),
        name=row.name,
        scope=StyleScope.USER if row.team_id is None else StyleScope.TEAM,
        is_default=row.is_default,
        may_change=may_change,
        style=CaptionStyle.read(row.style) or CaptionStyle(),
    )


def preset_key(preset_id: str) -> uuid.UUID | None:
    """The id of a row; None for anything else, such as the id of a built-in style."""
    try:
        return uuid.UUID(preset_id)
    except ValueError:
        return None
