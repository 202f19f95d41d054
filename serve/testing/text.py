"""The tiny chat model for tests, and the text deployment's engines inside this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.profile import TextProfile
from serve.testing.tiny_models.archives import CHAT, unpack


@pytest.fixture(scope="session")
def chat_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A models folder with the tiny chat model."""
    folder = tmp_path_factory.mktemp("chat-models")
    unpack(CHAT, folder)
    return folder


@pytest.fixture(scope="session")
def tiny_writer(chat_root: Path) -> Iterator[InProcessWriter]:
    """The tiny chat model as text engine."""
    # On a busy machine two threads of one call wait for each other: seconds instead of milliseconds.
    with closing(InProcessWriter(TextProfile(engine="ct2_llm", threads=1), None, chat_root)) as writer:
        yield writer


@pytest.fixture(scope="session")
def selector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessWriter]:
    """The offline engine."""
    folder = tmp_path_factory.mktemp("no-models")
    with closing(InProcessWriter(TextProfile(engine="extractive"), None, folder)) as writer:
        yield writer
