"""Built-in profiles have the numbers of their sources, and languages those of their scripts."""

from __future__ import annotations

import pytest

from pipelines.captions.quality.profile import built_in_profiles, default_id
from pipelines.messages.caption_rules import DEFAULT_RULES, rules_for


def test_the_default_profile_follows_the_language() -> None:
    assert [default_id(code) for code in ("is-IS", "ja", "zh-TW", "yue", "en-US")] == [
        *("default", "default_ja", "default_zh", "default_zh", "default"),
    ]


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


@pytest.mark.parametrize(("language", "row", "speed"), [("zh-TW", 16, 9), ("ja", 23, 4), ("KO-kr", 16, 12)])
def test_a_script_of_whole_words_is_read_in_fewer_characters(language: str, row: int, speed: float) -> None:
    rules = rules_for(language)
    assert (rules.max_row, rules.max_speed) == (row, speed)
    assert rules.warn_speed < rules.max_speed


@pytest.mark.parametrize("language", ["is-IS", "en", "ar", ""])
def test_other_languages_have_the_usual_rules(language: str) -> None:
    assert rules_for(language) is DEFAULT_RULES
