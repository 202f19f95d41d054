from __future__ import annotations

import pytest

from api.platform.http.state import AppState
from api.testing.browser import SignUp
from api.testing.newsroom import Newsroom, make_newsroom


@pytest.fixture
async def newsroom(state: AppState, sign_up: SignUp) -> Newsroom:
    ada, bob, vera, eve = [await sign_up(name) for name in ("ada", "bob", "vera", "eve")]
    return await make_newsroom(state, ada, bob, vera, eve)
