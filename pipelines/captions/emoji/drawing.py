"""An emoji within the text of an ASS event: its shapes, each drawn over the one before.

A drawing moves the pen by the width of the box around it. So each has the same box, and a no-break space with negative
spacing takes the pen back for the next one (checked with libass 0.17 and the one of browsers).
"""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.emoji.artwork import ADVANCE, BASELINE, EM, GRID, Shape, shapes_of

BYTES_MAX = 32_000_000
"""Of all drawings in a script. libass keeps it in memory."""
_BOX = f"m 0 0 m {ADVANCE} {GRID}"


class EmojiDrawings:
    """The drawings of one script, of at most `bytes_max`: emoji beyond that are letters, in one colour.

    `em` and `space` are of the style's regular font: pixels, and ems of a space.
    """

    def __init__(self, *, em: float, space: float, has_boxes: bool, bytes_max: int) -> None:
        self._em, self._space, self._has_boxes = em, space, has_boxes
        self._left = bytes_max

    def codes(self, emoji: str, scale: float) -> str | None:
        """What draws it, with all codes taken back at its end; None where it is to be drawn as a letter."""
        shapes = shapes_of(emoji)
        if not shapes:
            return None
        drawn = self._drawn(shapes, scale)
        self._left -= len(drawn)
        return drawn if self._left >= 0 else None

    def _drawn(self, shapes: Sequence[Shape], scale: float) -> str:
        em = self._em * scale
        size = 100 * em / EM
        # Spacing is enlarged like the letters, so it is in units of the drawing.
        back = f"\\p0\\fsp-{ADVANCE + self._space * self._em:.2f}}}\\h{{\\p1\\fsp0"
        start = "{\\r\\b0\\i0"
        if self._has_boxes:
            # libass draws too small a box behind an enlarged drawing, so a space as wide as the emoji brings it.
            start += f"\\fsp{ADVANCE * em / EM - self._space * self._em:.2f}}}\\h{{\\3a&HFF&"
        start += f"\\bord0\\shad0\\fscx{size:.2f}\\fscy{size:.2f}\\pbo{BASELINE}"
        start += back if self._has_boxes else "\\p1"
        pieces: list[str] = []
        for shape in shapes:
            pieces += ["{" + back if pieces else start, _colour(shape), "}", f"{_BOX} {shape.path}"]
        return "".join([*pieces, "{\\p0\\r}"])


def _colour(shape: Shape) -> str:
    red, green, blue = shape.colour[1:3], shape.colour[3:5], shape.colour[5:7]
    return f"\\1c&H{blue}{green}{red}&\\1a&H{255 - shape.alpha:02X}&"
