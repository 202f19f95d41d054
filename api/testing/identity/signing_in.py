"""What a browser and the person in front of it do to sign in with the stand-in."""

from __future__ import annotations

from typing import Any

import httpx2

from api.testing.browser import Browser
from api.testing.identity.stand_in import StandInProvider


async def sent_to(browser: Browser, slug: str = "stand-in") -> str:
    """The address at the provider to which the page sends the browser."""
    answer = await browser.post(f"/api/sign-in/{slug}", json={})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["data"]["url"])


async def bring(browser: Browser, answer: dict[str, Any], slug: str = "stand-in") -> httpx2.Response:
    """Give the product what the provider sent the browser back with."""
    return await browser.post(f"/api/sign-in/{slug}/answer", json=answer)


async def sign_in_with(
    browser: Browser, provider: StandInProvider, sub: str, slug: str = "stand-in", **claims: Any
) -> httpx2.Response:
    """Sign in as the provider's person `sub`, whose address is confirmed unless `claims` say otherwise."""
    person = {"email": f"{sub}@example.com", "email_verified": True, "name": sub.title(), "groups": [], **claims}
    return await bring(browser, provider.answer(await sent_to(browser, slug), sub, **person), slug)


async def assert_nobody(browser: Browser) -> None:
    """Nobody is signed in in this browser."""
    assert (await browser.get("/api/user")).status_code == 401
