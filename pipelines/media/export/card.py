"""The picture of sound that is exported with its captions drawn in: a dark card, with the file's cover on it."""

from __future__ import annotations

from pathlib import Path

from pipelines.media.ffmpeg import own_file
from pipelines.media.poster import make_poster
from pipelines.media.probe import MediaFacts
from pipelines.messages.caption_style import CaptionStyle
from pipelines.messages.export_form import Aspect
from pipelines.messages.lines import BOTTOM_CENTRE

_COLOUR = "0x11151c"
_FPS = 10
CARD_SIZE = (1280, 720)
"""The picture under the captions of a file without video."""
_SIZES = {Aspect.TALL: (720, 1280), Aspect.SQUARE: (720, 720)}
_COVER = "cover.jpg"


def card_size(aspect: Aspect) -> tuple[int, int]:
    return _SIZES.get(aspect, CARD_SIZE)


def card_style(style: CaptionStyle, *, has_cover: bool) -> CaptionStyle:
    """On an empty card captions stand in its middle, unless they are at another edge. A cover they leave in sight."""
    if has_cover or style.align != BOTTOM_CENTRE:
        return style
    return style.model_copy(update={"align": 5})


def make_cover(path: Path, facts: MediaFacts, work: Path) -> list[str]:
    """Write the cover as a picture of ours into the work folder. Returns the arguments that open it, none without one.

    A cover that cannot be read counts as none.
    """
    return own_file(_COVER, "image2") if make_poster(path, facts, work / _COVER, width=CARD_SIZE[0]) else []


def card_graph(size: tuple[int, int], length_ms: int, draw: str, *, has_cover: bool) -> str:
    """The filter graph that makes `[drawn]`. A cover is the second input."""
    width, height = size
    card = f"color=c={_COLOUR}:s={width}x{height}:r={_FPS}:d={length_ms / 1000:.3f}"
    if not has_cover:
        return f"{card},{draw}[drawn]"
    fitted = f"[1:v]scale={width}:{height}:force_original_aspect_ratio=decrease,setsar=1[cover]"
    return f"{fitted};{card}[card];[card][cover]overlay=(W-w)/2:(H-h)/2,{draw}[drawn]"
