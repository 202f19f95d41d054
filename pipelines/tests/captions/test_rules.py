from __future__ import annotations

import pytest

from pipelines.messages.caption_rules import DEFAULT_RULES, rules_for


@pytest.mark.parametrize(("language", "row", "speed"), [("zh-TW", 16, 9), ("ja", 23, 4), ("KO-kr", 16, 12)])
def test_a_script_of_whole_words_is_read_in_fewer_characters(language: str, row: int, speed: float) -> None:
    rules = rules_for(language)
    assert (rules.max_row, rules.max_speed) == (row, speed)
    assert rules.warn_speed < rules.max_speed


@pytest.mark.parametrize("language", ["is-IS", "en", "ar", ""])
def test_other_languages_have_the_usual_rules(language: str) -> None:
    assert rules_for(language) is DEFAULT_RULES
