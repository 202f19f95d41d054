"""Access control of the tus protocol. Runs before the first byte of a body is read."""

from __future__ import annotations

from typing import Protocol

from starlette.requests import Request

from api.content.uploads.tus.records import Owner, TusRecord


class Authenticator(Protocol):
    async def creator(self, request: Request) -> Owner:
        """The owner of the upload that a request creates. Raises `TusError` 401 without a valid token."""
        ...

    async def check(self, request: Request, record: TusRecord | None) -> None:
        """Admit the owner. Raises `TusError` 401 without credentials, 404 for an unknown upload or another owner's."""
        ...


def bearer_token(request: Request) -> str | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if kind.lower() == "bearer" else None
