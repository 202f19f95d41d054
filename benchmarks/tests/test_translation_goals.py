"""The model that the translation benchmark relies on does equal work on both sides."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from benchmarks.goals.translation.bare import Bare
from benchmarks.goals.translation.command import material
from benchmarks.goals.translation.ours import Ours
from serve.core.messages import EngineRefused
from serve.tasks.translation.load import load_translation
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.random_translator import SMALLEST, TOKENS, looping_translator, reciting_translator
from serve.testing.translation import NO_HUB, passage


def test_every_line_gets_equally_many_tokens_on_both_sides(tmp_path: Path) -> None:
    model = reciting_translator(SMALLEST, tmp_path)
    lines = material(40)
    with closing(Bare(model, calls=1, threads=1)) as bare, closing(Ours(model, workers=1)) as ours:
        # The language token before the words.
        assert {bare.tokens(line) for line in lines} == {TOKENS + 1}
        assert bare.sorted_lines_per_second(lines, batch_tokens=512) > 0
        assert bare.single_lines_per_second(lines[:2]) > 0
        assert ours.lines_per_second(lines) > 0


def test_a_model_that_never_stops_is_stopped(tmp_path: Path) -> None:
    """A real engine with a model that only repeats one word: no loop and no empty row comes out."""
    model = looping_translator(SMALLEST, tmp_path)
    engine = load_translation(TranslationProfile(engine="ct2", models={"en-is": str(model)}), NO_HUB, tmp_path)
    with closing(engine):
        outcomes = engine.run([passage(line, index=index) for index, line in enumerate(material(4))])
    for line, outcome in zip(material(4), outcomes, strict=True):
        assert not isinstance(outcome, EngineRefused)
        words = outcome.hypotheses[0].text.split()
        assert words
        assert outcome.is_fallback == (outcome.hypotheses[0].text == line)
        assert all(words.count(word) < 8 for word in words)
