"""Quality rules: each finding on a line made for it, and fixes that are safe on thousands of generated lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from pipelines.captions.quality.find import find_findings
from pipelines.captions.quality.findings import Circumstances, Rule, Severity
from pipelines.captions.quality.fixes import fix_all
from pipelines.captions.quality.profile import built_in_profiles
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


@pytest.mark.long
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
