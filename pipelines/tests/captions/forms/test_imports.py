"""Subtitle files of other programs: formatting, speakers, bad rows, sizes and odd bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.lanes import first_overlap
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.texts.break_points import Break, break_after
from pipelines.captions.texts.styled_text import to_markup
from pipelines.captions.texts.text import clean_text
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import LinePlace


def read(text: str, language: str | None = None) -> Imported:
    return parse_subtitles(text.encode(), language)


def cues(imported: Imported) -> list[tuple[int, int, str]]:
    return [(line.start_ms, line.end_ms, line.text) for line in imported.lines]


def srt(*texts: str) -> str:
    return "\n".join(
        f"{n}\n{format_time(n * 1000)} --> {format_time(n * 1000 + 900)}\n{t}\n" for n, t in enumerate(texts, 1)
    )


def test_formatting_of_srt_never_shows_as_text() -> None:
    found = read(
        srt(
            "<i>One</i> <B>two</B>",
            '{\\an8}<font color="#ff0000">three</font>',
            "<u>a</u><br/>b <span class='x'>c</span>",
            "a < b and {curly} and <who>",
        )
    )
    assert [line.text for line in found.lines] == ["One two", "three", "a\nb c", "a < b and {curly} and <who>"]
    assert [to_markup(line) for line in found.lines[:3]] == ["<i>One</i> <b>two</b>", "three", "<u>a</u>\nb c"]
    assert found.lines[1].place == LinePlace(8)
    (note,) = found.notes
    assert note == "Formatting such as colours or fonts was left out of 2 captions."


def test_voices_of_webvtt_are_speakers() -> None:
    found = read(
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hello\n\n00:02.000 --> 00:03.000\n<v Ada>there</v>\n\n"
        "00:03.000 --> 00:04.000\n<v.loud Bob &amp; Eve>No.</v> <v Ada><i>Yes.</i></v>\n\n"
        "00:04.000 --> 00:05.000\n(rain)\n\n00:05.000 --> 00:06.000\n<v Ada>Well.\n"
    )
    assert [line.text for line in found.lines] == ["Hello", "there", "No.\nYes.", "(rain)", "Well."]
    assert found.speakers == {"S1": "Ada", "S2": "Bob & Eve"}
    assert [line.speaker for line in found.lines] == ["S1", "S1", "S2", None, "S1"]
    assert [word.speaker for word in found.lines[2].words] == [None, "S1"]


def test_times_and_blocks_of_webvtt_never_become_text() -> None:
    found = read(
        "WEBVTT\n00:01.000 --> 00:02.000\none\n00:02.000 --> 00:03.000\ntwo\n3\n"
        "00:03.000 --> 00:04.000line:40%\nthree\n\nSTYLE\n::cue {\n\n  color: red\n}\n\n::cue(b) { color: blue }\n\n"
        "REGION\nid:x\n\nNOTE\nnot shown\n\nan id\n00:05.000 --> 00:06.000\nfour\n\nparted by a blank row\n"
    )
    assert cues(found) == [
        (1_000, 2_000, "one"),
        (2_000, 3_000, "two"),
        (3_000, 4_000, "three"),
        (5_000, 6_000, "four\nparted by a blank row"),
    ]
    assert found.notes == ()


def test_cues_whose_times_cannot_be_read_are_named_and_their_text_is_kept() -> None:
    found = read(
        "WEBVTT\n\n00:01:xx.000 --> 00:02.000\nfirst\n\n00:03.000 --> 00:04.000\nsecond\n\n"
        "00:05.000 --> 0x:06.000\nthird\n\n0x:06.000 --> 0:0x:09\nfourth\n"
    )
    assert cues(found) == [(0, 3_000, "first"), (3_000, 4_000, "second"), (5_000, 7_000, "third\nfourth")]
    note, ends = found.notes
    assert ends == "1 caption had no end after its beginning and got up to two seconds."
    assert note.startswith("3 rows look like times but cannot be read as one (3: “00:01:xx.000 --> 00:02.000”; 9")
    found = read(srt("one") + "\n2\n00:00:0x,000 --> 00:00:04,000\ntwo\n")
    assert found.lines[0].text == "one\n\n2\n00:00:0x,000 --> 00:00:04,000\ntwo".replace("\n\n", "\n")
    assert found.notes[0].startswith("1 row looks like a time but cannot be read")


CUE = "00:01.000 --> 00:02.000\none\n"


@pytest.mark.parametrize("block", ["b { color: blue }", "stray words\nin a block"])
def test_a_block_after_the_style_is_no_caption_and_told(block: str) -> None:
    found = read(f"WEBVTT\n\nSTYLE\n::cue {{ color: red }}\n\n{block}\n\n{CUE}")
    assert cues(found) == [(1_000, 2_000, "one")]
    first = block.partition("\n")[0]
    assert found.notes[0].partition(" ")[0] == str(block.count("\n") + 1)
    assert f"(6: “{first}”" in found.notes[0]


@pytest.mark.parametrize("head", ["webvtt", "WebVTT - a title\nKind: captions"])
def test_the_head_of_webvtt_may_be_written_in_small_letters(head: str) -> None:
    found = read(f"{head}\n\n{CUE}")
    assert (found.form, cues(found), found.notes) == ("vtt", [(1_000, 2_000, "one")], ())


@pytest.mark.parametrize("arrow", ["->", "", "—", "-- >"])
def test_a_broken_first_cue_of_webvtt_is_told(arrow: str) -> None:
    found = read(f"WEBVTT\n\n00:00:01.000 {arrow} 00:00:02.000\nfirst\n\n00:05.000 --> 00:06.000\ntwo, 10:30 - 11:45\n")
    assert cues(found) == [(1_000, 3_000, "first"), (5_000, 6_000, "two, 10:30 - 11:45")]
    assert found.notes[0].startswith("1 row looks like a time but cannot be read as one (3: “00:00:01.000")


def test_references_of_srt_are_letters_and_ours_stay_as_written() -> None:
    found = read(srt("Tom &amp; Jerry&#8217;s &lt;i&gt; caf&eacute; &nope; AT&T; &copy", "<i>a&nbsp;b</i>"))
    assert found.lines[0].text == "Tom & Jerry’s <i> café &nope; AT&T; &copy"
    assert to_markup(found.lines[1]) == "<i>a\u00a0b</i>"
    assert found.notes == ()


def test_a_style_in_a_part_of_a_word_is_told() -> None:
    found = read(srt("un<i>believ</i>able, <i>Hello</i>, “<b>you</b>”"))
    assert to_markup(found.lines[0]) == "unbelievable, <i>Hello,</i> <b>“you”</b>"
    assert found.notes == ("1 word with italics, bold or underlining in a part only has it as a whole or not at all.",)


def test_text_before_the_first_time_is_told() -> None:
    found = read("A title\n\n1\n00:00:01,000 --> 00:00:02,000\none\n")
    assert cues(found) == [(0, 1_000, "A title"), (1_000, 2_000, "one")]
    assert found.notes == ("The text before the first time of the file became a caption of its own.",)


def test_a_sign_above_stays_while_dialogue_comes_and_goes_below() -> None:
    found = read(
        "00:00:01,000 --> 00:00:09,000\n{\\an8}SIGN\n\n00:00:01,000 --> 00:00:02,000\none\n\n"
        "00:00:03,000 --> 00:00:04,000\ntwo\n"
    )
    assert cues(found) == [(1_000, 9_000, "SIGN"), (1_000, 2_000, "one"), (3_000, 4_000, "two")]
    assert [line.place for line in found.lines] == [LinePlace(8), None, None]
    assert found.notes == ()


def test_two_at_one_height_at_once_are_joined_and_said_to_lose_a_place() -> None:
    found = read("00:00:01,000 --> 00:00:02,000\none\n\n00:00:01,000 --> 00:00:02,000\n{\\an1}SIGN\n")
    assert cues(found) == [(1_000, 2_000, "one\nSIGN")]
    assert found.notes[1] == "1 of these stood at another place on the picture and lost it."


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("Što ćeš učiniti? Otići ću kući. Žao mi je, čovječe.", "cp1250"),
        ("Otići", "cp1250"),
        ("Příliš žluťoučký kůň úpěl ďábelské ódy.", "cp1250"),
        ("Zażółć gęślą jaźń. Gdzie byliście?", "cp1250"),
        ("Árvíztűrő tükörfúrógép.", "cp1250"),
        ("Şimdi çok güzel, ışık.", "cp1254"),
        ("Où étiez-vous ? Ça va, garçon, à Noël.", "cp1252"),
        ("Hvar voruð þið? Æskan mín.", "cp1252"),
        ("Wo wart ihr? Schöne Grüße.", "cp1252"),
        ("The café of Renée, “naïve” — señor Ærø.", "cp1252"),
        ("Привет! Где ты? Мы идём домой.", "cp1251"),
        ("Де ти? Ходімо додому, вже їде.", "cp1251"),
        ("ГДЕ ОНИ? Я не знаю, Иван.", "cp1251"),
        ("Πού είσαι; Πάμε στο σπίτι.", "cp1253"),
        ("איפה אתה? בוא הביתה, ילד.", "cp1255"),
        ("أين أنت؟ هيا إلى البيت", "cp1256"),
        ("ÁÁÁÁÁ! ÉÉÉÉÉ!", "cp1252"),
    ],
)
def test_letters_of_another_language_choose_their_code_page(text: str, page: str) -> None:
    found = parse_subtitles(srt(text).encode(page), "en-US")
    assert found.lines[0].text == text
    told = f"it was read as {page.replace('cp', 'Windows-')}."
    assert any(told in note for note in found.notes) == (page != "cp1252")


def test_a_webvtt_file_without_cues_is_refused() -> None:
    with pytest.raises(UnreadableSubtitles, match="No cues were found"):
        read("WEBVTT\n\nnothing here")
    assert read("WEBVTT\n\nNOTE nothing\n").lines == ()


def test_negative_times_start_at_zero() -> None:
    found = read("1\n-00:00:01,500 --> 00:00:02,000\none\n\n2\n00:00:03,000 --> 00:00:04,000\ntwo\n")
    assert cues(found) == [(0, 2_000, "one"), (3_000, 4_000, "two")]
    assert found.notes == ("1 time before zero was set to 0.",)


def test_overlapping_and_joined_cues_are_counted() -> None:
    found = read(
        "00:00:00,000 --> 00:00:20,000\nlong\n\n00:00:02,500 --> 00:00:04,000\nshort\n\n"
        "00:00:02,500 --> 00:00:05,000\nx\n"
    )
    assert cues(found) == [(0, 2_500, "long"), (2_500, 5_000, "short\nx")]
    assert found.notes == (
        "1 caption started together with another one and was joined with it.",
        "1 caption overlapped the next one and now ends where it starts.",
    )


@pytest.mark.parametrize("bad", [b"\xfe", b"\xfe\xff\xf0", b"\xc3"])
def test_a_few_bad_bytes_do_not_spoil_a_utf8_file(bad: bytes) -> None:
    text = "Þetta er þoka á Þingvöllum, sagði Ævar. "
    raw = srt(text, text * 3).encode() + b"\n3\n00:00:09,000 --> 00:00:10,000\nend " + bad + b" x\n"
    found = parse_subtitles(raw, "is-IS")
    assert found.lines[0].text == text.strip()
    assert found.lines[2].text == f"end {bad.decode('cp1252')} x"
    assert f"{len(bad)} byte" in found.notes[0]
    assert "Windows-1252" in found.notes[0]


def test_special_spaces_are_kept() -> None:
    assert read(srt("Vraiment\u00a0?\u202fOui", "日本\u3000語", "a \t  b")).lines[0].text == "Vraiment\u00a0?\u202fOui"
    assert clean_text("日本\u3000語") == "日本\u3000語"
    assert clean_text(" a \t  b\x9b31m\n\x00 ") == "a b31m"


@pytest.mark.parametrize("word", ["“Mr.", "(Dr.", "U.S.", "a.m.", "p.m.", "Ph.D.", "Capt.", "hr.", "kl.", "«Prof."])
def test_abbreviations_end_no_sentence(word: str) -> None:
    assert break_after(word, "Smith") is Break.PLAIN
    assert break_after("Stop.", "Smith") is Break.SENTENCE
    assert break_after("“Stop.”", "Smith") is Break.SENTENCE


pieces = st.sampled_from(
    [
        *("WEBVTT", "", "", "00:01.000 --> 00:02.000", "00:01.500 --> 00:09.000 line:0", "0x:01.000 --> 00:09.000"),
        *(
            "NOTE x",
            "STYLE",
            "::cue {",
            "}",
            "REGION",
            "<v Ada>word",
            "</v>two words",
            "-->",
            "a --> b",
            "12",
            "<i>x</i>",
        ),
        *("-00:05.000 --> -00:01.000", "&#99999999999;", "&lt;b&gt;", "{\\an8}z", "1:2:3", "00:01.000 -->"),
    ]
)


@pytest.mark.long
@settings(max_examples=150)
@given(st.lists(pieces, max_size=25), st.booleans())
def test_any_mixture_gives_lines_in_order_and_keeps_the_words_of_srt(rows: list[str], is_vtt: bool) -> None:
    source = "\n".join(["WEBVTT", "", *rows] if is_vtt else rows)
    try:
        found = read(source)
    except UnreadableSubtitles:
        return
    assert all(line.start_ms < line.end_ms and line.text == clean_text(line.text) for line in found.lines)
    assert first_overlap(found.lines) is None
    shown = "\n".join(line.text for line in found.lines)
    assert "<i>" not in shown
    assert "\\an8" not in shown
    assert shown.count("two words") == sum("two words" in row for row in rows) or source.lstrip().startswith("WEBVTT")
