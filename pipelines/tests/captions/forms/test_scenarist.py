"""SCC as we write it: what comes back from our reader and from others, in time, and what is said of the rest."""

from __future__ import annotations

import random
from dataclasses import replace

import pycaption
import pytest
import ttconv.scc.reader

from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.forms.registry import losses, write
from pipelines.captions.forms.scenarist.letters import is_held
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.captions.texts.styled_text import to_markup
from pipelines.messages.lines import CaptionLine, LinePlace
from pipelines.testing.captions import LINES, document, line

FRAME_MS = 1001 / 30
LATIN = [
    line(1_000, "Here is <i>slanted</i> writing"),
    line(3_000, "<i>Both rows\nare italic</i>", None, LinePlace(8)),
    line(5_000, "plain and <u>under the</u> line", None, LinePlace(8)),
    line(7_000, "middle, left", None, LinePlace(4)),
    line(9_000, "on the right", None, LinePlace(9)),
    line(12_000, "<i><u>¿Qué? ♪ «Ça va, Noël»</u></i>\nÅse, {ß} \\ ~ ’it’ * _"),
]


def scc(lines: list[CaptionLine]) -> bytes:
    return write(CaptionFormat.SCC, document(lines, SpeakerStyle.NONE))


def said(lines: list[CaptionLine]) -> list[str]:
    """What the export of these lines would lose, without the sentence about frames."""
    return [str(each) for each in losses(CaptionFormat.SCC, document(lines, SpeakerStyle.NONE))[1:]]


def test_text_styles_places_and_times_come_back() -> None:
    found = parse_subtitles(scc(LATIN))
    assert found.form == CaptionFormat.SCC
    assert found.notes == ()
    for got, meant in zip(found.lines, LATIN, strict=True):
        assert to_markup(got) == to_markup(meant)
        assert got.place == meant.place
        assert abs(got.start_ms - meant.start_ms) <= FRAME_MS
        # One that is still being sent is not cut in two by the code that empties the screen.
        assert abs(got.end_ms - meant.end_ms) <= 2 * FRAME_MS
    assert said(LATIN) == []


def test_a_long_programme_stays_in_time() -> None:
    """Drop-frame numbers skip two in each minute but every tenth."""
    lines = [CaptionLine(str(at), at, at + 1_500, "tick") for at in range(1_000, 3_500_000, 61_003)]
    found = parse_subtitles(scc(lines))
    assert all(abs(got.start_ms - meant.start_ms) <= FRAME_MS for got, meant in zip(found.lines, lines, strict=True))


def test_other_programs_read_it() -> None:
    raw = scc(LATIN).decode()
    captions = pycaption.SCCReader().read(raw)
    theirs = captions.get_captions("en-US")
    texts = [each.text.replace("’", "'").split() for each in LATIN]
    assert [each.get_text().replace("\xa0", " ").split() for each in theirs] == texts
    for got, meant in zip(theirs, LATIN, strict=True):
        assert abs(got.start / 1000 - meant.start_ms) <= 3 * FRAME_MS
    paragraphs = [each for each in ttconv.scc.reader.to_model(raw).get_body().dfs_iterator() if each.get_begin()]
    begins = sorted({float(each.get_begin()) * 1000 for each in paragraphs})
    assert len(begins) == len(LATIN)
    assert all(abs(got - meant.start_ms) <= 3 * FRAME_MS for got, meant in zip(begins, LATIN, strict=True))


def test_letters_that_no_decoder_has_are_told() -> None:
    found = parse_subtitles(scc([line(2_000, "Æðarþokan… 5 €"), line(4_000, "字幕")]))
    assert [each.text for each in found.lines] == ["Aedarthokan... 5 EUR", "??"]
    # The straight apostrophe and the round one are one letter here.
    assert parse_subtitles(scc([line(2_000, "don't")])).lines[0].text == "don’t"
    assert said([line(2_000, "don't")]) == []
    assert said([line(2_000, "Æðarþokan… 5 €"), line(4_000, "字幕"), line(6_000, "fine")]) == [
        "2 captions have letters that this form does not have. Similar ones or question marks stand for them."
    ]


def test_a_row_that_is_too_long_is_broken_between_words() -> None:
    text = "This row has far more letters than the screen of a television has columns"
    found = parse_subtitles(scc([line(3_000, text), line(9_000, "x" * 40)]))
    assert found.lines[0].text == "This row has far more letters\nthan the screen of a television\nhas columns"
    assert found.lines[1].text == "x" * 32 + "\n" + "x" * 8
    assert said([line(3_000, text)]) == ["1 caption has a row of more than 32 characters. It is broken where it fits."]


