"""One user's calls as a page makes them: with cookies and the anti-forgery header, retried until a server answers."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import httpx2

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER

PASSWORD = "correct horse battery"
TIMEOUT_S = 20.0
AGAIN_AFTER_S = 0.5
SERVER_AWAY = 500
TOO_MANY = 429

Answer = httpx2.Response


class Browser:
    """`try_once` returns None without an answer: the call may or may not have taken effect."""

    def __init__(self, url: str) -> None:
        self.http = httpx2.AsyncClient(base_url=url, trust_env=False, timeout=TIMEOUT_S)
        self.longest_wait_s = 0.0
        self.user_id = ""

    async def close(self) -> None:
        await self.http.aclose()

    async def try_once(self, method: str, path: str, **body: Any) -> Answer | None:
        headers = dict(body.pop("headers", {}))
        try:
            if method != "GET":
                if XSRF_COOKIE not in self.http.cookies:
                    await self.http.get("/sanctum/csrf-cookie")
                headers[XSRF_HEADER] = unquote(self.http.cookies.get(XSRF_COOKIE) or "")
            answer = await self.http.request(method, path, headers=headers, **body)
        except httpx2.TimeoutException:
            self.longest_wait_s = TIMEOUT_S
            return None
        except httpx2.HTTPError:
            return None
        self.longest_wait_s = max(self.longest_wait_s, answer.elapsed.total_seconds())
        return answer

    async def get(self, path: str, **options: Any) -> Answer:
        """Repeat until a server answers."""
        while True:
            answer = await self.try_once("GET", path, **options)
            if answer is not None and answer.status_code < SERVER_AWAY:
                return answer
            await asyncio.sleep(AGAIN_AFTER_S)

    async def sign_up(self, name: str) -> str:
        """Register, or sign in if the answer to the registration got lost; return the user's id."""
        email = f"{name}@example.com"
        fields = {"name": name, "email": email, "password": PASSWORD, "password_confirmation": PASSWORD}
        while True:
            answer = await self.try_once("POST", "/register", json=fields)
            if answer is not None and answer.status_code == 422:
                answer = await self.try_once("POST", "/login", json={"email": email, "password": PASSWORD})
            if answer is not None and answer.status_code in (200, 201):
                self.user_id = str(answer.json()["data"]["id"])
                return self.user_id
            await asyncio.sleep(2 if answer is not None and answer.status_code == TOO_MANY else AGAIN_AFTER_S)
