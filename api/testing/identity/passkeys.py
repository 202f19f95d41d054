"""What a page does with passkeys: add one, sign in with it, and confirm with it."""

from __future__ import annotations

from typing import Any

import httpx2

from api.testing.browser import PASSWORD, Browser
from api.testing.identity.authenticator import Authenticator

ORIGIN = "http://localhost:8080"
HEADERS = {"Origin": ORIGIN}
PASSKEYS = "/api/user/passkeys"


async def options_of(browser: Browser, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = await browser.post(path, json=body or {}, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    options: dict[str, Any] = answer.json()["data"]["options"]
    return options


async def add(browser: Browser, device: Authenticator, name: str = "Phone") -> httpx2.Response:
    options = await options_of(browser, f"{PASSKEYS}/options", {"password": PASSWORD})
    body = {"name": name, "credential": device.create(options)}
    return await browser.post(PASSKEYS, json=body, headers=HEADERS)


async def sign_in(browser: Browser, device: Authenticator, **more: Any) -> httpx2.Response:
    credential = device.get(await options_of(browser, "/login/passkey/options"))
    return await browser.post("/login/passkey", json={"credential": credential, **more}, headers=HEADERS)


async def confirm(browser: Browser, device: Authenticator) -> httpx2.Response:
    credential = device.get(await options_of(browser, f"{PASSKEYS}/confirm/options"))
    return await browser.post(f"{PASSKEYS}/confirm", json={"credential": credential}, headers=HEADERS)


async def remove_password(browser: Browser, password: str = PASSWORD) -> httpx2.Response:
    return await browser.request("DELETE", "/api/user/password", json={"password": password})
