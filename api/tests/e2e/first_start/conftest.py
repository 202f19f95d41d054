"""The first start of an installation whose model hub is slow. All tests of this folder share it, in this order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.testing.processes.product import Product, require_pages, running_product
from serve.testing.model_hub import ModelHub, model_hub

SLOW_BYTES_PER_S = 8_000
"""The model needs 11 minutes, until a test makes the hub quick. That test waits for one more block, 8 s."""


@pytest.fixture(scope="package")
def hub(tiny_whisper: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHub]:
    with model_hub(tiny_whisper) as running, pytest.MonkeyPatch.context() as environment:
        running.faults.bytes_per_s = SLOW_BYTES_PER_S
        # A cache of this machine may hold the real model.
        environment.setenv("HF_ENDPOINT", running.url)
        environment.setenv("HF_HOME", str(tmp_path_factory.mktemp("hub-cache")))
        environment.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture(scope="package")
def product(hub: ModelHub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    """It has the built-in engine alone until the hub's model has arrived."""
    require_pages()
    with running_product(tmp_path_factory.mktemp("first-start"), allow_hub="true", whisper_model="base") as running:
        yield running
