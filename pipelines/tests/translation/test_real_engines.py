"""The flow `translate` over real engines: the tiny trained model, and Apertium where it is installed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pipelines.flows.translate.flow import translate
from pipelines.flows.translate.passages import TranslationClient
from pipelines.messages.attempt import Attempt, Chunk, Result
from pipelines.messages.translate import LineFlag, SourceLine, TranslateRequest, TranslateResult
from pipelines.testing.wordwise import source_lines
from serve.tasks.translation.apertium.engine import installed_modes
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.phrases import phrases_between
from serve.testing.translation import NO_HUB

EXACT = 0.9
"""Share of sentences that must come back word for word; the model may miss a letter in the others."""


def translated(lines: tuple[SourceLine, ...], target: str, client: TranslationClient) -> TranslateResult:
    request = TranslateRequest(
        file_id="one", track_id="two", source_language="en-US", target_language=target, lines=lines
    )
    *values, last = translate(request, Attempt("job", 1, Path("/nowhere"), "work"), client=client)
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranslateResult)
    assert any(isinstance(value, Chunk) for value in values)
    return last.payload


@pytest.mark.parametrize("target", ["is-IS", "es"])
def test_whole_sentences_in_several_cues_are_translated_and_cut_back(
    target: str, translator: InProcessTranslator
) -> None:
    phrases = phrases_between("en", target[:2])
    texts: list[str] = []
    for phrase in phrases:
        words = phrase.source.split()
        cues = 1 if len(words) < 6 else 2 if len(words) < 12 else 3
        texts += [" ".join(words[len(words) * cue // cues : len(words) * (cue + 1) // cues]) for cue in range(cues)]
    result = translated(source_lines(*texts, ms=4_000), target, translator)
    assert len([source_id for line in result.lines for source_id in line.source_ids]) == len(texts)
    assert all(line.text for line in result.lines)
    assert all(line.log_probability is not None for line in result.lines)
    whole = " ".join(line.text.replace("\n", " ") for line in result.lines)
    assert sum(phrase.target in whole for phrase in phrases) >= EXACT * len(phrases)
    assert not any(LineFlag.UNTRANSLATED in line.flags for line in result.lines)


def test_a_cut_follows_the_words_where_their_order_differs(translator: InProcessTranslator) -> None:
    # Icelandic puts the verb before the subject here: cut by length, the first cue would end with `komu`.
    lines = source_lines("When the bridge was finished, everybody", "in the village came to see it.", ms=4_000)
    result = translated(lines, "is", translator)
    assert [line.text for line in result.lines] == ["Þegar brúin var fullgerð komu allir", "í þorpinu að sjá hana."]


@pytest.mark.long
@pytest.mark.skipif(("en", "es") not in installed_modes(), reason="Apertium with English and Spanish is not installed.")
def test_apertium_translates_and_says_that_it_is_rough(tmp_path: Path) -> None:
    with closing(InProcessTranslator(TranslationProfile(engine="apertium"), NO_HUB, tmp_path)) as client:
        lines = source_lines("The house of my brother", "is very big.", "[music]", "It has 3 doors.", ms=4_000)
        result = translated(lines, "es", client)
    assert [line.source_ids for line in result.lines] == [("a",), ("b",), ("c",), ("d",)]
    assert "casa" in result.lines[0].text
    assert "grande" in result.lines[1].text
    assert result.lines[2].text == "[Música]"
    assert "3" in result.lines[3].text
    assert all(line.log_probability is None for line in result.lines)
    assert result.engine.note
