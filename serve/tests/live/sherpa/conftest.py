from __future__ import annotations

from pathlib import Path

import pytest

from serve.testing.tiny_streamer.folders import streaming_models


@pytest.fixture(scope="session")
def streaming(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tiny streaming models by family; copy one before you change it."""
    return streaming_models(tmp_path_factory.mktemp("streaming"))
