"""Captions in the picture: their direction, rows that fit, characters without a font, endless text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from cluster.storage.folder import LocalStorage
from pipelines.captions.fonts.fontconfig import drawable
from pipelines.captions.fonts.glyphs import boxes_sentence, missing_characters, width_of
from pipelines.captions.picture.rows import fit_rows
from pipelines.captions.timestamps import format_time
from pipelines.testing.media.attempts import Attempted, failure_of, result_of
from pipelines.testing.media.pictures import BLACK, burned, frame_at
from pipelines.testing.media.samples import ffmpeg

RARE = "\U0002a6d7"
"""A Han character of extension B that none of the fonts our tests install has."""


@pytest.fixture(scope="module")
def black(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("black")
    ffmpeg(*BLACK, "black.mp4", cwd=folder)
    return folder / "black.mp4"


@pytest.fixture
def fonts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty font folder of a separate home."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "share" / "fonts"
    folder.mkdir(parents=True)
    return folder


def make_font(path: Path, character: str) -> None:
    """A real font whose only character is a filled square of one em."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 1000), (1000, 1000), (1000, 0)):
        pen.lineTo(corner)
    pen.closePath()
    square = pen.glyph()
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "square"])
    builder.setupCharacterMap({ord(character): "square"})
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "square": square})
    builder.setupHorizontalMetrics({".notdef": (1000, 0), "square": (1000, 0)})
    builder.setupHorizontalHeader(ascent=1000, descent=0)
    builder.setupNameTable({"familyName": "Square Test", "styleName": "Regular"})
    builder.setupOS2(usWinAscent=1000, usWinDescent=0)
    builder.setupPost()
    builder.save(path)


def bright(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    seen = picture > 128
    rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
    return seen[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def first_from_left(letters: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    empty = np.flatnonzero(~letters.any(axis=0))
    return letters[:, : empty[0]]


@pytest.mark.parametrize(("text", "stop_is_left"), [("שלום עולם.", True), ("مرحبا.", True), ("Hello world.", False)])
def test_a_full_stop_stands_at_the_end_of_its_own_direction(
    black: Path, attempt: Attempted, installation: LocalStorage, text: str, stop_is_left: bool
) -> None:
    letters = bright(frame_at(burned(attempt, installation, black, text), 1.0))
    left = first_from_left(letters)
    right = first_from_left(letters[:, ::-1])
    dot, letter = (left, right) if stop_is_left else (right, left)
    assert dot.any(axis=1).sum() <= letters.shape[0] // 3
    assert letter.any(axis=1).sum() > letters.shape[0] // 3


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    [
        "see https://example.com/" + "a-very-long-path/" * 8 + "and?then=" + "W" * 60,
        "W" * 150,
        "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 2,
    ],
)
def test_nothing_is_cut_at_the_sides_of_the_picture(
    black: Path, attempt: Attempted, installation: LocalStorage, text: str
) -> None:
    shown = frame_at(burned(attempt, installation, black, text), 1.0) > 60
    columns = np.flatnonzero(shown.any(axis=0))
    assert columns.min() >= 10
    assert columns.max() < 640 - 10
    assert np.flatnonzero(shown.any(axis=1)).size > 30


def test_rows_break_at_signs_and_never_before_a_mark_or_closing_sign() -> None:
    address = "https://example.com/one/two/three/four/five/six/seven/eight/nine/ten/eleven/twelve/thirteen"
    rows = fit_rows(f"see {address} now", 56, 1000).split("\n")
    assert "".join(rows) == f"see {address} now"
    assert all(row[-1] in "/." for row in rows[:-1])
    assert fit_rows("short words stay", 56, 1000) == "short words stay"
    japanese = fit_rows("字幕は日本語です。" * 9, 56, 1000).split("\n")
    assert all(not row.startswith("。") for row in japanese)
    assert all(sum(map(width_of, row)) * 56 <= 1000 for row in japanese)
    assert all(row[0] != "\u0301" for row in fit_rows("e\u0301" * 200, 56, 500).split("\n"))
    assert fit_rows("a" + "\u0301" * 9_000, 56, 1000) == "a" + "\u0301" * 8


@pytest.mark.parametrize(
    "other", [{"size": 70}, {"room": 700}, {"family": "Anton"}, {"row_end": r"\N"}, {"text": "字幕" * 41}]
)
def test_the_same_words_are_broken_anew_in_another_size_room_font_or_form(other: dict[str, Any]) -> None:
    usual: dict[str, Any] = {"text": "字幕" * 40, "size": 56, "room": 1000, "family": "Inter", "row_end": "\n"}
    first = fit_rows(**usual)
    again = fit_rows(**usual | other)
    assert again != first
    assert fit_rows(**usual) == first


@pytest.mark.long
def test_characters_without_a_font_are_found_and_stop_a_burn_in_until_accepted(
    black: Path, attempt: Attempted, installation: LocalStorage, fonts: Path
) -> None:
    assert missing_characters([f"Þetta er {RARE}\n", "Hello\u200d \u00a0\ufe0f"]) == [RARE]
    srt = f"1\n00:00:00,500 --> 00:00:01,500\n{RARE}\n"
    failed = failure_of(attempt("export", black, mode="burned", srt=srt))
    assert (failed.reason, failed.retryable) == (boxes_sentence([RARE]), False)
    assert RARE in failed.reason
    result_of(attempt("export", black, mode="soft", srt=srt, fence=2))
    box = drawn(attempt, installation, black, srt, fence=3)
    assert box.mean() < 0.6  # The frame of a box.
    make_font(fonts / "square.ttf", RARE)
    assert drawable({RARE, "\U0002a6d8"}) == {RARE}
    assert missing_characters([RARE]) == []
    assert drawn(attempt, installation, black, srt, fence=4).mean() > 0.9


def drawn(attempt: Attempted, installation: LocalStorage, path: Path, srt: str, *, fence: int) -> npt.NDArray[np.bool_]:
    made = result_of(attempt("export", path, mode="burned", srt=srt, accept_boxes=True, fence=fence))
    copy = path.with_name("drawn.mp4")
    copy.write_bytes(installation.open_path(made["export_key"]).read_bytes())
    return bright(frame_at(copy, 1.0))


@pytest.mark.long
@pytest.mark.parametrize("text", ["word " * 40_000, "a" + "\u0301" * 9_000, "e\u0301\u0302\u0303\u0304" * 4_000])
def test_endless_text_is_drawn_a_part_at_a_time(
    black: Path, attempt: Attempted, installation: LocalStorage, text: str
) -> None:
    srt = f"1\n{format_time(0)} --> {format_time(2_000)}\n{text}\n"
    result = result_of(attempt("export", black, mode="burned", srt=srt))
    assert installation.size(result["export_key"]) > 0


@pytest.mark.long
def test_more_text_than_its_time_can_show_fails_with_what_to_do(black: Path, attempt: Attempted) -> None:
    srt = f"1\n{format_time(0)} --> {format_time(5)}\n{'word ' * 20_000}\n"
    for mode in ("burned", "soft"):
        failed = failure_of(attempt("export", black, mode=mode, srt=srt))
        assert "Shorten it" in failed.reason
        assert not failed.retryable
