"""One installation with Ray for all tests of this folder. `conftest.py` of the whole suite gives them one process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from api.testing.files.spoken_video import make_video
from api.testing.in_browser.chromium import running_chromium
from api.testing.processes.product import Product, require_pages, running_product
from serve.testing.tiny_models.archives import TRANSLATION, unpack

SPOKEN = "en1-rms"
"""What the microphone hears."""


@pytest.fixture(scope="package")
def product(tmp_path_factory: pytest.TempPathFactory, tiny_whisper: Path) -> Iterator[Product]:
    """One installation for all tests of this folder, with the tiny Whisper and the tiny translation model.

    It ends with the folder: while nobody uses it, it still takes a fifth of a core from the tests that follow.
    """
    require_pages()
    folder = tmp_path_factory.mktemp("product")
    unpack(TRANSLATION, folder / "models")
    with running_product(folder, whisper_model=str(tiny_whisper)) as running:
        yield running


@pytest.fixture(scope="package")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Ends with this folder, whose tests are the first of all: asynchronous ones follow in the same process.

    Its microphone hears one sentence again and again.
    """
    folder = tmp_path_factory.mktemp("microphone")
    make_video(folder / "talk.mp4", [SPOKEN])
    with running_chromium(folder / "talk.wav") as browser:
        yield browser
