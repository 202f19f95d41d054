"""Quality rules: each finding on a line made for it, and fixes that are safe on thousands of generated lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest

from pipelines.captions.edits.edit import apply
from pipelines.captions.quality.find import find_findings
from pipelines.captions.quality.findings import Circumstances, Rule, Severity
from pipelines.captions.quality.fixes import fix_all
from pipelines.captions.quality.profile import built_in_profiles, default_id
from pipelines.captions.quality.recut import recut
from pipelines.captions.quality.rules import find_all
from pipelines.captions.quality.sentences import (
    REASONS,
    SENTENCES,
    SEVERITIES,
    TITLES,
    reason_of,
    sentence_of,
)
from pipelines.captions.quality.text_rules import SIMPLE_TAG
from pipelines.captions.texts.measure import half_widths
from pipelines.captions.texts.text import without_space
from pipelines.messages.lines import CaptionLine, CaptionWord
from pipelines.testing.captions_to_judge import judged_lines, judged_under

NETFLIX = built_in_profiles()["netflix_en"]


def line(text: str, start: int = 10_000, end: int = 13_000, name: str = "a") -> CaptionLine:
    return CaptionLine(name, start, end, text)


def rules_of(lines: Sequence[CaptionLine], profile: str = "netflix_en", **more: object) -> set[Rule]:
    return {each.rule for each in find_findings(lines, built_in_profiles()[profile], language="en", **more)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "text", "times"),
    [
        (Rule.EMPTY, " ", (0, 2_000)),
        (Rule.ROW_TOO_LONG, "x" * 43, (0, 7_000)),
        (Rule.TOO_MANY_ROWS, "one\ntwo\nthree", (0, 3_000)),
        (Rule.TOO_FAST, "x" * 41, (0, 2_000)),
        (Rule.TOO_SHORT, "Hi", (0, 800)),
        (Rule.TOO_LONG, "Hi", (0, 7_001)),
        (Rule.SPACES, "so  what", (0, 2_000)),
        (Rule.SPACES, "so , what", (0, 2_000)),
        (Rule.TAG, "<i>so", (0, 2_000)),
        (Rule.UNSPOKEN, "so *what*", (0, 2_000)),
        (Rule.GLYPH, "so ♪", (0, 2_000)),
        (Rule.ROW_BREAK, "This is the\nhouse of Jack", (0, 2_000)),
        (Rule.ROW_BREAK, "He met Anna\nSmith there", (0, 2_000)),
        (Rule.DASH, "- Are you there?\n- Yes.", (0, 2_000)),
        (Rule.NUMBER, "I have 3 cats.", (0, 2_000)),
        (Rule.AFTER_CUT, "Hi there", (5_300, 6_700)),
        (Rule.BEFORE_CUT, "Hi there", (3_000, 4_800)),
    ],
)
def test_a_line_made_for_a_rule_breaks_that_rule_alone(rule: Rule, text: str, times: tuple[int, int]) -> None:
    assert rules_of([line(text, *times)], shots=[5_000], undrawable="♪") == {rule}


def test_clean_lines_have_no_findings() -> None:
    lines = [line("-Are you there?\n-Yes, of course.", 5_000, 7_500), line("Good.", 8_500, 10_000, "b")]
    assert rules_of(lines, shots=[5_000], undrawable="♪") == set()


def test_gaps_and_overlaps_name_both_lines() -> None:
    for gap, rule in ((-50, Rule.OVERLAP), (20, Rule.SMALL_GAP), (300, Rule.OPEN_GAP)):
        (found,) = find_findings([line("One", 0, 2_000), line("Two", 2_000 + gap, 4_000, "b")], NETFLIX)
        assert (found.rule, found.line_ids) == (rule, ("a", "b"))


def test_a_gap_of_two_frames_follows_the_frame_rate() -> None:
    lines = [line("One", 0, 2_000), line("Two", 2_070, 4_000, "b")]
    assert rules_of(lines, fps=24.0) == {Rule.SMALL_GAP}
    assert rules_of(lines, fps=30.0) == set()


def test_the_sound_says_what_is_late_early_and_too_long() -> None:
    words = (CaptionWord(11_000, 11_400, "Hi", confidence=0.9),)
    late = replace(line("Hi", 11_300, 12_133), words=words)
    assert rules_of([late]) == {Rule.LATE}
    assert rules_of([replace(late, start_ms=10_800)], "ted") == {Rule.EARLY}
    assert rules_of([replace(late, start_ms=11_000, end_ms=14_000)]) == {Rule.LINGERS}


def test_speaker_labels_follow_the_profile() -> None:
    assert rules_of([line("JOHN: So.")], "netflix_en_sdh") == {Rule.LABEL}
    (found,) = find_findings([line("[John Smith] So.")], built_in_profiles()["bbc_online"], language="en")
    assert (found.rule, found.fix) == (Rule.LABEL, None)
    (found,) = find_findings([line("JOHN: So.")], built_in_profiles()["netflix_sdh"], language="is")
    assert found.fix is not None
    assert found.fix.text == "[JOHN] So."


@pytest.mark.parametrize(
    ("text", "counts_half", "halves"),
    [
        ("abc", False, 6),
        ("<i>a</i>b\nc", False, 6),
        ("今日 ok", True, 7),
        ("e\u0301t", False, 4),
        ("हिन्दी", False, 6),
        ("👩‍👩‍👧", False, 2),
        ("🇮🇸🇮🇸", False, 4),
        ("👍🏽", False, 2),
    ],
)
def test_length_counts_what_a_reader_sees(text: str, counts_half: bool, halves: int) -> None:
    assert half_widths(text, counts_half=counts_half) == halves


def test_speed_turns_red_beyond_110_percent() -> None:
    (orange,) = find_findings([line("x" * 42, 0, 2_000)], NETFLIX)
    (red,) = find_findings([line("x" * 42, 0, 1_900)], NETFLIX)
    assert (orange.severity, red.severity) == (Severity.WARNING, Severity.ERROR)
    assert sentence_of(red) == "22.1 characters a second. The profile allows 20."
    assert sentence_of(red, "is-IS") == "22,1 stafir á sekúndu. Reglurnar leyfa 20."


def test_fixing_one_rule_leaves_the_others() -> None:
    lines = [line("Two  spaces here.", 0, 200), line("", 1_000, 2_000), line("And  here.", 3_000, 5_000)]
    about = judged_under(random.Random(1))
    spaced = fix_all(lines, about, Rule.SPACES)
    assert [each.text for each in spaced] == ["Two spaces here.", "", "And here."]
    assert [each.end_ms for each in spaced] == [each.end_ms for each in lines]
    assert [each.text for each in fix_all(lines, about, Rule.EMPTY)] == ["Two  spaces here.", "And  here."]


def test_no_fix_makes_a_number_worse_that_is_too_high_or_too_low_already() -> None:
    profile = NETFLIX
    # 20 characters a second are allowed; an end at the profile's gap would make 24.1 of 22.4.
    fast = [line("x" * 42, 0, 1_875, "a"), line("Hello there.", 1_890, 4_000, "b")]
    assert rules_of(fast, fps=24.0) == {Rule.TOO_FAST, Rule.SMALL_GAP}
    short = [line("Hi", 0, 790, "a"), line("Hello there.", 800, 3_000, "b")]
    assert rules_of(short, fps=24.0) == {Rule.TOO_SHORT, Rule.SMALL_GAP}
    for lines in (fast, short):
        assert all(found.fix is None for found in find_findings(lines, profile, language="en", fps=24.0))
        assert fix_all(lines, Circumstances(profile, "en", fps=24.0)) == lines
    slow = [line("x" * 30, 0, 2_000, "a"), line("Hello there.", 2_010, 4_000, "b")]
    assert [each.end_ms for each in fix_all(slow, Circumstances(profile, "en", fps=24.0))] == [1_927, 4_000]


def test_fixes_are_stable_lose_no_word_and_make_nothing_worse() -> None:
    fixed_rules, fixes = set(), 0
    for seed in range(300):
        chance = random.Random(seed)
        lines, about = judged_lines(chance), judged_under(chance)
        old = {found.key: found for found in find_all(lines, about)}
        fixed = fix_all(lines, about)
        new = {found.key: found for found in find_all(fixed, about)}
        before = {key: found.severity.rank for key, found in old.items()}
        after = {key: found.severity.rank for key, found in new.items()}
        assert fix_all(fixed, about) == fixed, seed
        # Removing a line without text brings its neighbours together, which may open a gap to close.
        newer = {key: rank for key, rank in after.items() if rank > before.get(key, -1)}
        brought_together = any(not each.text.strip() for each in lines)
        assert not newer or brought_together, (seed, newer)
        for key in set(old) & set(new) if not brought_together else ():
            was, now = old[key].values, new[key].values
            for name in ("length", "rows", "speed", "seconds", "ms"):
                if isinstance(was.get(name), int | float):
                    grown = float(now[name]) - float(was[name])
                    assert grown >= 0 if key[0] in (Rule.TOO_SHORT, Rule.SMALL_GAP) else grown <= 0, (
                        seed,
                        key,
                        was,
                        now,
                    )
        fixed_rules |= {rule for rule, _ in set(before) - set(after)}
        fixes += len(before) - len(after)
        kept = {each.id: each for each in fixed}
        for each in lines:
            if each.text.strip():
                assert _letters(kept[each.id].text) == _letters(each.text), seed
    assert fixes > 300
    # These need a person: what to leave out, how to spell, which font.
    assert fixed_rules >= set(Rule) - {Rule.UNSPOKEN, Rule.GLYPH, Rule.NUMBER}


def _letters(text: str) -> str:
    return "".join(each for each in without_space(SIMPLE_TAG.sub("", text)) if each.isalnum() or each in "<>{}\\")


def test_every_finding_and_fix_has_its_sentence_in_both_languages() -> None:
    for seed in range(60):
        chance = random.Random(seed)
        lines, about = judged_lines(chance), judged_under(chance)
        for found in find_findings(
            lines,
            about.profile,
            language=about.language,
            shots=about.cuts_ms,
            fps=about.fps,
            undrawable=about.undrawable,
        ):
            for language in ("en", "is"):
                assert "{" not in sentence_of(found, language).replace("{\\", "")
                if found.fix is not None:
                    assert "{" not in reason_of(found.fix, language)


def test_every_rule_and_reason_is_written_in_both_languages() -> None:
    for table in (TITLES, SENTENCES):
        assert all(set(rules) == set(Rule) for rules in table.values())
    assert set(REASONS["en"]) == set(REASONS["is"])
    assert all(set(names) == set(Severity) for names in SEVERITIES.values())


def test_the_default_profile_follows_the_language() -> None:
    assert [default_id(code) for code in ("is-IS", "ja", "zh-TW", "yue", "en-US")] == [
        *("default", "default_ja", "default_zh", "default_zh", "default"),
    ]


@pytest.mark.parametrize("profile", ["shorts", "netflix_zh", "bbc_vertical", "default"])
def test_cutting_again_loses_no_word_and_moves_none(profile: str) -> None:
    for seed in range(40):
        lines = [each for each in judged_lines(random.Random(seed)) if each.text.strip()]
        lines = [each for each, after in zip(lines, [*lines[1:], None], strict=False) if not _overlaps(each, after)]
        rules = built_in_profiles()[profile].rules(25.0)
        names = (f"new-{number}" for number in range(10_000))
        after = apply(lines, recut(lines, rules, "en", names.__next__))
        assert sorted(_words(lines)) == sorted(_words(after)), seed
        assert len({each.id for each in after}) == len(after)
        assert all(one.end_ms <= two.start_ms for one, two in pairwise(after)), seed
        assert all(each.start_ms < each.end_ms for each in after), seed


def _overlaps(line: CaptionLine, after: CaptionLine | None) -> bool:
    return after is not None and after.start_ms < line.end_ms


def _words(lines: Sequence[CaptionLine]) -> list[tuple[int, int, str]]:
    return [(word.start_ms, word.end_ms, word.text) for each in lines for word in each.words]


def test_cutting_again_keeps_text_in_order() -> None:
    text = "It was late when the last train left, and nobody on the platform had seen the man in the grey coat."
    units = text.split()
    words = tuple(CaptionWord(i * 400, i * 400 + 350, unit, confidence=0.9) for i, unit in enumerate(units))
    whole = CaptionLine("a", 0, len(units) * 400, text, words, speaker="S1")
    result = recut([whole], built_in_profiles()["netflix_en"].rules(25.0), "en", iter("bcdef").__next__)
    assert " ".join(each.text.replace("\n", " ") for each in result.after) == text
    assert {each.speaker for each in result.after} == {"S1"}
    assert find_findings(result.after, NETFLIX, language="en", fps=25.0) == []


@pytest.mark.parametrize(
    ("profile", "row", "rows", "speed", "least_ms", "most_ms", "gap_ms"),
    [
        ("netflix_en", 42, 2, 20, 833, 7_000, 83),
        ("netflix_en_children", 42, 2, 17, 833, 7_000, 83),
        ("netflix", 42, 2, 17, 833, 7_000, 83),
        ("netflix_children", 42, 2, 13, 833, 7_000, 83),
        ("netflix_sdh", 42, 2, 20, 833, 7_000, 83),
        ("netflix_zh", 16, 2, 9, 833, 7_000, 83),
        ("netflix_ko", 16, 2, 12, 833, 7_000, 83),
        ("netflix_ja", 23, 2, 4, 833, 7_000, 83),
        ("netflix_th", 35, 2, 17, 833, 7_000, 83),
        ("netflix_ar", 42, 2, 20, 833, 7_000, 83),
        ("netflix_hi", 42, 2, 22, 833, 7_000, 83),
        ("amazon", 42, 2, 17, 1_000, 7_000, 83),
        ("amazon_ar", 42, 2, 20, 1_000, 7_000, 83),
        ("bbc_broadcast", 37, 2, 15, None, None, None),
        ("bbc_vertical", 25, 3, 15, None, None, None),
        ("ted", 42, 2, 21, 1_000, 7_000, None),
        ("amara", 42, 2, None, 700, None, None),
        ("arte", 40, 2, 20, 1_000, 10_000, 200),
        ("sdi", 37, 2, 18.75, 1_320, 7_000, 160),
        ("danish", 40, 2, 15, 2_000, 8_000, 120),
        ("ataa", 40, 2, 15, 667, 5_000, 167),
        ("shorts", 24, 2, 25, 700, 5_000, 0),
        ("ebu_teletext", 37, None, None, None, None, None),
        ("default", None, None, None, None, None, None),
    ],
)
def test_a_profile_has_the_numbers_of_its_source_and_says_which_are_ours(
    profile: str,
    row: int | None,
    rows: int | None,
    speed: float | None,
    least_ms: int | None,
    most_ms: int | None,
    gap_ms: int | None,
) -> None:
    limits = built_in_profiles()[profile]
    named = {"max_row": row, "max_rows": rows, "max_speed": speed, "max_ms": most_ms}
    # A least duration or gap of nothing is not a number that anybody chose.
    named |= {"min_ms": least_ms} if limits.word_ms == 0 else {}
    named |= {"gap_ms": gap_ms} if limits.gap_ms else {}
    for name, value in named.items():
        assert (value is None) == (name in limits.ours), name
        assert value in (None, getattr(limits, name)), name
