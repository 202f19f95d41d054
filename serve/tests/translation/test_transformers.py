"""The tiny translation model through transformers, and beside CTranslate2 with the same weights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serve.core.messages import EngineRefused
from serve.tasks.translation.engine import TranslationEngine
from serve.tasks.translation.load import load_translation
from serve.tasks.translation.messages import Hypothesis, Translated
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.archives import TRANSLATION, TRANSLATION_TRANSFORMERS, unpack
from serve.testing.tiny_models.phrases import load_phrases
from serve.testing.translation import EXACT, NO_HUB, passage

pytestmark = pytest.mark.gpu_env

SAME_SCORE = 0.1
"""CTranslate2 reads weights of 8 bits here, which move a mean log-probability by less."""


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, TranslationEngine]]:
    root = tmp_path_factory.mktemp("models")
    for name in (TRANSLATION, TRANSLATION_TRANSFORMERS):
        unpack(name, root)
    profiles = {
        "transformers": TranslationProfile(engine="transformers"),
        "ct2": TranslationProfile(engine="ct2", compute_type=EXACT),
    }
    made = {name: load_translation(profile, NO_HUB, root) for name, profile in profiles.items()}
    with closing(made["transformers"]), closing(made["ct2"]):
        yield made


def best_of(engine: TranslationEngine) -> list[Hypothesis]:
    passages = [
        passage(phrase.source, f"{phrase.source_language}-{phrase.target_language}") for phrase in load_phrases()
    ]
    found = []
    for outcome in engine.run(passages):
        assert not isinstance(outcome, EngineRefused)
        found.append(outcome.hypotheses[0])
    return found


def test_both_libraries_translate_the_phrase_book_from_the_same_weights(
    engines: dict[str, TranslationEngine],
) -> None:
    ours, theirs = best_of(engines["transformers"]), best_of(engines["ct2"])
    targets = [phrase.target for phrase in load_phrases()]
    assert [each.text for each in ours] == targets
    assert [each.text for each in theirs] == targets
    for one, other in zip(ours, theirs, strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=SAME_SCORE)
        assert len(one.attention) == len(other.attention) == len(one.text.split())
        strongest = [max(range(len(row)), key=row.__getitem__) for row in one.attention]
        agreeing = sum(row[column] > 0.5 * max(row) for row, column in zip(other.attention, strongest, strict=True))
        assert agreeing >= 0.8 * len(strongest)


def test_it_names_its_engine_and_gives_several_translations(engines: dict[str, TranslationEngine]) -> None:
    engine = engines["transformers"]
    assert engine.info.engine == "transformers"
    outcomes = engine.run([passage("Nobody knows the answer.", "en-es"), passage("♪ ♪", "en-es")])
    texts = [[each.text for each in outcome.hypotheses] for outcome in outcomes if isinstance(outcome, Translated)]
    assert len(texts) == 2
    assert texts[0][0] == "Nadie sabe la respuesta."
    assert len(set(texts[0])) == len(texts[0]) > 1
    assert texts[1] == ["♪ ♪"]


def test_the_models_folder_says_which_library_a_model_needs(tmp_path: Path) -> None:
    unpack(TRANSLATION_TRANSFORMERS, tmp_path)
    engine = load_translation(TranslationProfile(), NO_HUB, tmp_path)
    assert engine.info.engine == "transformers"
    engine.close()
