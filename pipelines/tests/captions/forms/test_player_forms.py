"""Forms of players: SAMI, MicroDVD, MPL2 and LRC. They can be imported only."""

from __future__ import annotations

import pytest

from pipelines.captions.forms.form import Reading
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.texts.styled_text import to_markup


def read(text: str, language: str = "en", fps: float | None = None) -> Imported:
    return parse_subtitles(text.encode(), language, Reading(fps))


def said(found: Imported) -> list[tuple[int, int, str]]:
    return [(line.start_ms, line.end_ms, to_markup(line)) for line in found.lines]


def test_micro_dvd_is_read() -> None:
    found = read("{1}{1}25.000\n{25}{50}Hello|there\n{75}{100}{y:i}it|up\n{125}{150}{Y:b}x|y\n{200}{225}/it|no\n")
    assert said(found) == [
        (1_000, 2_000, "Hello\nthere"),
        (3_000, 4_000, "<i>it</i>\nup"),
        (5_000, 6_000, "<b>x\ny</b>"),
        (8_000, 9_000, "<i>it</i>\nno"),
    ]
    assert (found.form, found.notes) == ("microdvd", ())


def test_a_missing_frame_rate_of_micro_dvd_is_told() -> None:
    text = "{24}{48}{c:$0000ff}one\nnot a caption\n"
    found = read(text)
    assert (said(found), len(found.notes)) == ([(1_001, 2_002, "one")], 3)
    assert found.notes[0] == "1 row cannot be read (2: “not a caption”). Check the captions there."
    assert "It was read with 23.976." in found.notes[1]
    assert said(read(text, fps=24.0)) == [(1_000, 2_000, "one")]
    assert not any("frame rate" in note for note in read(text, fps=24.0).notes)


def test_mpl2_is_read() -> None:
    found = read("[10][25]Hello|/there\n[30][45]two\nwhat\n")
    assert (found.form, said(found)) == ("mpl2", [(1_000, 2_500, "Hello\n<i>there</i>"), (3_000, 4_500, "two")])
    assert found.notes == ("1 row cannot be read (3: “what”). Check the captions there.",)


def test_lrc_is_read() -> None:
    found = read("[ar:Björk]\n[offset:+500]\n[00:01.50]one\n[00:03.00][00:06.00]two <00:03.50>more\n[00:05.00]\n")
    assert found.form == "lrc"
    assert said(found) == [(1_000, 2_500, "one"), (2_500, 4_500, "two more"), (5_500, 9_500, "two more")]
    assert found.notes == ()
    assert read("[00:01.50]one\nstray\n").notes == ("1 row cannot be read (2: “stray”). Check the captions there.",)


SAMI = """<SAMI><HEAD><TITLE>A film</TITLE><STYLE TYPE="text/css"><!--
.ENCC {Name:English; lang: en-US;}
.ISCC {Name:Íslenska; lang: is-IS;}
--></STYLE></HEAD><BODY>
<SYNC Start=1000><P Class=ENCC>Hello <i>there</i><br>Tom &amp; J<P Class=ISCC>Halló
<SYNC Start=3000><P Class=ENCC>&nbsp;<P Class=ISCC>&nbsp;
<SYNC Start=4000><P Class=ENCC>the end</BODY></SAMI>"""


def test_sami_is_read_in_the_language_of_the_captions() -> None:
    found = read(SAMI)
    assert said(found) == [(1_000, 3_000, "Hello <i>there</i>\nTom & J"), (4_000, 8_000, "the end")]
    assert found.notes == ("This file holds captions in several languages. 5 letters of the others were left out.",)
    assert said(read(SAMI, "is-IS")) == [(1_000, 3_000, "Halló")]
    damaged = read(SAMI.replace("Start=3000", "Start=x").replace("<BODY>", "<BODY>stray"))
    assert [note.partition(" ")[0] for note in damaged.notes[:2]] == ["5", "1"]
    with pytest.raises(UnreadableSubtitles, match="in this SAMI file"):
        read("<SAMI><BODY>words</BODY></SAMI>")
