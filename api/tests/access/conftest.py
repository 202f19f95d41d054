from __future__ import annotations

import pytest

from api.http.state import AppState
from api.tests.access.newsroom import Newsroom, make_newsroom
from api.tests.conftest import SignUp


@pytest.fixture
async def newsroom(state: AppState, sign_up: SignUp) -> Newsroom:
    ada, bob, vera, eve = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    return await make_newsroom(state, ada, bob, vera, eve)
