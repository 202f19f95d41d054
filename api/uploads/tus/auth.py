"""Who may do what. Asked before one byte of a body is read."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import Request

from api.uploads.tus.records import Owner, TusRecord


class Authenticator(Protocol):
    async def creator(self, request: Request) -> Owner:
        """Whose upload a creation makes. Raises `TusError` 401 without a valid token."""
        ...

    async def check(self, request: Request, record: TusRecord | None) -> None:
        """Let the owner pass. Raises `TusError`: 401 without credentials, 404 for somebody else's upload or none."""
        ...


def bearer_token(request: Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None
