"""Edits of captions: the exact result of each, and what must hold after any 500 of them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.edits import edit
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.edits.offsets import check_shift, extended
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.limits import LINE_CHARS_MAX, TIME_MS_MAX
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.texts.text import without_space
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin
from pipelines.testing.captions import spoken

W = CaptionWord
ASR, HUMAN = Origin.ASR, Origin.HUMAN
FIRST = CaptionLine(
    "a",
    1_000,
    3_000,
    "the quick brown\nfox",
    (
        *(W(1_000, 1_200, "the", ASR, 0.9), W(1_200, 1_700, "quick", ASR, 0.8)),
        *(W(1_700, 2_300, "brown", ASR, 0.7), W(2_500, 2_900, "fox", ASR, 0.6)),
    ),
)
SECOND = CaptionLine("b", 3_200, 5_000, "jumps", (W(3_200, 3_900, "jumps", ASR, 0.9),), ("loop",))
LINES = [FIRST, SECOND]


def only(result: EditResult) -> CaptionLine:
    (line,) = result.after
    return line


def times(line: CaptionLine) -> list[tuple[int, int, str, Origin]]:
    return [(word.start_ms, word.end_ms, word.text, word.origin) for word in line.words]


def test_unchanged_words_keep_their_times_and_a_changed_word_takes_those_of_the_old_one() -> None:
    line = only(edit.edit_line(LINES, "a", text="the quick red fox"))
    assert times(line)[:2] == [(1_000, 1_200, "the", ASR), (1_200, 1_700, "quick", ASR)]
    assert times(line)[2:] == [(1_700, 2_300, "red", HUMAN), (2_500, 2_900, "fox", ASR)]
    assert line.words[1] is FIRST.words[1]


def test_case_and_signs_change_a_word_without_moving_it() -> None:
    line = only(edit.edit_line(LINES, "a", text="The quick, brown fox."))
    assert [(word.start_ms, word.end_ms) for word in line.words] == [(w.start_ms, w.end_ms) for w in FIRST.words]
    assert [word.origin for word in line.words] == [HUMAN, HUMAN, ASR, HUMAN]


def test_new_words_share_the_gap_between_unchanged_ones() -> None:
    line = only(edit.edit_line(LINES, "a", text="the quick brown and old fox"))
    assert times(line)[2:4] == [(1_700, 2_300, "brown", ASR), (2_300, 2_400, "and", HUMAN)]
    assert times(line)[4:] == [(2_400, 2_500, "old", HUMAN), (2_500, 2_900, "fox", ASR)]


def test_additional_words_share_the_time_of_those_they_replace() -> None:
    line = only(edit.edit_line(LINES, "a", text="the quick ab cd ef fox"))
    assert times(line)[2:5] == [(1_700, 1_900, "ab", HUMAN), (1_900, 2_100, "cd", HUMAN), (2_100, 2_300, "ef", HUMAN)]


def test_same_text_changes_nothing_and_only_white_space_moves_no_word() -> None:
    assert edit.edit_line(LINES, "a", text=" the  quick brown\r\n\r\nfox ") == EditResult()
    assert only(edit.edit_line(LINES, "a", text="the quick\nbrown fox")).words == FIRST.words


def test_text_of_a_script_without_spaces_is_aligned_by_whole_words() -> None:
    spans = [(0, 500, "今日"), (500, 700, "は"), (700, 1_200, "いい"), (1_200, 2_000, "天気")]
    words = tuple(W(start, end, text, ASR, 0.9) for start, end, text in spans)
    line = CaptionLine("z", 0, 2_000, "今日はいい天気", words)
    edited = only(edit.edit_line([line], "z", text="今日は悪い天気"))
    assert times(edited)[:2] == [(0, 500, "今日", ASR), (500, 700, "は", ASR)]
    assert times(edited)[-1] == (1_200, 2_000, "天気", ASR)
    assert "".join(word.text for word in edited.words) == "今日は悪い天気"


def test_split_uses_the_true_time_of_the_word_behind_the_caret() -> None:
    left, right = edit.split_at(LINES, "a", 15, new_id="n", rules=DEFAULT_RULES).after
    assert (left.id, left.start_ms, left.end_ms, left.text) == ("a", 1_000, 2_300, "the quick brown")
    assert (right.id, right.start_ms, right.end_ms, right.text) == ("n", 2_500, 3_000, "fox")
    assert left.words + right.words == FIRST.words


def test_split_between_words_that_touch_leaves_the_profiles_gap() -> None:
    left, right = edit.split_at(LINES, "a", 9, new_id="n", rules=DEFAULT_RULES).after
    assert (left.end_ms, right.start_ms) == (1_600, 1_700)
    assert left.words + right.words == FIRST.words


def test_split_inside_a_word_splits_only_that_word() -> None:
    left, right = edit.split_at(LINES, "a", 7, new_id="n", rules=DEFAULT_RULES).after
    assert (left.text, right.text) == ("the qui", "ck brown\nfox")
    assert times(left)[-1] == (1_200, 1_500, "qui", HUMAN)
    assert times(right)[0] == (1_500, 1_700, "ck", HUMAN)
    assert right.words[1:] == FIRST.words[2:]


def test_split_takes_the_text_shown_in_the_editor() -> None:
    left, right = edit.split_at(LINES, "a", 8, new_id="n", rules=DEFAULT_RULES, text="the red brown\nfox").after
    assert (left.text, right.text) == ("the red", "brown\nfox")


def test_split_of_a_line_moved_off_its_sound_follows_the_text() -> None:
    moved = only(edit.edit_line(LINES, "a", start_ms=50_000, end_ms=52_000))
    left, right = edit.split_at([moved], "a", 9, new_id="n", rules=DEFAULT_RULES).after
    assert moved.start_ms < left.end_ms < right.start_ms < moved.end_ms
    assert left.words + right.words == FIRST.words


@pytest.mark.parametrize("at", [0, 19, 400])
def test_split_at_an_end_is_refused(at: int) -> None:
    with pytest.raises(EditRefused, match="only inside its text"):
        edit.split_at(LINES, "a", at, new_id="n", rules=DEFAULT_RULES)


def test_merge_joins_by_a_space_and_keeps_words_and_doubts() -> None:
    for result in (edit.merge(LINES, "a"), edit.merge(LINES, "b", "a"), edit.merge(LINES, "a", "b")):
        line = only(result)
        assert (line.id, line.start_ms, line.end_ms, line.text) == ("a", 1_000, 5_000, "the quick brown\nfox jumps")
        assert line.words == FIRST.words + SECOND.words
        assert line.doubts == ("loop",)
        assert result.removed == ("b",)


def test_merge_needs_a_neighbour() -> None:
    with pytest.raises(EditRefused, match="no next line"):
        edit.merge(LINES, "b")
    with pytest.raises(EditRefused, match="beside each other"):
        edit.merge([*LINES, CaptionLine("c", 9_000, 9_500, "x")], "a", "c")
    with pytest.raises(EditRefused, match="no longer there"):
        edit.merge(LINES, "a", "gone")


def test_delete_and_its_undo() -> None:
    result = edit.delete(LINES, "a")
    assert (result.changed, result.removed) == ((), ("a",))
    assert edit.apply(edit.apply(LINES, result), result.undone()) == LINES


def test_add_fits_between_neighbours_and_spreads_its_words() -> None:
    line = only(edit.add(LINES, new_id="n", start_ms=2_900, end_ms=4_000, text="uh oh"))
    assert (line.start_ms, line.end_ms) == (3_000, 3_200)
    assert times(line) == [(3_000, 3_100, "uh", HUMAN), (3_100, 3_200, "oh", HUMAN)]


def test_add_on_top_of_a_line_is_refused() -> None:
    with pytest.raises(EditRefused, match="another line at that time"):
        edit.add(LINES, new_id="n", start_ms=1_100, end_ms=1_900, text="no room")


def test_new_times_stop_at_neighbours_and_leave_measured_words_alone() -> None:
    line = only(edit.edit_line(LINES, "a", start_ms=500, end_ms=4_000))
    assert (line.start_ms, line.end_ms) == (500, 3_200)
    assert line.words == FIRST.words


def test_words_with_estimated_times_follow_their_line() -> None:
    added = only(edit.add([], new_id="n", start_ms=0, end_ms=100, text="ab cd"))
    moved = only(edit.edit_line([added], "n", start_ms=1_000, end_ms=2_000))
    assert times(moved) == [(1_000, 1_500, "ab", HUMAN), (1_500, 2_000, "cd", HUMAN)]


@pytest.mark.parametrize(("start", "end"), [(-1, 500), (500, 500), (600, 500), (0, 360_000_000)])
def test_bad_times_are_refused(start: int, end: int) -> None:
    with pytest.raises(EditRefused, match=r"\.$"):
        edit.edit_line(LINES, "a", start_ms=start, end_ms=end)


def test_extend_keeps_a_tenth_of_a_second_before_the_next_line() -> None:
    spans = [(1_000, 3_000), (3_200, 5_000), (5_050, 6_000)]
    assert extended(spans, 500) == [3_100, 5_000, 6_500]
    assert extended(spans[:2], -5_000) == [1_100, 3_300]
    assert extended([(0, TIME_MS_MAX)], 500) == [TIME_MS_MAX]


def test_shift_stays_within_the_range_of_times() -> None:
    check_shift(1_000, 5_000, -1_000)
    check_shift(1_000, 5_000, TIME_MS_MAX - 5_000)
    with pytest.raises(EditRefused, match="starts at 00:00:01,000"):
        check_shift(1_000, 5_000, -1_001)
    with pytest.raises(EditRefused, match="later than 99:59:59,999"):
        check_shift(1_000, 5_000, TIME_MS_MAX - 4_999)


def test_no_edit_makes_a_line_too_long() -> None:
    long = replace(FIRST, text="x" * LINE_CHARS_MAX)
    with pytest.raises(EditRefused, match="longer than 1,000 characters"):
        edit.merge([long, SECOND], "a")
    with pytest.raises(EditRefused, match="has 1,005 characters"):
        edit.split_at([replace(FIRST, text="x " * 502 + "x")], "a", 500, new_id="n", rules=DEFAULT_RULES)


def test_json_form_loses_nothing() -> None:
    assert [line_from_json(line_to_json(line)) for line in LINES] == LINES


TALK = (
    "Where is the harbour? It is behind the old church, near the river. Nobody knows how long the walk takes, because "
    "the road was closed in winter and the map is wrong. We asked twice. The answer was always the same: go north, and "
    "then ask again. So we did, and so we learned that the harbour had moved."
)


@pytest.mark.long
@settings(max_examples=12)
@given(st.integers(0, 2**32))
def test_after_500_random_steps_no_word_has_moved_no_text_is_lost_and_no_lines_overlap(seed: int) -> None:
    """Each word carries a serial number as its confidence, which identifies it wherever it moves."""
    dice = random.Random(seed)
    numbered = [CaptionWord(w.start_ms, w.end_ms, w.text, ASR, i / 1_000) for i, w in enumerate(spoken(TALK))]
    lines = lines_from_words(numbered, DEFAULT_RULES)
    home = {word.confidence: (word.start_ms, word.end_ms, word.text) for word in numbered}
    done: list[tuple[list[CaptionLine], EditResult]] = []
    for step in range(500):
        before = lines
        if done and dice.random() < 0.25:
            before_edit, result = done.pop()
            lines = edit.apply(lines, result.undone())
            assert lines == before_edit
            continue
        try:
            result, wanted, taken_out = random_edit(dice, lines, f"new-{step}")
        except EditRefused:
            continue
        lines = edit.apply(lines, result)
        done.append((before, result))
        assert without_space("".join(line.text for line in lines)) == wanted
        assert all(left.end_ms <= right.start_ms for left, right in pairwise(lines))
        for line in lines:
            assert line.start_ms < line.end_ms
            assert without_space(line.text) == without_space("".join(word.text for word in line.words))
            for word in line.words:
                if word.origin is ASR:
                    assert (word.start_ms, word.end_ms, word.text) == home[word.confidence]
        # Only words that the edit removed from a text may disappear.
        gone = asr_words(before) - asr_words(lines)
        assert len(gone) <= taken_out


def asr_words(lines: list[CaptionLine]) -> set[float | None]:
    return {word.confidence for line in lines for word in line.words if word.origin is ASR}


def random_edit(dice: random.Random, lines: list[CaptionLine], new_id: str) -> tuple[EditResult, str, int]:
    """An edit, the text (without white space) all lines together must then hold, and how many words it took out."""
    whole = without_space("".join(line.text for line in lines))
    place = dice.randrange(len(lines))
    line = lines[place]
    kind = dice.choice(["text", "text", "split", "merge", "times"])
    if kind == "split":
        at = dice.randrange(len(line.text) + 1)
        return edit.split_at(lines, line.id, at, new_id=new_id, rules=DEFAULT_RULES), whole, 1
    if kind == "merge":
        return edit.merge(lines, line.id), whole, 0
    if kind == "times":
        start, end = sorted(dice.randrange(0, 60_000) for _ in range(2))
        near = dice.random() < 0.8
        start = line.start_ms + dice.randrange(-400, 400) if near else start
        end = line.end_ms + dice.randrange(-400, 400) if near else end
        result = edit.edit_line(lines, line.id, start_ms=start, end_ms=end)
        moved = without_space("".join(each.text for each in edit.apply(lines, result)))
        assert sorted(moved) == sorted(whole)
        return result, moved, 0
    words = line.text.split(" ")
    taken_out = 0
    for _ in range(dice.randrange(1, 4)):
        spot = dice.randrange(len(words) + 1)
        if dice.random() < 0.5 and len(words) > 2:
            taken_out += len(words.pop(min(spot, len(words) - 1)).split())
        else:
            words.insert(spot, dice.choice(["new", "the", "harbour", "x-ray,", "þökk"]))
    text = " ".join(words)
    wanted = "".join(without_space(text) if each is line else without_space(each.text) for each in lines)
    return edit.edit_line(lines, line.id, text=text), wanted, taken_out


def test_a_merged_line_remembers_who_spoke_each_word_and_splits_back() -> None:
    first, second = replace(FIRST, speaker="S1"), replace(SECOND, speaker="S2")
    (merged,) = edit.merge([first, second], "a").after
    assert merged.speaker == "S1"
    assert [word.speaker for word in merged.words] == [None] * len(first.words) + ["S2"]
    assert line_from_json(line_to_json(merged)) == merged
    left, right = edit.split_at([merged], "a", len(first.text), new_id="n", rules=DEFAULT_RULES).after
    assert (left.speaker, right.speaker, right.words[0].speaker) == ("S1", "S2", None)
