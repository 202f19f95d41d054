"""The styles that everybody has."""

from __future__ import annotations

from pipelines.messages.caption_style import DEFAULT_STYLE, BoxKind, CaptionStyle, Karaoke

DEFAULT_STYLE_ID = "classic"

BUILT_IN_STYLES: dict[str, tuple[str, CaptionStyle]] = {
    DEFAULT_STYLE_ID: ("Classic outline", DEFAULT_STYLE),
    "box": (
        "Broadcast box",
        CaptionStyle(
            font="Atkinson Hyperlegible",
            size=58,
            outline=0,
            shadow=0,
            box=BoxKind.BLOCK,
            box_opacity=0.8,
            box_padding=16,
        ),
    ),
    "rows": (
        "Box behind each row",
        CaptionStyle(
            font="Inter", size=60, bold=True, outline=0, shadow=0, box=BoxKind.ROWS, box_opacity=1, box_padding=10
        ),
    ),
    "film": (
        "Film yellow",
        CaptionStyle(font="Noto Serif", size=64, italic=True, colour="#ffe066", outline=2.5, shadow=2),
    ),
    "shorts": (
        "Shorts, word by word",
        CaptionStyle(
            font="Montserrat",
            size=110,
            fit=16,
            bold=True,
            uppercase=True,
            outline=7,
            shadow=0,
            margin_x=90,
            margin_y=420,
            karaoke=Karaoke.POP,
        ),
    ),
    "karaoke": (
        "Karaoke",
        CaptionStyle(
            font="Anton",
            size=92,
            fit=26,
            outline=5,
            shadow=0,
            spacing=1,
            karaoke=Karaoke.FILL,
            karaoke_colour="#5fe3c0",
        ),
    ),
}
"""Each style by its id, with its name."""
