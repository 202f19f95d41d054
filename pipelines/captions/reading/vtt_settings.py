"""The place of a WebVTT cue, in the settings after its times."""

from __future__ import annotations

import re

from pipelines.messages.lines import BOTTOM_CENTRE, LinePlace

_ROWS = 15
"""Rows that a browser counts on a picture of 16:9."""
_SETTING = re.compile(r"(line|position|align):(\S+)")
_PERCENT = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%")
_LINE_ALIGN = ("end", "center", "start")
_POSITION_ALIGN = ("line-left", "center", "line-right")
_ALIGN = ("start", "center", "end")
_COLUMN = {"start": 0, "left": 0, "center": 1, "middle": 1, "end": 2, "right": 2}


def settings_of_place(place: LinePlace | None) -> str:
    """The settings with a space before them; nothing for the bottom centre."""
    if place is None:
        return ""
    height, column = divmod(place.align - 1, 3)
    settings: list[str] = []
    if place.x is not None and place.y is not None:
        settings.append(f"line:{_percent(place.y)},{_LINE_ALIGN[height]}")
        settings.append(f"position:{_percent(place.x)},{_POSITION_ALIGN[column]}")
    else:
        settings.extend(["line:50%,center"] if height == 1 else ["line:0"] if height == 2 else [])
        settings.extend([] if column == 1 else [f"position:{0 if column == 0 else 100}%"])
    settings.extend([] if column == 1 else [f"align:{_ALIGN[column]}"])
    return "".join(f" {setting}" for setting in settings)


def _percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def place_of_settings(text: str) -> LinePlace | None:
    """The place that settings give, exact where they name the edge they mean; None for the bottom centre."""
    settings = dict(_SETTING.findall(text))
    line, _, edge = settings.get("line", "").partition(",")
    position, _, side = settings.get("position", "").partition(",")
    y, x = _share(line), _share(position)
    column = _COLUMN.get(settings.get("align", ""), 1)
    if "align" not in settings and x is not None:
        column = 0 if x < 1 / 3 else 2 if x > 2 / 3 else 1
    if x is not None and y is not None and edge in _LINE_ALIGN and side in _POSITION_ALIGN:
        return LinePlace(1 + 3 * _LINE_ALIGN.index(edge) + _POSITION_ALIGN.index(side), x, y)
    if y is None and re.fullmatch(r"-?\d{1,3}", line):
        row = int(line)
        y = (row if row >= 0 else _ROWS + row) / _ROWS
    height = 0 if y is None or y >= 2 / 3 else 1 if y >= 1 / 3 else 2
    align = 1 + 3 * height + column
    return None if align == BOTTOM_CENTRE else LinePlace(align)


def _share(value: str) -> float | None:
    found = _PERCENT.fullmatch(value)
    return None if found is None or float(found[1]) > 100 else round(float(found[1]) / 100, 4)
