"""The key with which a browser encrypts unsaved text when a session ends."""

from __future__ import annotations

import base64

import pytest

from api.testing.browser import Browser

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def test_it_is_a_persons_own_and_needs_their_session(ada: Browser, bob: Browser) -> None:
    answers = [await each.get("/api/user/browser-key") for each in (ada, ada, bob)]
    first, again, other = (base64.b64decode(each.json()["data"]["key"]) for each in answers)
    assert len(first) == 32
    assert first == again
    assert first != other
    assert answers[0].headers["Cache-Control"] == "no-store"
    ada.cookies.clear()
    assert (await ada.get("/api/user/browser-key")).status_code == 401
