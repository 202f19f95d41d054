"""A browser as the API sees it: keeps cookies and returns the anti-forgery token."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import unquote

import httpx2
from fastapi import FastAPI

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER

PASSWORD = "correct horse battery"


class Browser(httpx2.AsyncClient):
    """An `httpx2.AsyncClient`; `user` is the account that it registered."""

    user: dict[str, Any]

    @classmethod
    def open(cls, app: FastAPI, *, address: str = "127.0.0.1", url: str = "http://localhost") -> Browser:
        """Open the app at `url` from a browser at `address`."""
        transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False, client=(address, 50_000))
        return cls(transport=transport, base_url=url, event_hooks={})

    @property
    def user_id(self) -> uuid.UUID:
        return uuid.UUID(self.user["id"])

    def csrf_headers(self) -> dict[str, str]:
        return {XSRF_HEADER: unquote(self.cookies.get(XSRF_COOKIE) or "")}

    async def request(self, method: str, url: Any, **kwargs: Any) -> httpx2.Response:
        if method in {"POST", "PUT", "PATCH", "DELETE"}:
            if XSRF_COOKIE not in self.cookies:
                await super().request("GET", "/sanctum/csrf-cookie")
            headers = httpx2.Headers(self.csrf_headers())
            headers.update(kwargs.get("headers"))
            kwargs["headers"] = headers
        return await super().request(method, url, **kwargs)

    async def register(self, name: str) -> None:
        body = {
            "name": name.title(),
            "email": f"{name}@example.com",
            "password": PASSWORD,
            "password_confirmation": PASSWORD,
        }
        answer = await self.post("/register", json=body)
        assert answer.status_code == 201, answer.text
        self.user = answer.json()["data"]


SignUp = Callable[[str], Awaitable[Browser]]
