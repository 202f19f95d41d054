"""How captions look in the picture: one value that the preview, the export and the ASS download draw from.

Lengths are pixels of a picture whose shorter side is 1080; they grow and shrink with the picture.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from cluster.wording.message import Message
from pipelines.messages.json_message import JsonMessage

DEFAULT_FAMILY = "DejaVu Sans"

CHOSEN_FAMILIES = {
    DEFAULT_FAMILY: ("DejaVuSans.ttf",),
    "Inter": ("Inter-Regular.ttf", "Inter-Bold.ttf"),
    "Atkinson Hyperlegible": ("AtkinsonHyperlegible-Regular.ttf", "AtkinsonHyperlegible-Bold.ttf"),
    "Montserrat": ("Montserrat-Regular.ttf", "Montserrat-Bold.ttf"),
    "Noto Serif": ("NotoSerif-Regular.ttf", "NotoSerif-Bold.ttf"),
    "Anton": ("Anton-Regular.ttf",),
}
"""The families that people choose, with their files: regular, and bold where there is one. libass thickens others."""

UNKNOWN_FONT = Message(
    "pipelines.messages.unknown_font", "This font is not among those that captions can have. Choose one of the list."
)
SPEAKER_COLOURS_MAX = 200


class BoxKind(StrEnum):
    """What lies behind the letters: nothing, one box behind all rows, or a box behind each row."""

    NONE = "none"
    BLOCK = "block"
    ROWS = "rows"


class Karaoke(StrEnum):
    """What happens to a word while it is spoken.

    `fill` colours each word from the time it is spoken; `highlight` only the word now; `pop` enlarges it as well.
    """

    NONE = "none"
    FILL = "fill"
    HIGHLIGHT = "highlight"
    POP = "pop"


def _bundled(family: str) -> str:
    if family not in CHOSEN_FAMILIES:
        raise ValueError(UNKNOWN_FONT)
    return family


Family = Annotated[str, Field(max_length=60), AfterValidator(_bundled)]
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Label = Annotated[str, Field(min_length=1, max_length=20)]


class CaptionStyle(JsonMessage):
    """A style. `fit`: the size shrinks until this many letters fit into a row; 0 never shrinks it.

    `align` is a place on the numeric keypad: 2 is bottom centre. `speaker_colours` are by canonical label (`S1`).
    """

    model_config = ConfigDict(extra="ignore", frozen=True)

    font: Family = DEFAULT_FAMILY
    size: float = Field(56, ge=16, le=240)
    fit: int = Field(42, ge=0, le=80)
    bold: bool = False
    italic: bool = False
    uppercase: bool = False
    spacing: float = Field(0, ge=0, le=20)
    colour: Colour = "#ffffff"
    outline: float = Field(3, ge=0, le=20)
    outline_colour: Colour = "#000000"
    shadow: float = Field(1, ge=0, le=20)
    shadow_colour: Colour = "#000000"
    box: BoxKind = BoxKind.NONE
    box_colour: Colour = "#000000"
    box_opacity: float = Field(0.75, ge=0, le=1)
    box_padding: float = Field(14, ge=0, le=60)
    align: int = Field(2, ge=1, le=9)
    margin_x: float = Field(60, ge=0, le=400)
    margin_y: float = Field(60, ge=0, le=800)
    speaker_colours: dict[Label, Colour] = Field({}, max_length=SPEAKER_COLOURS_MAX)
    karaoke: Karaoke = Karaoke.NONE
    karaoke_colour: Colour = "#ffd54a"


DEFAULT_STYLE = CaptionStyle()
