from __future__ import annotations

import pytest

from api.testing.browser import Browser, SignUp
from api.testing.identity.authenticator import Authenticator
from api.testing.identity.passkeys import ORIGIN, add


@pytest.fixture
async def ada(sign_up: SignUp) -> Browser:
    return await sign_up("ada")


@pytest.fixture
async def phone(ada: Browser) -> Authenticator:
    """Ada's, which her account knows."""
    device = Authenticator(ORIGIN)
    assert (await add(ada, device)).status_code == 201
    return device
