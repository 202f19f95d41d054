"""Emoji in their colours, read from the layers of a colour font: a drawing of flat shapes for each.

libass draws no colour fonts, only outlines in one colour each. The font is Google's Noto Color Emoji (COLR version 1,
https://learn.microsoft.com/typography/opentype/spec/colr), under the SIL Open Font License 1.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from threading import Lock
from typing import Any

FONT = Path(__file__).with_name("NotoColorEmoji-Regular.ttf")
"""Not beside the other fonts: libass would take it for letters that it cannot draw."""
GRID = 160
"""Coordinates are whole numbers, from 0 at the top to this at the bottom: at 4K an emoji has about as many pixels."""
EM, ADVANCE, BASELINE = 136.53, 170, 33
"""Of the font, in these units: its em, the width of each emoji, and how far the bottom is below the line."""
SHAPES_MAX = 48
"""Coats of arms have hundreds, which nobody can tell apart."""

_SHORT = 4
"""Curves of so few units are drawn as straight lines: half of the script's length."""
_SIGN = "\ufe0f"
# Formats of paints without variations.
_LAYERS, _SOLID, _GLYPH, _COMPOSITE = 1, 2, 10, 32
_SOURCE_IN = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled outline. `path` is an ASS drawing; `colour` is `#rrggbb`, `alpha` is 0 (invisible) to 255."""

    path: str
    colour: str
    alpha: int


@dataclass(frozen=True, slots=True)
class _Layer:
    """A glyph of the font, where it lies, and its fill: red, green, blue and alpha, 0 to 255."""

    glyph: str
    transform: Any
    fill: tuple[float, ...]


def shapes_of(emoji: str) -> tuple[Shape, ...] | None:
    """What to draw for one emoji, the lowest shape first; None where the font has no such emoji."""
    return _font().shapes(emoji.replace(_SIGN, ""))


def emoji_at(text: str, start: int) -> str | None:
    """The longest emoji of the font that begins there."""
    return _font().longest(text, start)


@lru_cache
def _font() -> _ColourFont:
    return _ColourFont()


class _ColourFont:
    def __init__(self) -> None:
        # Processes that draw no emoji need not load it.
        from fontTools.ttLib import TTFont

        # From memory: forked processes would share the place in an open file.
        font = TTFont(BytesIO(FONT.read_bytes()), lazy=True)
        self._glyphs, self._outlines = font.getGlyphSet(), font["glyf"]
        self._names: dict[int, str] = font.getBestCmap()
        colours = font["COLR"].table
        self._layers = colours.LayerList.Paint
        self._paints = {each.BaseGlyph: each.Paint for each in colours.BaseGlyphList.BaseGlyphPaintRecord}
        self._palette = font["CPAL"].palettes[0]
        self._top, bottom = font["OS/2"].usWinAscent, font["OS/2"].usWinDescent
        self._scale = GRID / (self._top + bottom)
        self._ligatures = dict(_ligatures(font["GSUB"].table))
        self._longest = max(map(len, self._ligatures))
        self._shapes = lru_cache(maxsize=512)(self._drawn)
        # fontTools reads a part of the font when it is wanted first.
        self._lock = Lock()

    def longest(self, text: str, start: int) -> str | None:
        names: list[str] = []
        found = None
        for index in range(start, len(text)):
            if text[index] == _SIGN and names:
                found = text[start : index + 1] if found == text[start:index] else found
                continue
            name = self._names.get(ord(text[index]))
            if name is None or len(names) == self._longest:
                break
            names.append(name)
            if self._glyph(names) is not None:
                found = text[start : index + 1]
        return found

    def _glyph(self, names: list[str]) -> str | None:
        glyph = names[0] if len(names) == 1 else self._ligatures.get(tuple(names))
        return glyph if glyph in self._paints else None

    def shapes(self, emoji: str) -> tuple[Shape, ...] | None:
        names = [self._names.get(ord(character), "") for character in emoji]
        glyph = self._glyph(names) if names else None
        if glyph is None:
            return None
        with self._lock:
            return self._shapes(glyph)

    def _drawn(self, glyph: str) -> tuple[Shape, ...]:
        from fontTools.misc.transform import Transform

        # Down is positive in a drawing.
        upright = Transform(self._scale, 0, 0, -self._scale, 0, self._top * self._scale)
        layers = list(self._walk(self._paints[glyph], upright))
        # Choose before drawing: outlines take most of the time.
        areas = [self._area(layer) for layer in layers]
        least = max(1.0, *sorted(areas, reverse=True)[:SHAPES_MAX][-1:])
        chosen = [layer for layer, area in zip(layers, areas, strict=True) if area >= least][:SHAPES_MAX]
        return tuple(self._shape(layer) for layer in chosen)

    def _area(self, layer: _Layer) -> float:
        """Of the box around it, in units of the drawing; 0 for what nobody sees."""
        outline = self._outlines[layer.glyph]
        if outline.numberOfContours == 0 or layer.fill[3] < 1:
            return 0.0
        across, down = outline.xMax - outline.xMin, outline.yMax - outline.yMin
        return float(
            across * down * abs(layer.transform.xx * layer.transform.yy - layer.transform.xy * layer.transform.yx)
        )

    def _shape(self, layer: _Layer) -> Shape:
        *colour, alpha = map(round, layer.fill)
        path = _path(self._glyphs[layer.glyph], self._glyphs, layer.transform)
        return Shape(path, "#" + "".join(f"{part:02x}" for part in colour), alpha)

    def _walk(self, paint: Any, transform: Any, opacity: float = 1.0) -> Iterator[_Layer]:
        if paint.Format == _LAYERS:
            for index in range(paint.FirstLayerIndex, paint.FirstLayerIndex + paint.NumLayers):
                yield from self._walk(self._layers[index], transform, opacity)
        elif paint.Format == _GLYPH:
            *colour, alpha = self._fill(paint.Paint)
            yield _Layer(paint.Glyph, transform, (*colour, alpha * opacity))
        elif paint.Format == _COMPOSITE and paint.CompositeMode == _SOURCE_IN and paint.BackdropPaint.Format == _SOLID:
            # Layers that show as much as one colour behind them covers.
            yield from self._walk(paint.SourcePaint, transform, opacity * paint.BackdropPaint.Alpha)
        elif paint.Format == _COMPOSITE:
            # The light on a waving flag is left out.
            yield from self._walk(paint.BackdropPaint, transform, opacity)
        else:
            yield from self._walk(paint.Paint, transform.transform(paint.getTransform()), opacity)

    def _fill(self, paint: Any) -> tuple[float, ...]:
        """The colour of a fill, red to alpha, 0 to 255. A gradient becomes its mean along the line of its stops."""
        while hasattr(paint, "Paint"):
            paint = paint.Paint
        if paint.Format == _SOLID:
            return self._entry(paint)
        stops = sorted(((stop.StopOffset, self._entry(stop)) for stop in paint.ColorLine.ColorStop), key=itemgetter(0))
        line = [(min(0.0, stops[0][0]), stops[0][1]), *stops, (max(1.0, stops[-1][0]), stops[-1][1])]
        length = line[-1][0] - line[0][0]
        return tuple(
            sum((two[0] - one[0]) * (one[1][part] + two[1][part]) / 2 for one, two in pairwise(line)) / length
            for part in range(4)
        )

    def _entry(self, stop: Any) -> tuple[float, ...]:
        colour = self._palette[stop.PaletteIndex]
        return colour.red, colour.green, colour.blue, colour.alpha * stop.Alpha


def _ligatures(table: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    for lookup in table.LookupList.Lookup:
        for part in lookup.SubTable:
            for first, ligatures in getattr(part, "ligatures", {}).items():
                for ligature in ligatures:
                    yield (first, *ligature.Component), ligature.LigGlyph


def _path(glyph: Any, glyphs: Any, transform: Any) -> str:
    from fontTools.pens.basePen import BasePen
    from fontTools.pens.transformPen import TransformPen

    parts: list[str] = []
    now = (0, 0)

    def step(code: str, *points: tuple[float, float]) -> None:
        nonlocal now
        whole = [(round(x), round(y)) for x, y in points]
        if code != "m" and all(point == now for point in whole):
            return
        if code == "b" and max(abs(whole[-1][0] - now[0]), abs(whole[-1][1] - now[1])) <= _SHORT:
            code, whole = "l", whole[-1:]
        now = whole[-1]
        parts.append(f"{code} {' '.join(f'{x} {y}' for x, y in whole)}")

    class Drawing(BasePen):
        def _moveTo(self, point: tuple[float, float]) -> None:
            step("m", point)

        def _lineTo(self, point: tuple[float, float]) -> None:
            step("l", point)

        def _curveToOne(self, *points: tuple[float, float]) -> None:
            step("b", *points)

    glyph.draw(TransformPen(Drawing(glyphs), transform))
    return " ".join(parts)
