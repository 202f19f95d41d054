"""The HTTP side of sessions: `/pusher/app/{key}/{server}/{session}/xhr_streaming`, `xhr` and `xhr_send`."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from weakref import WeakValueDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from api.platform.realtime.relay.opening import Opening
from api.platform.realtime.relay.server import Relay
from api.platform.realtime.relay.session import Session
from api.platform.realtime.relay.websocket import MAX_FRAME_BYTES
from cluster.background import end

ROOT = "/pusher/app/{key}/{server}/{session}"
MAX_NAME = 100


class _Lines(Response):
    """A response of single lines. It ends with them, or when the client disconnects."""

    media_type = "application/javascript"

    def __init__(self, lines: AsyncIterator[str], headers: dict[str, str]) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no", **headers})
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        writing = asyncio.create_task(self._write(send))
        leaving = asyncio.create_task(_until_gone(receive))
        try:
            await asyncio.wait((writing, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await end(writing, leaving)

    async def _write(self, send: Send) -> None:
        async with contextlib.aclosing(self._lines) as lines:  # type: ignore[type-var]
            async for line in lines:
                await send({"type": "http.response.body", "body": line.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Sessions:
    """The sessions of this process. The relay keeps each until it ends."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()

    def routes(self) -> list[BaseRoute]:
        return [
            Route(f"{ROOT}/xhr_streaming", self._stream, methods=["POST", "OPTIONS"]),
            Route(f"{ROOT}/xhr", self._poll, methods=["POST", "OPTIONS"]),
            Route(f"{ROOT}/xhr_send", self._send, methods=["POST", "OPTIONS"]),
        ]

    async def _stream(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return self._preflight(request)
        session, is_new = self._session(request)
        return _Lines(session.stream(is_new=is_new), self._cors(request))

    async def _poll(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return self._preflight(request)
        session, is_new = self._session(request)
        return _Lines(session.poll(is_new=is_new), self._cors(request))

    async def _send(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return self._preflight(request)
        cors = self._cors(request)
        session = self._living(_name(request))
        # Another process has it, or it has ended. The client's next stream or poll gets that answer.
        if session is None:
            return Response(status_code=404, headers=cors)
        if not _opening(request).fits(self._relay.origins):
            return Response(status_code=403)
        body = bytearray()
        async for piece in request.stream():
            body += piece
            if len(body) > MAX_FRAME_BYTES:
                return Response(status_code=413, headers=cors)
        try:
            texts = json.loads(bytes(body))
        except (ValueError, RecursionError):
            return Response(status_code=400, headers=cors)
        if not isinstance(texts, list):
            return Response(status_code=400, headers=cors)
        for text in texts:
            if not self._relay.admit(session):
                break
            self._relay.hear(session, text if isinstance(text, str) else None)
        if not texts:
            self._relay.alive(session)
            session.answer_alive()
        return Response(status_code=204, headers=cors)

    def _session(self, request: Request) -> tuple[Session, bool]:
        """The session named in the path, and whether it is new."""
        name = _name(request)
        session = self._living(name)
        if session is not None and _opening(request).fits(self._relay.origins):
            return session, False
        # Clients of a stopped or another process get this too: the `o` tells them that their session is lost.
        session = Session(self._relay, request.client.host if request.client else "")
        if len(name) <= MAX_NAME:
            self._sessions[name] = session
        self._relay.open(session, _opening(request))
        return session, True

    def _living(self, name: str) -> Session | None:
        session = self._sessions.get(name)
        return session if session is not None and session.socket_id in self._relay.connections else None

    def _preflight(self, request: Request) -> Response:
        headers = {"Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Content-Type"}
        return Response(status_code=204, headers={**headers, **self._cors(request)})

    def _cors(self, request: Request) -> dict[str, str]:
        opening = _opening(request)
        if opening.origin is None or not opening.fits(self._relay.origins):
            return {}
        return {"Access-Control-Allow-Origin": opening.origin, "Vary": "Origin"}


def _name(request: Request) -> str:
    return f"{request.path_params['server']}/{request.path_params['session']}"


def _opening(request: Request) -> Opening:
    return Opening.of(
        key=request.path_params["key"],
        query=request.url.query,
        origin=request.headers.get("origin"),
        host=request.headers.get("host"),
    )
