"""A page as the server sees it, which tries again whatever fails in passing: for tests that kill processes."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import unquote

import httpx2

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.testing.browser import PASSWORD
from cluster.testing.patience import PATIENCE_S

AGAIN_AFTER_S = 0.2


class Unanswered(AssertionError):
    """A call was refused, or never answered."""


class PatientClient:
    def __init__(self, url: str, name: str) -> None:
        """With an account of that name."""
        self.client = httpx2.Client(base_url=url, timeout=PATIENCE_S, trust_env=False)
        self.call("GET", "/sanctum/csrf-cookie")
        person = {"name": name, "email": f"{name.lower()}@example.com", "password": PASSWORD}
        self.call("POST", "/register", json={**person, "password_confirmation": PASSWORD})

    def connect_again(self) -> None:
        """As a page that is reloaded: on a new connection, still signed in."""
        before = self.client
        self.client = httpx2.Client(
            base_url=before.base_url, cookies=before.cookies, timeout=PATIENCE_S, trust_env=False
        )
        before.close()

    def call(self, method: str, path: str, **more: Any) -> Any:
        """The answer: as JSON where it is, else its bytes. Raises `Unanswered`."""
        deadline = time.monotonic() + 2 * PATIENCE_S
        while time.monotonic() < deadline:
            try:
                headers = {
                    "Accept": "application/json",
                    XSRF_HEADER: unquote(self.client.cookies.get(XSRF_COOKIE) or ""),
                }
                answer = self.client.request(method, path, headers=headers, **more)
            except httpx2.TransportError:
                time.sleep(AGAIN_AFTER_S)
                continue
            if answer.status_code < 400:
                is_json = answer.headers.get("content-type", "").startswith("application/json")
                # An answer without a body has a type, too.
                return answer.json() if is_json and answer.content else answer.content
            if answer.status_code < 500:
                raise Unanswered(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
            time.sleep(AGAIN_AFTER_S)
        raise Unanswered(f"{method} {path} never works again")
