from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.identity.stand_in import StandInProvider, running_provider
from api.testing.mailbox import Mailbox


@pytest.fixture(scope="session")
def _provider_server() -> Iterator[StandInProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(_provider_server: StandInProvider) -> StandInProvider:
    """An identity provider that keeps to the specification."""
    _provider_server.reset()
    return _provider_server


@pytest.fixture
def entry() -> dict[str, Any]:
    """What a test changes in the provider's entry in the settings."""
    return {}


@pytest.fixture
def settings(database_url: str, tmp_path: Path, provider: StandInProvider, entry: dict[str, Any]) -> ApiSettings:
    return ApiSettings(
        data_dir=tmp_path / "data",
        database_url=database_url,
        ui_dir=tmp_path / "ui",
        identity_providers=[provider.configured(**entry)],
    )


@pytest.fixture
def mailbox(state: AppState) -> Mailbox:
    return Mailbox(state)


@pytest.fixture
async def another(app: FastAPI) -> AsyncIterator[Browser]:
    """A second browser in which nobody is signed in."""
    async with Browser.open(app) as browser:
        yield browser
