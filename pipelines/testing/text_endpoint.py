"""An endpoint that writes every line it reads, and a text model behind it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from serve.chat.settings import Endpoint
from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.profile import TextProfile
from serve.testing.chat_endpoint import MODEL, ChatEndpoint, chat_endpoint
from serve.testing.chat_replies import every_line


@pytest.fixture
def endpoint() -> Iterator[ChatEndpoint]:
    with chat_endpoint(every_line) as running:
        yield running


@pytest.fixture
def remote(endpoint: ChatEndpoint, tmp_path: Path) -> Iterator[InProcessWriter]:
    """A writer whose model is behind the endpoint and reads 16,000 tokens."""
    where = Endpoint(endpoint.url, MODEL, SecretStr("sk-test"), 60, 16_000)
    with closing(InProcessWriter(TextProfile(engine="openai"), where, tmp_path)) as writer:
        yield writer
