"""Whatever people do to the source and to the translation, the translation stays in step."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.edits import edit
from pipelines.captions.edits.bulk import BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditRefused, EditResult, apply
from pipelines.captions.edits.linked import follow, linked_by_time, needs_step
from pipelines.captions.edits.links import is_stale
from pipelines.captions.lanes import by_lane, first_overlap
from pipelines.captions.reading.cues import with_words
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, Lane, LineLink, LinePlace, SourceText, Writer

WORDS = ("one", "two", "three", "four", "five.", "six", "日本", "語です")
LINES = 6
STEP_MS = 3_000
KINDS = ("split", "merge", "delete", "text", "time", "add", "place", "target", "import")


def line(line_id: str, start_ms: int, end_ms: int, text: str, *sources: SourceText) -> CaptionLine:
    link = LineLink(sources, Writer.MODEL) if sources else None
    return with_words(CaptionLine(line_id, start_ms, end_ms, text, link=link))


def pair(texts: Sequence[str]) -> tuple[list[CaptionLine], list[CaptionLine]]:
    """A source, and its translation line by line."""
    starts = [number * STEP_MS for number in range(len(texts))]
    source = [line(f"s{number}", start, start + 2_000, texts[number]) for number, start in enumerate(starts)]
    target = [
        line(f"t{number}", each.start_ms, each.end_ms, f"Z{number} {each.text}", SourceText(each.id, each.text))
        for number, each in enumerate(source)
    ]
    return source, target


def step(source: list[CaptionLine], target: list[CaptionLine], change: EditResult, ids: Iterator[str]) -> EditResult:
    changed = {each.id for each in change.before}
    starts = {each.id: each.start_ms for each in source if each.id not in changed}
    return follow(change, target, new_id=lambda: next(ids), starts=starts) if needs_step(change) else EditResult()


def keeps_order(source: list[CaptionLine], change: EditResult) -> bool:
    """Whether the lines that stay are in the same order after the change."""
    after = [each.id for each in apply(source, change)]
    return [each.id for each in source if each.id in after] == [one for one in after if one in {e.id for e in source}]


def check(source: Sequence[CaptionLine], target: Sequence[CaptionLine]) -> None:
    """Every linked line names source lines that exist, in order, and no two lines of a lane overlap.

    Of the lines in a lane, those that translate one lane of the source are in order. Lines of two lanes may be on
    screen at once, and one may begin before the other and end after it: between those there is no order.
    """
    place = {each.id: index for index, each in enumerate(source)}
    newest: dict[tuple[Lane, Lane], int] = {}
    for each in target:
        assert each.link is not None
        assert each.end_ms > each.start_ms
        indexes = [place[one.id] for one in each.link.sources]
        assert indexes == sorted(set(indexes))
        for lane in {source[index].lane for index in indexes}:
            of_lane = [index for index in indexes if source[index].lane is lane]
            assert of_lane[0] >= newest.get((each.lane, lane), -1)
            newest[each.lane, lane] = of_lane[-1]
    assert first_overlap(target) is None


def said_in(lines: Sequence[CaptionLine]) -> dict[Lane, str]:
    """What each lane says, without space."""
    return {lane[0].lane: "".join("".join(line.text.split()) for line in lane) for lane in by_lane(lines) if lane}


texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), min_size=LINES, max_size=LINES)
commands = st.lists(
    st.tuples(
        st.sampled_from(
            ["split", "split", "merge", "merge", "delete", "text", "time", "add", "place", "target", "import"]
        ),
        st.integers(0, 50),
        st.integers(0, 50),
    ),
    min_size=1,
    max_size=14,
)


def change_of(kind: str, lines: Sequence[CaptionLine], which: int, how: int, ids: Iterator[str]) -> EditResult:
    if kind == "add" or not lines:
        start = how * 700 + 1
        return edit.add(lines, new_id=next(ids), start_ms=start, end_ms=start + 900, text="added line")
    each = lines[which % len(lines)]
    match kind:
        case "split":
            return edit.split_at(lines, each.id, how % max(1, len(each.text)), new_id=next(ids), rules=DEFAULT_RULES)
        case "merge":
            return edit.merge(lines, each.id)
        case "delete":
            return edit.delete(lines, each.id)
        case "time":
            start = max(0, each.start_ms + (how - 25) * 60)
            return edit.edit_line(lines, each.id, start_ms=start, end_ms=max(start + 1, each.end_ms + (25 - how) * 40))
        case "place":
            place = LinePlace(8) if how % 2 else None
            return change_lines(lines, BulkChange([LineChange(each.id, place=place, sets_place=True)]))
        case "import":
            fresh = [replace(one, id=next(ids), start_ms=one.start_ms + how % 3) for one in lines[which % len(lines) :]]
            return EditResult(tuple(lines[which % len(lines) :]), tuple(one for one in fresh if one.duration_ms > 0))
        case _:
            return edit.edit_line(lines, each.id, text=f"{each.text} more{how}")


@settings(max_examples=150)
@given(texts, commands)
def test_links_stay_in_order_and_undo_restores_the_translation(
    said: list[str], done: list[tuple[str, int, int]]
) -> None:
    source, target = pair(said)
    ids = (f"n{number}" for number in itertools.count())
    for kind, which, how in done:
        try:
            if kind == "target":
                if not target:
                    continue
                kinds = ("split", "merge", "text", "time")
                change = change_of(kinds[how % 4], target, which, how, ids)
                if keeps_order(target, change):
                    target = apply(target, change)
                    check(source, target)
                continue
            change = change_of(kind, source, which, how, ids)
        except EditRefused:
            continue
        if not keeps_order(source, change):
            # A line that jumps over others leaves no order for the lines that translate several.
            continue
        before = target
        source = apply(source, change)
        followed = step(source, target, change, ids)
        target = apply(target, followed)
        check(source, target)
        assert apply(target, followed.undone()) == before
        if kind in ("split", "merge"):
            assert said_in(target) == said_in(before)


def test_a_merge_across_a_line_of_another_lane_leaves_the_sources_in_order() -> None:
    source, target = pair(["one"] * LINES)
    ids = (f"n{number}" for number in itertools.count())
    target = apply(target, edit.merge(target, "t2"))
    for change in (change_of("place", source, 2, 1, ids), None):
        change = change or edit.merge(source, "s1")
        followed = step(source, target, change, ids)
        source, target = apply(source, change), apply(target, followed)
        check(source, target)


def test_a_line_that_stands_elsewhere_keeps_its_time_when_its_source_is_split() -> None:
    """A person cut the translation of the first line in two, and put both before the end of that line."""
    source = [line("s0", 0, 4_000, "one two three"), line("s1", 4_000, 4_200, "four five.")]
    of_first = SourceText("s0", "one two three")
    target = [
        line("t0", 1_500, 1_700, "Z0", of_first),
        line("n0", 1_830, 2_150, "one two three", of_first),
        line("t1", 4_000, 4_200, "Z1 four five.", SourceText("s1", "four five.")),
    ]
    ids = (f"n{number}" for number in itertools.count(1))
    split = edit.split_at(source, "s0", 8, new_id="x", rules=DEFAULT_RULES)
    after = apply(target, step(source, target, split, ids))
    check(apply(source, split), after)
    assert [(each.id, each.start_ms, each.end_ms) for each in after] == [
        ("t0", 1_500, 1_700),
        ("n0", 1_830, 2_150),
        ("t1", 4_000, 4_200),
    ]


def test_a_split_and_its_merge_are_up_to_date_again() -> None:
    source, target = pair(["one two three four"] * LINES)
    ids = (f"n{number}" for number in itertools.count())
    split = edit.split_at(source, "s1", 8, new_id="x", rules=DEFAULT_RULES)
    source = apply(source, split)
    target = apply(target, step(source, target, split, ids))
    now = {each.id: each.text for each in source}
    assert [is_stale(each.link, now) for each in target if each.link] == [False, True, True, *[False] * 4]
    assert [each.text for each in target[1:3]] == ["Z1 one", "two three four"]
    merged = edit.merge(source, "s1")
    source = apply(source, merged)
    target = apply(target, step(source, target, merged, ids))
    now = {each.id: each.text for each in source}
    assert [each.text for each in target] == [f"Z{number} one two three four" for number in range(LINES)]
    assert not any(is_stale(each.link, now) for each in target if each.link)


def test_a_sign_and_its_translation_move_up_together_and_stay_while_others_speak() -> None:
    source, target = pair(["SIGN", *["one two"] * 3])
    up = change_lines(source, BulkChange([LineChange("s0", place=LinePlace(8), sets_place=True)]))
    assert needs_step(up)
    source, target = apply(source, up), apply(target, step(source, target, up, iter(())))
    assert [each.place for each in target] == [LinePlace(8), None, None, None]
    longer = edit.edit_line(source, "s0", end_ms=8_000)
    source, target = apply(source, longer), apply(target, step(source, target, longer, iter(())))
    assert [(each.start_ms, each.end_ms) for each in target] == [
        *((0, 8_000), (3_000, 5_000), (6_000, 8_000), (9_000, 11_000)),
    ]
    check(source, target)


def test_equal_neighbours_merge_to_both() -> None:
    source, target = pair(["Yes."] * LINES)
    merged = edit.merge(source, "s0")
    source = apply(source, merged)
    target = apply(target, step(source, target, merged, iter(())))
    assert target[0].link is not None
    assert target[0].link.sources == (SourceText("s0", "Yes. Yes."),)


def test_a_word_that_cannot_be_divided_goes_with_both_halves() -> None:
    source, target = pair(["one two"] * LINES)
    target[2] = replace(target[2], text="zusammen")
    split = edit.split_at(source, "s2", 4, new_id="x", rules=DEFAULT_RULES)
    source = apply(source, split)
    target = apply(target, step(source, target, split, iter(())))
    assert [one.id for one in target[2].link.sources] == ["s2", "x"]  # type: ignore[union-attr]
    assert len(target) == LINES


def test_lines_of_a_file_are_linked_by_time() -> None:
    source, _ = pair(["one two"] * 4)
    bare = [line("a", 0, 1_900, "uno"), line("b", 2_900, 8_000, "dos"), line("c", 30_000, 31_000, "fin")]
    linked = linked_by_time(bare, source)
    assert [[one.id for one in each.link.sources] for each in linked if each.link] == [["s0"], ["s1", "s2"], []]
