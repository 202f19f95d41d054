from __future__ import annotations

import pytest

from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import Browser, SignUp


@pytest.fixture
async def admin(sign_up: SignUp, state: AppState) -> Browser:
    browser = await sign_up("root")
    await promote(state, browser.user_id)
    return browser
