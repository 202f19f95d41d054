"""Pictures of screens, each with its name, on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WIDTH = 1900
GAP = 16
LABEL_HEIGHT = 30
_PAPER, _INK = (214, 214, 208), (30, 30, 30)


def write_sheet(pictures: Sequence[Path], target: Path, columns: int) -> None:
    """Put the pictures, all of one size, in rows on a sheet of at most `WIDTH` pixels. A label is a file's name."""
    opened = [Image.open(path).convert("RGB") for path in pictures]
    full_width, full_height = opened[0].size
    wide = min(full_width, (WIDTH - GAP) // columns - GAP)
    high = round(full_height * wide / full_width)
    rows = -(-len(opened) // columns)
    sheet = Image.new("RGB", (GAP + columns * (wide + GAP), GAP + rows * (high + LABEL_HEIGHT + GAP)), _PAPER)
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(18)
    for number, (path, picture) in enumerate(zip(pictures, opened, strict=True)):
        left = GAP + number % columns * (wide + GAP)
        top = GAP + number // columns * (high + LABEL_HEIGHT + GAP)
        draw.text((left, top + 4), path.stem, _INK, font)
        sheet.paste(picture.resize((wide, high), Image.Resampling.LANCZOS), (left, top + LABEL_HEIGHT))
    sheet.save(target, optimize=True)
