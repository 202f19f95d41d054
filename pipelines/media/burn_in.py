"""A video with its captions drawn into the picture."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

from pipelines.captions.ass_document import write_ass
from pipelines.captions.lines import BOTTOM_CENTRE, CaptionLine
from pipelines.captions.style import DEFAULT_STYLE, CaptionStyle
from pipelines.media.ffmpeg import render, source
from pipelines.media.font_files import FONTS_DIR
from pipelines.media.limits import render_limits
from pipelines.media.playback import display_filters, fit_size, h264, mp4_output, sound
from pipelines.media.probe import MediaFacts

STAGE = "export"
FAILURE = "The captions could not be drawn into this file. Try the export with a subtitle track instead."

# Fixed names, relative to the work folder: no text of a user ever enters a filter graph.
_SCRIPT = "captions.ass"
_FONTS = "fonts"
_DRAW = f"ass={_SCRIPT}:fontsdir={_FONTS}"

_LONG_SIDE_PX = 3840
_SHORT_SIDE_PX = 2160
_FULL_HD_KBIT = 8000
_FULL_HD_PIXELS = 1920 * 1080
CARD_SIZE = (1280, 720)
"""The picture under the captions of a file without video."""
_CARD_COLOUR = "0x11151c"
_CARD_FPS = 10


def burn_in(
    path: Path,
    facts: MediaFacts,
    lines: Sequence[CaptionLine],
    target: Path,
    style: CaptionStyle = DEFAULT_STYLE,
) -> Generator[int, None, None]:
    """Write an MP4 like the original with `lines` drawn in; a file without video gets a dark picture for them.

    Yields the milliseconds written.
    """
    work = target.parent
    (work / _FONTS).unlink(missing_ok=True)
    (work / _FONTS).symlink_to(FONTS_DIR, target_is_directory=True)
    arguments = source(path, offset_ms=facts.clock_offset_ms)
    if facts.video is None:
        screen, style = CARD_SIZE, card_style(style)
        seconds = f"{facts.duration_ms / 1000:.3f}"
        picture = f"color=c={_CARD_COLOUR}:s={screen[0]}x{screen[1]}:r={_CARD_FPS}:d={seconds},{_DRAW}[drawn]"
        arguments += ["-filter_complex", picture, "-map", "[drawn]", *h264(crf=20, max_kbit=2000)]
    else:
        screen = fit_size(facts.video.width, facts.video.height, _LONG_SIDE_PX, _SHORT_SIDE_PX)
        picture = f"{display_filters(facts.video, *screen)},{_DRAW}"
        arguments += ["-map", f"0:{facts.video.index}", "-vf", picture, *h264(crf=20, max_kbit=_ceiling(screen))]
    if facts.audio is not None:
        arguments += ["-map", f"0:{facts.audio.index}", *sound(facts)]
        if facts.video is None:
            # A header may state four hours where one second of sound follows: do not render the rest.
            arguments.append("-shortest")
    (work / _SCRIPT).write_text(write_ass(lines, style, *screen), encoding="utf-8")
    limits = render_limits(facts.duration_ms, facts.size_bytes)
    yield from render(STAGE, [*arguments, *mp4_output(target)], limits=limits, cwd=work, failure=FAILURE)


def card_style(style: CaptionStyle) -> CaptionStyle:
    """The style on a picture that shows nothing else: captions stand in its middle, unless they are at another edge."""
    return style.model_copy(update={"align": 5}) if style.align == BOTTOM_CENTRE else style


def _ceiling(screen: tuple[int, int]) -> int:
    """Kilobits a second: 8,000 at full HD, in proportion to the picture, within reason at both ends."""
    return min(24_000, max(1500, _FULL_HD_KBIT * screen[0] * screen[1] // _FULL_HD_PIXELS))
