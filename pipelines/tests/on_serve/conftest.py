"""One cluster with all four model tasks for the tests of this folder: starting it takes 25 core-seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.storage.folder import LocalStorage
from pipelines.testing.four_tasks.cluster import four_tasks
from serve.testing.chat_endpoint import ChatEndpoint, chat_endpoint
from serve.testing.chat_replies import every_line
from serve.testing.speech import clips, models_root

__all__ = ["clips", "models_root"]

KEY = "sk-must-not-show-9d1f6c"


@pytest.fixture(scope="package")
def endpoint() -> Iterator[ChatEndpoint]:
    with chat_endpoint(every_line, key=KEY) as running:
        yield running


@pytest.fixture(scope="package", autouse=True)
def storage(
    models_root: Path, endpoint: ChatEndpoint, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LocalStorage]:
    """The storage of the cluster's tasks. No replica but that of speech runs until its first request."""
    with four_tasks(tmp_path_factory.mktemp("installation"), models_root, endpoint) as storage:
        yield storage
