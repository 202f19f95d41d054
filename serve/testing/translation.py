"""Passages and the tiny translation model for tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serve.core.settings import ModelSettings
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.messages import Passage
from serve.tasks.translation.profile import TranslationProfile
from serve.testing.tiny_models.archives import TRANSLATION, unpack

EXACT = "float32"
"""With whole numbers of 8 bits, a phrase or two of the tiny model end otherwise on processors without VNNI."""
NO_HUB = ModelSettings(allow_hub=False)


def passage(text: str, pair: str = "en-is", *, stream: str = "file", index: int = 0) -> Passage:
    """A passage to translate; `pair` is source and target, such as `en-is`."""
    source, target = pair.split("-")
    return Passage(stream, index, source, target, text)


@pytest.fixture(scope="session")
def translation_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the tiny translation model."""
    folder = tmp_path_factory.mktemp("translation-models")
    unpack(TRANSLATION, folder)
    return folder


@pytest.fixture(scope="session")
def translator(translation_root: Path) -> Iterator[InProcessTranslator]:
    """The tiny model inside this process."""
    with closing(
        InProcessTranslator(TranslationProfile(engine="ct2", compute_type=EXACT), NO_HUB, translation_root)
    ) as model:
        yield model
