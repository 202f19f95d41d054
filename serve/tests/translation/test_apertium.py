"""Apertium itself: the program with the pairs that are installed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import closing
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.translation.apertium.engine import ApertiumTranslator, installed_modes, run_mode
from serve.tasks.translation.choice import explain
from serve.tasks.translation.engine import Sentence
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.testing.translation import NO_HUB, passage

needs_apertium = pytest.mark.skipif(
    not {("en", "es"), ("is", "en")} <= installed_modes().keys(),
    reason="Apertium with the pairs eng-spa and isl-eng is not installed",
)
pytestmark = needs_apertium


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessTranslator]:
    """The engine of an installation without any model."""
    with closing(InProcessTranslator(TranslationProfile(), NO_HUB, tmp_path_factory.mktemp("empty"))) as model:
        yield model


def test_it_says_that_it_is_rule_based_and_which_pairs_it_knows(rules: InProcessTranslator) -> None:
    info = rules.describe()
    assert info.engine == "apertium"
    assert "Rule-based and rough" in info.note
    assert "models pull" in info.reason
    assert info.pairs is not None
    directions = {(pair.source, pair.target): pair.via for pair in info.pairs}
    assert directions["en", "es"] == ""
    assert directions["is", "es"] == "en"
    assert ("en", "is") not in directions


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "pair", "translated"),
    [
        ("The houses are red.", "en-es", "Las casas son rojas."),
        ("Los perros son negros.", "es-en", "The dogs are black."),
        ("Húsið er stórt.", "is-en", "The house is big."),
    ],
)
def test_sentences(rules: InProcessTranslator, text: str, pair: str, translated: str) -> None:
    assert rules.submit(passage(text, pair)).result(PATIENCE_S).hypotheses[0].text == translated


@pytest.mark.long
def test_passages_of_many_files_stay_apart(rules: InProcessTranslator) -> None:
    """Neither short lines, nor lines without a full stop, nor empty ones move the others."""
    texts = [f"The house number {number}" + ("." if number % 3 else "") for number in range(32)]
    futures = [
        rules.submit(passage(text, "en-es", stream=f"file-{number % 8}", index=number))
        for number, text in enumerate(texts)
    ]
    wait(futures, timeout=PATIENCE_S)
    for number, (text, future) in enumerate(zip(texts, futures, strict=True)):
        (best,) = future.result(0).hypotheses
        assert future.result(0).index == number
        assert str(number) in best.text.replace(".", "").split()
        assert best.text.endswith(".") == text.endswith(".")


@pytest.mark.long
def test_signs_of_its_own_format_and_unknown_words_come_through() -> None:
    texts = ["[note] *star* ^hat$ {x} 5/6 @ <i> back\\slash", "The flurgel costs $5.", "www.example.com", ""]
    for text, translated in zip(texts, run_mode("eng-spa", texts), strict=True):
        assert "*flurgel" not in translated
        for sign in "[]*^${}/@<>\\":
            assert translated.count(sign) == text.count(sign), (text, translated, sign)
    assert run_mode("eng-spa", ["The flurgel."]) == ["El flurgel."]


def test_a_pair_that_is_not_installed_is_refused_with_those_that_are(rules: InProcessTranslator) -> None:
    with pytest.raises(EngineRefused) as refused:
        rules.submit(passage("Good morning.", "en-ja")).result(PATIENCE_S)
    assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "en → es" in refused.value.sentence


def test_a_mode_that_does_not_exist_is_a_sentence() -> None:
    with pytest.raises(EngineRefused, match="Apertium failed"):
        run_mode("xxx-yyy", ["text"])


def test_a_model_is_preferred_and_rules_fill_the_gaps(tmp_path: Path) -> None:
    unpack(TRANSLATION, tmp_path)
    profile = TranslationProfile(models={"en-es": TRANSLATION})
    info = explain(profile, NO_HUB, tmp_path)
    assert info.engine == "ct2"
    assert info.pairs is not None
    assert {(pair.source, pair.target) for pair in info.pairs} >= {("en", "es"), ("es", "en"), ("is", "es")}
    assert "Rule-based and rough for" in info.note
    assert "en → es" not in info.note
    with closing(InProcessTranslator(profile, NO_HUB, tmp_path)) as both:
        assert (
            both.submit(passage("Nobody knows the answer.", "en-es")).result(PATIENCE_S).hypotheses[0].log_probability
        )
        (rough,) = both.submit(passage("The cats eat.", "es-en")).result(PATIENCE_S).hypotheses
        assert rough.log_probability is None


def test_attention_says_which_word_each_word_comes_from() -> None:
    text = "In New York, the red house of my brother is big."
    (hypothesis,) = ApertiumTranslator().translate([Sentence(text, "en", "es")])[0]
    source, target = text.split(), hypothesis.text.split()
    links = {word: source[row.index(max(row))] for word, row in zip(target, hypothesis.attention, strict=True)}
    assert (links["casa"], links["roja"], links["hermano"]) == ("house", "red", "brother")
    assert "Nueva York" in hypothesis.text
    assert all(sum(row) == pytest.approx(1) for row in hypothesis.attention)
