"""The tiny translation model through CTranslate2, in this process."""

from __future__ import annotations

from concurrent.futures import wait
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.load import load_translation
from serve.tasks.translation.messages import Passage
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.phrases import load_phrases, phrases_between, translation_of
from serve.testing.translation import NO_HUB, passage

NEEDED = 0.98
"""Share of the phrase book that must be exact; the rest differs in a letter."""


def test_the_phrase_book_is_translated_word_for_word(translator: InProcessTranslator) -> None:
    phrases = load_phrases()
    futures = [
        translator.submit(passage(phrase.source, f"{phrase.source_language}-{phrase.target_language}"))
        for phrase in phrases
    ]
    wrong = [
        (phrase.source, best)
        for phrase, future in zip(phrases, futures, strict=True)
        if (best := future.result(PATIENCE_S).hypotheses[0].text) != phrase.target
    ]
    assert len(wrong) <= (1 - NEEDED) * len(phrases), wrong


def test_there_are_several_distinct_translations_with_scores_and_attention_between_words(
    translator: InProcessTranslator,
) -> None:
    text = "Our meeting starts at nine o'clock."
    hypotheses = translator.submit(passage(text, index=7)).result(PATIENCE_S).hypotheses
    assert 2 <= len(hypotheses) <= 4
    assert len({each.text for each in hypotheses}) == len(hypotheses)
    scores = [each.log_probability for each in hypotheses]
    assert all(score is not None and score < 0 for score in scores)
    assert scores == sorted(scores, key=lambda score: -(score or 0))
    for each in hypotheses:
        assert len(each.attention) == len(each.text.split())
        assert all(len(row) == len(text.split()) for row in each.attention)
        assert all(sum(row) == pytest.approx(1) for row in each.attention)


def test_attention_follows_the_words(translator: InProcessTranslator) -> None:
    """The model learned which words of the phrase book belong together; word order differs between the languages."""
    phrases = [phrase for phrase in phrases_between("en", "es") if len(phrase.source.split()) >= 5]
    right = total = 0
    for phrase in phrases:
        best = translator.submit(passage(phrase.source, "en-es")).result(PATIENCE_S).hypotheses[0]
        if best.text != phrase.target:
            continue
        for word, row in enumerate(best.attention):
            linked = {source for source, target in phrase.links if target == word}
            right += max(range(len(row)), key=row.__getitem__) in linked
            total += 1
    assert right >= 0.95 * total > 0


def test_an_unknown_pair_is_refused_with_what_works(translator: InProcessTranslator) -> None:
    with pytest.raises(EngineRefused) as refused:
        translator.submit(passage("Good morning.", "en-ja")).result(PATIENCE_S)
    assert refused.value.problem is EngineProblem.UNKNOWN_LANGUAGE
    assert "“en” to “ja”" in refused.value.sentence
    assert "en → is" in refused.value.sentence


def test_regions_of_languages_do_not_matter(translator: InProcessTranslator) -> None:
    regional = Passage("file", 0, "en-US", "is-IS", "Good morning.")
    assert translator.submit(regional).result(PATIENCE_S).hypotheses[0].text == "Góðan morgun."


def test_passages_of_many_files_and_pairs_come_back_as_their_own(translator: InProcessTranslator) -> None:
    phrases = [*phrases_between("en", "is")[:16], *phrases_between("en", "es")[:16]]
    futures = [
        translator.submit(
            passage(phrase.source, f"en-{phrase.target_language}", stream=f"file-{number % 8}", index=number)
        )
        for number, phrase in enumerate(phrases)
    ]
    wait(futures, timeout=PATIENCE_S)
    for number, (phrase, future) in enumerate(zip(phrases, futures, strict=True)):
        translated = future.result(0)
        assert translated.index == number
        assert translated.hypotheses[0].text == phrase.target


@pytest.mark.parametrize("text", ["♪ ♪", "...", "– ?!"])
def test_signs_stay_as_they_are(translator: InProcessTranslator, text: str) -> None:
    translated = translator.submit(passage(text)).result(PATIENCE_S)
    assert [each.text for each in translated.hypotheses] == [text]
    assert len(translated.hypotheses[0].attention) == len(text.split())


def test_a_model_that_loops_is_stopped_and_no_row_is_empty(translator: InProcessTranslator) -> None:
    """The tiny model repeats itself on text it has never seen."""
    strange = ["Zzzz qqqq xkcd " * 6, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", "þþþþ ðððð " * 10, "word"]
    for text in strange:
        for each in translator.submit(passage(text.strip())).result(PATIENCE_S).hypotheses:
            assert each.text.strip()
            assert len(each.text) < 6 * len(text) + 200


def test_a_passage_longer_than_the_model_reads_is_translated_in_parts(translator: InProcessTranslator) -> None:
    phrases = phrases_between("en", "is")[:24]
    text = " ".join(phrase.source for phrase in phrases)
    best = translator.submit(passage(text)).result(PATIENCE_S).hypotheses[0]
    assert len(best.attention) == len(best.text.split())
    assert len(best.attention[0]) == len(text.split())
    assert best.text.endswith(".")


def test_a_pair_goes_through_english_where_no_model_knows_it(translation_root: Path) -> None:
    name = "m2m100-phrasebook-int8"
    settings = NO_HUB.model_copy(update={"translation_models": {"is-en": name}})
    profile = TranslationProfile(engine="ct2", models={"en-es": str(translation_root / name)})
    model = InProcessTranslator(profile, settings, translation_root)
    try:
        pairs = model.describe().pairs
        assert pairs is not None
        assert {(pair.source, pair.target, pair.via) for pair in pairs} == {
            ("is", "en", ""),
            ("en", "es", ""),
            ("is", "es", "en"),
        }
        phrase = next(each for each in phrases_between("is", "en") if each.target.startswith("The bridge"))
        best = model.submit(passage(phrase.source, "is-es")).result(PATIENCE_S).hypotheses[0]
        assert best.text == translation_of(phrase.target, "en", "es")
        assert len(best.attention) == len(best.text.split())
        assert len(best.attention[0]) == len(phrase.source.split())
        with pytest.raises(EngineRefused):
            model.submit(passage("Buenos días.", "es-is")).result(PATIENCE_S)
    finally:
        model.close()


def test_models_leave_memory_and_come_back(translation_root: Path) -> None:
    """Two models in the memory of none: each is loaded for its call alone."""
    name = "m2m100-phrasebook-int8"
    settings = NO_HUB.model_copy(update={"models_memory_mb": 0})
    profile = TranslationProfile(engine="ct2", models={"en-is": name, "en-es": name})
    engine = load_translation(profile, settings, translation_root)
    try:
        for _ in range(2):
            for target, text in (("is", "Góðan morgun."), ("es", "Buenos días.")):
                (translated,) = engine.run([passage("Good morning.", f"en-{target}")])
                assert not isinstance(translated, EngineRefused)
                assert translated.hypotheses[0].text == text
    finally:
        engine.close()


def test_without_a_gpu_a_model_for_one_runs_on_the_processor_and_says_so(translation_root: Path) -> None:
    profile = TranslationProfile(engine="ct2", device="cuda", compute_type="float16")
    engine = load_translation(profile, NO_HUB, translation_root)
    try:
        (translated,) = engine.run([passage("Good morning.")])
        assert not isinstance(translated, EngineRefused)
        assert translated.hypotheses[0].text == "Góðan morgun."
        assert (engine.info.device == "cpu") == ("no GPU" in engine.info.reason)
    finally:
        engine.close()
