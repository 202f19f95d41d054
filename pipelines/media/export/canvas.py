"""The size of an exported picture, and the filters that bring the original to it."""

from __future__ import annotations

from dataclasses import dataclass

from pipelines.media.playback import fit_size
from pipelines.messages.export_form import Aspect, Fit, PictureForm

LONG_SIDE_PX = 3840
SHORT_SIDE_PX = 2160
_RATIOS = {Aspect.WIDE: (16, 9), Aspect.TALL: (9, 16), Aspect.SQUARE: (1, 1)}
_SAME_RATIO = 0.01
"""Aspects that differ by less count as the same: 1366 by 768 is 16:9."""
_BLUR_DIVISOR = 8
"""The picture behind is blurred at an eighth of its size, where a small box blurs much at little cost."""


@dataclass(frozen=True, slots=True)
class Canvas:
    """The exported picture in pixels. `filters` turn a picture of the original into it."""

    width: int
    height: int
    filters: str


def canvas(width: int, height: int, form: PictureForm) -> Canvas:
    """The canvas of an original shown at `width` by `height` pixels. Nothing is enlarged, and sides are even."""
    ratio = _RATIOS.get(form.aspect)
    if ratio is None or abs(ratio[0] * height / (ratio[1] * width) - 1) < _SAME_RATIO:
        out = _size(width, height, form.short_side)
        return Canvas(*out, f"scale={out[0]}:{out[1]},setsar=1")
    across, down = ratio
    if form.fit is Fit.CROP:
        share_x = min(1.0, height * across / down / width)
        share_y = min(1.0, width * down / across / height)
        out = _size(round(width * share_x), round(height * share_y), form.short_side)
        crop = f"crop=iw*{share_x:.6f}:ih*{share_y:.6f}:(iw-ow)*{form.crop_x:.4f}:(ih-oh)*{form.crop_y:.4f}"
        return Canvas(*out, f"{crop},scale={out[0]}:{out[1]},setsar=1")
    short = min(width, height)
    scale = short / min(across, down)
    out = _size(round(across * scale), round(down * scale), form.short_side)
    inner = _inside(width, height, *out)
    shown = f"scale={inner[0]}:{inner[1]},setsar=1"
    if form.fit is Fit.PAD:
        return Canvas(*out, f"{shown},pad={out[0]}:{out[1]}:(ow-iw)/2:(oh-ih)/2:color=black")
    small = max(2, out[0] // _BLUR_DIVISOR // 2 * 2), max(2, out[1] // _BLUR_DIVISOR // 2 * 2)
    behind = (
        f"scale={small[0]}:{small[1]}:force_original_aspect_ratio=increase,crop={small[0]}:{small[1]},"
        f"avgblur=sizeX={max(1, small[0] // 24)},scale={out[0]}:{out[1]}:flags=bilinear,setsar=1"
    )
    return Canvas(
        *out,
        f"split[front][copy];[copy]{behind}[behind];[front]{shown}[inner];"
        "[behind][inner]overlay=(W-w)/2:(H-h)/2,setsar=1",
    )


def largest_short_side(width: int, height: int, aspect: Aspect, fit: Fit) -> int:
    """The short side of the canvas without a limit: what may be chosen without enlarging the original."""
    out = canvas(width, height, PictureForm(aspect, fit))
    return min(out.width, out.height)


def _size(width: int, height: int, short_side: int | None) -> tuple[int, int]:
    return fit_size(width, height, LONG_SIDE_PX, min(SHORT_SIDE_PX, short_side or SHORT_SIDE_PX))


def _inside(width: int, height: int, room_x: int, room_y: int) -> tuple[int, int]:
    """The largest even size with the original's aspect inside this room."""
    scale = min(1.0, room_x / width, room_y / height)
    return max(2, int(width * scale / 2) * 2), max(2, int(height * scale / 2) * 2)
