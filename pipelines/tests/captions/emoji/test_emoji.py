"""Emoji in their colours: which characters are one, and what is drawn of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from fontTools.ttLib import TTFont

from pipelines.captions.emoji.artwork import ADVANCE, BASELINE, EM, FONT, GRID, SHAPES_MAX, shapes_of
from pipelines.captions.emoji.sequences import emoji_starts
from pipelines.captions.fonts.font_files import FONTS_DIR, families_of
from pipelines.captions.forms.ass import write_ass_file
from pipelines.captions.forms.form import Document
from pipelines.captions.picture.ass_document import write_ass
from pipelines.captions.picture.rows import fit_rows
from pipelines.messages.caption_style import BoxKind, CaptionStyle, Karaoke
from pipelines.messages.lines import CaptionLine, CaptionWord
from pipelines.testing.media.samples import ffmpeg

FAMILY, FLAG, ENGLAND, THUMB, KEYCAP = "👨‍👩‍👧", "🇮🇸", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👍🏽", "1️⃣"
WHOLE = ["😀", "❤️", "⭐", FAMILY, FLAG, ENGLAND, THUMB, KEYCAP, "🏳️‍🌈", "🧑🏻‍❤️‍💋‍🧑🏿"]


def emoji_of(text: str, family: str = "DejaVu Sans") -> list[str]:
    starts = emoji_starts(text, families_of(text, family))
    groups = groupby(zip(starts, text, strict=True), key=itemgetter(0))
    return ["".join(character for _, character in group) for start, group in groups if start is not None]


@pytest.mark.parametrize("emoji", WHOLE)
@pytest.mark.parametrize("family", ["DejaVu Sans", "Inter"])
def test_an_emoji_is_one_picture_of_all_its_characters(emoji: str, family: str) -> None:
    assert emoji_of(f"a {emoji}{emoji} 5 ©!", family) == [emoji, emoji]
    shapes = shapes_of(emoji)
    assert shapes is not None
    assert 1 < len(shapes) <= SHAPES_MAX


def test_signs_that_people_write_as_text_stay_text() -> None:
    assert emoji_of("© 1 # 2 ® ™ → ✔ ❤\ufe0e Íslenska") == []
    assert emoji_of("©️ ✔️ 2") == ["©️", "✔️"]


def test_each_has_its_own_shapes_within_its_box() -> None:
    seen = {emoji: shapes_of(emoji) for emoji in [*WHOLE, "👍", "👍🏿", "🇪🇸", "😃"]}
    assert len(set(seen.values())) == len(seen)
    for shapes in seen.values():
        numbers = [int(each) for shape in shapes or () for each in shape.path.split() if not each.isalpha()]
        assert min(numbers) >= -GRID / 8
        assert max(numbers) <= ADVANCE + GRID / 8
    assert shapes_of("a") is None is shapes_of("")


def test_the_measures_are_those_of_the_font_and_nothing_in_it_is_left_blank() -> None:
    with TTFont(FONT, lazy=True) as font:
        height = font["OS/2"].usWinAscent + font["OS/2"].usWinDescent
        unit = GRID / height
        measures = (font["head"].unitsPerEm, font["hmtx"][font.getBestCmap()[0x1F600]][0], font["OS/2"].usWinDescent)
        characters = [chr(code) for code in font.getBestCmap() if 0x1F300 <= code < 0x1F400]
    assert pytest.approx(tuple(each * unit for each in measures), abs=0.5) == (EM, ADVANCE, BASELINE)
    assert [each for each in characters[::8] if not shapes_of(each)] == []


def test_threads_that_ask_at_once_get_the_same() -> None:
    emoji = [chr(code) for code in range(0x1F400, 0x1F43F)]
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(shapes_of, emoji * 2))
    assert together[: len(emoji)] == together[len(emoji) :] == [shapes_of(each) for each in emoji]


def picture(tmp_path: Path, text: str, style: CaptionStyle) -> npt.NDArray[np.int16]:
    """The text over black, 640 by 360."""
    (tmp_path / "t.ass").write_text(write_ass([CaptionLine("1", 0, 2_000, text)], style, 640, 360))
    drawn = f"ass={tmp_path / 't.ass'}:fontsdir={FONTS_DIR}"
    frame = ["-f", "lavfi", "-i", "color=black:s=640x360:d=1", "-vf", f"{drawn},format=rgb24", "-frames:v", "1"]
    ffmpeg(*frame, "-f", "rawvideo", "t.rgb", cwd=tmp_path)
    return np.frombuffer((tmp_path / "t.rgb").read_bytes(), np.uint8).reshape(360, 640, 3).astype(np.int16)


def colourful(frame: npt.NDArray[np.int16]) -> npt.NDArray[np.bool_]:
    return np.asarray(frame.max(axis=2) - frame.min(axis=2) > 60)


def place(where: npt.NDArray[np.bool_]) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
    return int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])


@pytest.mark.parametrize(
    "style",
    [
        CaptionStyle(font="Inter"),
        CaptionStyle(font="Montserrat", bold=True, italic=True, spacing=6),
        CaptionStyle(box=BoxKind.ROWS),
        CaptionStyle(box=BoxKind.BLOCK),
    ],
    ids=["plain", "bold", "rows", "block"],
)
def test_it_stands_in_its_colours_between_the_words(tmp_path: Path, style: CaptionStyle) -> None:
    assert not colourful(picture(tmp_path, "Hgx Hgx", style)).any()
    for emoji in ("😀", "🎉", "🇪🇸"):
        frame = picture(tmp_path, f"Hgx {emoji} Hgx", style)
        top, bottom, left, right = place(colourful(frame))
        letters = place(np.asarray(frame.min(axis=2) > 200))
        # As high as a row, in the middle of it: the same words are on both sides.
        assert letters[0] - 12 < top < bottom < letters[1] + 12
        assert abs((left + right) / 2 - (letters[2] + letters[3]) / 2) < 8, emoji
        assert letters[2] + 20 < left < right < letters[3] - 20


def test_words_in_their_turn_light_up_beside_it() -> None:
    words = (CaptionWord(0, 600, "one"), CaptionWord(600, 1_200, "😀"), CaptionWord(1_200, 2_000, "two"))
    style = CaptionStyle(karaoke=Karaoke.HIGHLIGHT, karaoke_colour="#00ff00")
    script = write_ass([CaptionLine("1", 0, 2_000, "one 😀 two", words)], style, 640, 360)
    first, second, third = (event for event in script.splitlines() if event.startswith("Dialogue"))
    # What the drawing changes is taken back behind it, and it keeps its own colours.
    assert first.split("{\\p0\\r}")[1] == " two"
    assert first.split(",,")[2].startswith("{\\1c&H00FF00&}one")
    assert third.endswith("{\\p0\\r} {\\1c&H00FF00&}two")
    assert first.count("\\p1") == second.count("\\p1") == third.count("\\p1") > 5


def test_a_download_keeps_it_as_text_for_other_editors() -> None:
    script = write_ass_file(Document([CaptionLine("1", 0, 2_000, f"one 😀 {FLAG}")], language="en")).decode()
    assert "\\p1" not in script
    assert "😀" in script
    assert FLAG in script


def test_drawings_are_bounded_for_a_script() -> None:
    lines = [CaptionLine(str(number), number * 2_000, number * 2_000 + 1_900, "😀 🇪🇸") for number in range(4)]
    whole = write_ass(lines, CaptionStyle(), 640, 360)
    part = write_ass(lines, CaptionStyle(), 640, 360, emoji_bytes=len(whole) // 3)
    assert len(part) < len(whole) / 2
    # The rest are letters, and nothing is left out.
    assert part.count("Dialogue") == 4
    assert "🇪🇸" in part


def test_rows_break_between_pictures_and_never_within_one() -> None:
    text = (FAMILY + FLAG + THUMB + ENGLAND) * 30
    rows = fit_rows(text, 56, 700).split("\n")
    assert len(rows) > 2
    assert "".join(rows) == text
    for row in rows:
        assert "".join(emoji_of(row)) == row
    # A family of five characters is as wide as a face.
    assert len(fit_rows(FAMILY * 8, 56, 800).split("\n")) == len(fit_rows("😀" * 8, 56, 800).split("\n"))
