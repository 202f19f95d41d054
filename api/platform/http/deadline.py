"""No page waits forever: a call without an answer in time is cancelled, and the person gets a sentence.

This matters while a database or a store neither answers nor refuses, as behind a cut cable. Whatever the call still
holds is cleaned up after the answer, which can take the driver a few more seconds.

A call is cancelled only while its change can still be rolled back. Once it commits, it gets the same time again, and
then an answer that does not claim that nothing was saved. Calls that still run when the process ends get such answers.
"""

from __future__ import annotations

import asyncio
import json
import re

import structlog
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as AsgiMessage

from api.platform.db.commit_watch import on_commit
from api.platform.http.errors import RETRY_LATER, Unavailable
from api.platform.http.openai_errors import OPENAI_PREFIX, in_openai_form
from api.platform.http.translation import in_language_of_page
from cluster.wording.message import Message

ANSWER_WITHIN_S = 9.0
"""From the last byte of the request to the first byte of the answer. Sending the answer has no limit."""

LONGER = {
    re.compile(r"/api/files/captions/[^/]+/(import|outside-review)"): 60.0,
    re.compile(r"/api/files/captions/[^/]+/quality(\.csv)?"): 60.0,
    re.compile(r"/api/(sign-in|user/identities|admin/providers)/.+"): 30.0,
}
"""Seconds for calls whose work grows with the captions: 10,000 lines take 3 to 6 s of CPU, more on a busy machine. And
for those that wait for an identity provider, up to four times.

The page goes on meanwhile and shows that an import is under way; proxies as the chart sets them wait for 120 s.
"""

UNSURE = Message(
    "http.unsure", "The service is slow. Your change may have been saved: reload the page before you make it again."
)

log = structlog.get_logger(__name__)


class AnswerInTime:
    """Answer 503 for late routes below, and for those that still run when the process ends.

    Those under `own_time` have no deadline.
    """

    def __init__(self, app: ASGIApp, own_time: tuple[str, ...] = ()) -> None:
        self.app = app
        self._own_time = own_time

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        has_deadline = not scope["path"].startswith(self._own_time)
        call = _Call(scope, send, has_deadline=has_deadline)
        token = on_commit.set(call.commit_begins)
        try:
            await self.app(scope, call.receiving(receive) if has_deadline else receive, call.send)
        except asyncio.CancelledError:
            # The server cancels what still runs when the process should have ended.
            if call.giving_up is None and not call.give_up_at_end():
                raise
            call.task.uncancel()
        finally:
            on_commit.reset(token)
            await call.end()


class _Call:
    def __init__(self, scope: Scope, send: Send, *, has_deadline: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.task = task
        self.giving_up: asyncio.Task[None] | None = None
        self._commits = False
        self._has_begun = False
        self._path = scope["path"]
        self._within_s = next((s for path, s in LONGER.items() if path.fullmatch(self._path)), ANSWER_WITHIN_S)
        self._language = Headers(scope=scope).get("accept-language")
        self._send = send
        self._timer: asyncio.TimerHandle | None = None
        if has_deadline and not _has_body(scope):
            self._begin()

    def receiving(self, receive: Receive) -> Receive:
        async def received() -> AsgiMessage:
            message = await receive()
            if not message.get("more_body") and self._timer is None:
                self._begin()
            return message

        return received

    def commit_begins(self) -> None:
        self._commits = True

    async def send(self, message: AsgiMessage) -> None:
        if self.giving_up is not None:
            return
        if message["type"] == "http.response.start":
            self._has_begun = True
            if self._timer is not None:
                self._timer.cancel()
        await self._send(message)

    async def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self.giving_up is not None:
            await self.giving_up

    def give_up_at_end(self) -> bool:
        """Answer a call that ends with the process. False where the answer has begun."""
        if self._has_begun:
            return False
        self.giving_up = asyncio.create_task(self._refuse(UNSURE if self._commits else Unavailable.message))
        return True

    def _begin(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(self._within_s, self._give_up)

    def _give_up(self) -> None:
        if self._commits:
            self._timer = asyncio.get_running_loop().call_later(self._within_s, self._refuse_unsure)
            return
        self._stop(Unavailable.message)

    def _refuse_unsure(self) -> None:
        self._stop(UNSURE)

    def _stop(self, sentence: str) -> None:
        self.giving_up = asyncio.create_task(self._refuse(sentence))
        self.task.cancel()

    async def _refuse(self, sentence: str) -> None:
        log.error("request.given_up", path=self._path, after_s=self._within_s)
        answer = in_language_of_page({"message": sentence}, self._path, self._language)
        if self._path.startswith(OPENAI_PREFIX):
            answer, _ = in_openai_form(answer, Unavailable.status_code)
        body = json.dumps(answer).encode()
        headers = {"content-type": "application/json", "content-length": str(len(body)), **RETRY_LATER}
        sent = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": Unavailable.status_code, "headers": sent})
        await self._send({"type": "http.response.body", "body": body})


def _has_body(scope: Scope) -> bool:
    return any(
        name == b"transfer-encoding" or (name == b"content-length" and value != b"0")
        for name, value in scope["headers"]
    )
