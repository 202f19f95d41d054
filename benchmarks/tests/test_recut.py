"""The material of `recut`, and that cutting by attention beats cutting by length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.goals.recut.cutters import in_own_cue, proportional, with_attention
from benchmarks.measure.models.translation.cues import best_cut, material
from cluster.testing.patience import PATIENCE_S
from serve.core.settings import ModelSettings
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.messages import Passage
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.archives import TRANSLATION, unpack


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessTranslator]:
    root: Path = tmp_path_factory.mktemp("models")
    unpack(TRANSLATION, root)
    with closing(InProcessTranslator(TranslationProfile(engine="ct2"), ModelSettings(allow_hub=False), root)) as model:
        yield model


def test_the_reference_puts_most_words_into_their_own_cue() -> None:
    assert best_cut([0, 0, 1, 0, 1, 1], 2) == [(0, 2), (2, 6)]
    assert best_cut([1, 1, 1, 0], 2) == [(0, 1), (1, 4)]
    for sentence in material("en", "is", 40):
        assert " ".join(sentence.best_cut) == sentence.phrase.target
        assert " ".join(line.text for line in sentence.lines) == sentence.phrase.source


def test_attention_puts_more_words_into_their_own_cue_than_length_does(client: InProcessTranslator) -> None:
    made = [each for each in material("en", "is", 60) if len(each.lines) > 1]
    cut = {with_attention: 0, proportional: 0}
    for index, sentence in enumerate(made):
        best = client.submit(Passage("cut", index, "en", "is", sentence.phrase.source)).result(PATIENCE_S).hypotheses[0]
        if best.text == sentence.phrase.target:
            for cutter in cut:
                cut[cutter] += in_own_cue(sentence, cutter(sentence, best.text, best.attention))[0]
    assert cut[with_attention] > cut[proportional]
