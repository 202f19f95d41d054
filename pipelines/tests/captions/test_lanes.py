"""Captions that are on screen at once, each in its own part of the picture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.captions.edits import edit
from pipelines.captions.edits.bulk import BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditRefused, apply
from pipelines.captions.edits.replacement import replacement
from pipelines.captions.edits.rerun import proposals
from pipelines.captions.edits.restoring import restored
from pipelines.captions.forms.form import CaptionFormat, Kept
from pipelines.captions.forms.registry import FORM_OF, losses, write
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.lanes import first_overlap, speech
from pipelines.captions.quality.find import find_findings
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.reading.cues import with_words
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord, Lane, LinePlace
from pipelines.messages.translate import SourceLine
from pipelines.testing.captions import document
from pipelines.translation.groups import sentence_groups

TOP = LinePlace(8)
SIGN = with_words(CaptionLine("sign", 1_000, 9_000, "CLOSED ON SUNDAYS", place=TOP))
ONE = with_words(CaptionLine("one", 1_000, 4_000, "We came all the way"))
TWO = with_words(CaptionLine("two", 5_000, 8_000, "for nothing, then."))
LINES = [ONE, SIGN, TWO]


@pytest.mark.parametrize(
    ("place", "lane"),
    [
        (None, Lane.BOTTOM),
        (LinePlace(1), Lane.BOTTOM),
        (LinePlace(5), Lane.MIDDLE),
        (LinePlace(9), Lane.TOP),
        (LinePlace(2, 0.5, 0.1), Lane.TOP),
        (LinePlace(8, 0.5, 0.5), Lane.MIDDLE),
        (LinePlace(8, 0.5, 1.0), Lane.BOTTOM),
    ],
)
def test_a_place_is_in_a_third_of_the_picture(place: LinePlace | None, lane: Lane) -> None:
    assert CaptionLine("a", 0, 1, "a", place=place).lane is lane


def test_lines_stop_at_those_of_their_own_lane_alone() -> None:
    longer = edit.edit_line(LINES, "one", end_ms=7_000)
    assert longer.after[0].end_ms == TWO.start_ms
    assert edit.edit_line(LINES, "sign", start_ms=0, end_ms=20_000).after[0].duration_ms == 20_000
    (added,) = edit.add(LINES, new_id="new", start_ms=4_000, end_ms=6_000, text="below").after
    assert (added.start_ms, added.end_ms) == (4_000, 5_000)
    with pytest.raises(EditRefused, match="another line at that time"):
        edit.add(LINES, new_id="new", start_ms=2_000, end_ms=3_000, text="a second sign", place=LinePlace(7))


def test_a_line_is_merged_with_the_next_of_its_lane() -> None:
    after = apply(LINES, edit.merge(LINES, "one"))
    assert [line.text for line in after] == ["We came all the way for nothing, then.", "CLOSED ON SUNDAYS"]
    with pytest.raises(EditRefused, match="different parts of the picture"):
        edit.merge(LINES, "one", "sign")
    with pytest.raises(EditRefused, match="no next line"):
        edit.merge(LINES, "sign")


def test_a_place_where_another_line_stands_is_refused() -> None:
    down = BulkChange([LineChange("sign", place=None, sets_place=True)])
    with pytest.raises(EditRefused, match="would overlap"):
        change_lines(LINES, down)
    both = BulkChange([LineChange("sign", place=None, sets_place=True), LineChange("sign2")], removed=["one", "two"])
    with pytest.raises(EditRefused):
        change_lines(LINES, both)
    alone = change_lines(LINES, BulkChange(down.changes, removed=["one", "two"]))
    assert [line.place for line in apply(LINES, alone)] == [None]


def test_quality_judges_gaps_within_a_lane() -> None:
    findings = find_findings(LINES, built_in_profiles()["default"])
    assert "overlap" not in {str(each.rule) for each in findings}
    again = with_words(CaptionLine("again", 3_000, 4_500, "at once"))
    overlaps = [each.line_ids for each in find_findings([ONE, SIGN, again], built_in_profiles()["default"])]
    assert ("one", "again") in overlaps


def test_a_version_brings_a_line_back_beside_a_sign() -> None:
    now = [SIGN]
    assert restored(now, LINES, {"one"}).after == (ONE,)


def test_transcribing_again_leaves_signs_alone() -> None:
    words = [
        CaptionWord(5_000 + 500 * at, 5_400 + 500 * at, word, confidence=0.9)
        for at, word in enumerate(["for", "no", "reason", "at", "all"])
    ]
    assert [line.id for line in speech(LINES)] == ["one", "two"]
    found = proposals(LINES, words, [(4_500, 9_000)], DEFAULT_RULES)
    assert [(each.id, each.found.text if each.found else "") for each in found] == [("two", "for no reason at all")]


def test_dialogue_that_moved_up_alone_is_still_speech() -> None:
    moved = CaptionLine("up", 10_000, 12_000, "over the score", place=TOP)
    assert [line.id for line in speech([*LINES, moved])] == ["one", "two", "up"]


def test_a_sentence_goes_on_below_a_sign() -> None:
    lines = [
        SourceLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, text=line.text, lane=line.lane)
        for line in LINES
    ]
    assert [group.source_ids for group in sentence_groups(lines)] == [("one", "two"), ("sign",)]


def test_an_import_keeps_each_line_of_two_that_start_at_once() -> None:
    found = parse_subtitles(write(CaptionFormat.SRT, document(LINES)))
    after = apply(LINES, replacement(LINES, found, {}))
    assert {line.id: (line.text, line.place) for line in after} == {line.id: (line.text, line.place) for line in LINES}


@pytest.mark.parametrize("form", [form for form, kind in FORM_OF.items() if Kept.PLACE in kind.keeps])
def test_a_form_with_places_gives_both_back(form: CaptionFormat) -> None:
    # Line 21 needs more than a second to send two captions.
    lines = [edit.retimed(line, line.start_ms + 3_000, line.end_ms + 3_000) for line in LINES]
    found = parse_subtitles(write(form, document(lines)))
    pairs = list(zip(sorted(found.lines, key=text_of), sorted(lines, key=text_of), strict=True))
    assert [(got.text, got.place) for got, _ in pairs] == [(meant.text, meant.place) for _, meant in pairs]
    late_ms = 150 if form is CaptionFormat.SCC else 40
    assert all(abs(got.start_ms - meant.start_ms) <= late_ms for got, meant in pairs)
    assert all(abs(got.end_ms - meant.end_ms) <= late_ms for got, meant in pairs)
    assert first_overlap(found.lines) is None


def text_of(line: CaptionLine) -> str:
    return line.text


@pytest.mark.parametrize("form", [CaptionFormat.TTML, CaptionFormat.JSON])
def test_a_form_that_can_say_so_gives_forced_lines_back(form: CaptionFormat) -> None:
    lines = [replace(SIGN, forced=True), ONE, TWO]
    found = parse_subtitles(write(form, document(lines)))
    assert {line.text for line in found.lines if line.forced} == {"CLOSED ON SUNDAYS"}
    after = apply(LINES, replacement(LINES, found, {}))
    assert [line.id for line in after if line.forced] == ["sign"]


def test_a_form_that_cannot_says_so() -> None:
    lines = [replace(SIGN, forced=True), ONE, TWO]
    assert losses(CaptionFormat.SRT, document(lines)) == ["1 caption is forced, which SubRip cannot say."]
    back = parse_subtitles(write(CaptionFormat.SRT, document(lines)))
    assert [line.id for line in apply(lines, replacement(lines, back, {})) if line.forced] == ["sign"]


def test_a_region_of_ttml_may_be_forced() -> None:
    text = write(CaptionFormat.TTML, document([SIGN])).decode()
    text = text.replace('<region xml:id="r1"', '<region xml:id="r1" itts:forcedDisplay="true"')
    assert [line.forced for line in parse_subtitles(text.encode()).lines] == [True]