def test_more_rows_than_a_screen_has_are_told() -> None:
    lines = [line(8_000, "\n".join(f"row {number}" for number in range(1, 18)))]
    assert parse_subtitles(scc(lines)).lines[0].text.endswith("row 15")
    assert "1 caption has more text than a screen of 15 rows holds. The rest is left out." in said(lines)


def test_captions_too_close_to_send_come_later_and_whole() -> None:
    lines = [CaptionLine(str(at), at, at + 400, f"number {at} " + "and more " * 4) for at in range(0, 4_000, 400)]
    found = parse_subtitles(scc(lines))
    assert [each.text.split() for each in found.lines] == [each.text.split() for each in lines]
    assert "10 captions show later than they should" in " ".join(said(lines))


def test_a_caption_that_follows_at_once_replaces_the_former() -> None:
    lines = [CaptionLine("1", 3_000, 5_000, "one"), CaptionLine("2", 5_000, 7_000, "two")]
    first, second = parse_subtitles(scc(lines)).lines
    assert first.end_ms == second.start_ms


@pytest.mark.parametrize(
    ("start", "fps", "row"),
    [
        ("01:00:00;00", 29.97, "00:59:59;"),
        ("01:00:00:00", 29.97, "00:59:59:"),
        # Only tapes of 30 frames can be counted without dropping; other films keep the clock.
        ("10:00:00:12", 25.0, "09:59:59;"),
    ],
)
def test_a_programme_that_starts_later_than_zero(start: str, fps: float, row: str) -> None:
    lines = [CaptionLine("1", 0, 2_000, "From the very first frame"), CaptionLine("2", 60_000, 62_000, "later")]
    raw = write(CaptionFormat.SCC, Document(lines, "en-US", fps=fps, programme_start=start))
    assert raw.decode().split("\n")[2].startswith(row)
    found = parse_subtitles(raw).lines
    assert [each.text for each in found] == [each.text for each in lines]
    begin = 480 if start.endswith("12") else 0
    assert all(
        abs(got.start_ms - begin - meant.start_ms) <= 2 * FRAME_MS for got, meant in zip(found, lines, strict=True)
    )
    assert len(losses(CaptionFormat.SCC, Document(lines, "en-US", fps=fps, programme_start=start))) == 1


def test_a_sign_and_what_is_said_below_it_share_the_screen() -> None:
    lines = [
        CaptionLine("1", 3_000, 9_000, "SIGN", place=LinePlace(8)),
        CaptionLine("2", 5_000, 7_000, "two\nrows"),
    ]
    raw = scc(lines)
    found = parse_subtitles(raw).lines
    assert [(line.text, round(line.start_ms / 100), round(line.end_ms / 100)) for line in found] == [
        ("SIGN", 30, 90),
        ("two\nrows", 50, 70),
    ]
    assert [line.place for line in found] == [LinePlace(8), None]
    theirs = pycaption.SCCReader().read(raw.decode()).get_captions("en-US")
    assert [each.get_text() for each in theirs] == ["SIGN", "two\nrows", "SIGN", "SIGN"]
    assert said(lines) == ["1 caption is sent again, because another one appears or goes while it is shown."]


def test_names_and_bold() -> None:
    lines = [replace(LINES[2], text=LINES[2].text)]
    named = parse_subtitles(write(CaptionFormat.SCC, document(lines, SpeakerStyle.LABELS))).lines[0].text
    assert named.startswith("Ada Björk: bold")
    assert said(lines) == ["1 caption has bold words, which this form does not have. They become upright."]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_lost_of_any_text_that_can_be_held(seed: int) -> None:
    chance = random.Random(seed)
    letters = [chr(code) for code in range(0x21, 0x2200) if is_held(chr(code)) and chr(code).strip(" '\u00a0")]
    clock, lines = 1_500, []
    for number in range(30):
        words = ["".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(chance.randint(1, 12))]
        text = "".join(word + chance.choice("    \n") for word in words).strip()
        length = chance.randint(300, 4_000)
        lines.append(CaptionLine(str(number), clock, clock + length, text, place=LinePlace(chance.randint(1, 9))))
        clock += length + chance.choice([0, 20, 1_000])
    found = parse_subtitles(write(CaptionFormat.SCC, Document(lines, "en-US")))
    assert [each.text.split() for each in found.lines] == [each.text.split() for each in lines]
    assert found.notes == ()
