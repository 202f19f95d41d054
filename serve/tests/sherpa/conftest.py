from __future__ import annotations

from pathlib import Path

import pytest

from serve.testing.tiny_parakeet.fixtures import parakeet, parakeet_model
from serve.testing.tiny_sherpa.folders import unpack_families

__all__ = ["parakeet", "parakeet_model"]


@pytest.fixture(scope="session")
def families(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The tiny models by family; copy one before you change it."""
    return unpack_families(tmp_path_factory.mktemp("families"))
