"""Send a file as a resumable upload over a bad line: in pieces, with deliberately cut connections, and resumed."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx2

from benchmarks.soak.browser import AGAIN_AFTER_S, SERVER_AWAY, Browser
from benchmarks.soak.durability.journal import Event, Journal

TUS = {"Tus-Resumable": "1.0.0"}
BYTES = "application/offset+octet-stream"
ANSWER_S = 20.0
PIECES = (48 * 1024, 200 * 1024, 700 * 1024)
CUT_ONE_IN = 5
PAUSE_ONE_IN = 6
OK, NO_CONTENT, CREATED = 200, 204, 201
OVER = frozenset({403, 404, 410})


class Over(Exception):
    """The server no longer knows the upload; `status` is its answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass
class Sending:
    """One upload. The journal keeps what the server promised about it, under its `tus_id`."""

    browser: Browser
    uploads_url: str
    journal: Journal
    luck: random.Random
    content: bytes
    url: str = ""
    token: str = ""
    promised: int = 0

    @property
    def tus_id(self) -> str:
        return self.url.rpartition("/")[2]

    async def create(self, name: str, sha256: str) -> None:
        """Get a token and create the upload with it, again with the same token if an answer gets lost."""
        self.token = await self._ask_token()
        values = {"filename": name, "filetype": "video/mp4", "language": "en-US"}
        metadata = ",".join(f"{key} {base64.b64encode(value.encode()).decode()}" for key, value in values.items())
        headers = {**self._headers(), "Upload-Length": str(len(self.content)), "Upload-Metadata": metadata}
        while True:
            answer = await self._ask("POST", self.uploads_url, headers)
            if answer.status_code == CREATED:
                break
            if answer.status_code < SERVER_AWAY:
                self.journal.note(
                    Event.REFUSED, call="create upload", status=answer.status_code, text=answer.text[:200]
                )
                raise Over(answer.status_code)
            await asyncio.sleep(AGAIN_AFTER_S)
        self.url = urljoin(self.uploads_url, answer.headers["Location"])
        self.journal.note(
            Event.UPLOAD_CREATED,
            tus_id=self.tus_id,
            user_id=self.browser.user_id,
            length=len(self.content),
            sha256=sha256,
            name=name,
        )

    async def _ask_token(self) -> str:
        while True:
            answer = await self.browser.try_once("POST", "/api/files/upload/token")
            if answer is not None and answer.status_code == OK:
                return str(answer.json()["token"])
            await asyncio.sleep(AGAIN_AFTER_S)

    async def send(self, goes_on: Callable[[], bool], *, up_to: int | None = None) -> bool:
        """Send the rest, or up to `up_to` bytes. True if the server acknowledged all of it."""
        end = len(self.content) if up_to is None else up_to
        offset = await self.offset()
        while offset < end:
            if not goes_on():
                return False
            piece = min(self.luck.choice(PIECES), end - offset)
            cut_after = self.luck.randrange(piece) if self.luck.randrange(CUT_ONE_IN) == 0 else None
            status = await self._patch(offset, piece, cut_after)
            if status == NO_CONTENT:
                offset += piece
                self._promise(offset)
                if self.luck.randrange(PAUSE_ONE_IN) == 0:
                    await asyncio.sleep(self.luck.uniform(0, 0.5))
                continue
            if status in OVER:
                raise Over(status)
            await asyncio.sleep(AGAIN_AFTER_S)
            offset = await self.offset()
        if offset == len(self.content):
            self.journal.note(Event.UPLOAD_WHOLE, tus_id=self.tus_id)
        return True

    def _promise(self, offset: int) -> None:
        self.promised = max(self.promised, offset)
        digest = hashlib.sha256(self.content[:offset]).hexdigest()
        self.journal.note(Event.OFFSET_PROMISED, tus_id=self.tus_id, offset=offset, sha256=digest)

    async def offset(self) -> int:
        """The server's offset. The journal notes an offset that is below an earlier promise."""
        while True:
            answer = await self._ask("HEAD", self.url, self._headers())
            if answer.status_code == OK:
                break
            if answer.status_code in OVER:
                raise Over(answer.status_code)
            await asyncio.sleep(AGAIN_AFTER_S)
        offset = int(answer.headers["Upload-Offset"])
        if offset < self.promised:
            self.journal.note(Event.OFFSET_FELL, tus_id=self.tus_id, promised=self.promised, offset=offset)
        elif offset > self.promised:
            self._promise(offset)
        self.promised = offset
        return offset

    async def end(self) -> None:
        """End the upload with the protocol's DELETE."""
        self.journal.note(Event.UPLOAD_END_ASKED, tus_id=self.tus_id)
        answer = await self._ask("DELETE", self.url, self._headers())
        if answer.status_code == NO_CONTENT:
            self.journal.note(Event.UPLOAD_ENDED, tus_id=self.tus_id)

    def _headers(self) -> dict[str, str]:
        return {**TUS, "Authorization": f"Bearer {self.token}"}

    async def _ask(self, method: str, url: str, headers: dict[str, str]) -> httpx2.Response:
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                answer = await self.browser.http.request(method, url, headers=headers)
                if answer.status_code < SERVER_AWAY:
                    return answer
            await asyncio.sleep(AGAIN_AFTER_S)

    async def _patch(self, offset: int, count: int, cut_after: int | None) -> int:
        """Send bytes; return the answer's status, or 0 if the connection broke before an answer."""
        url = urlsplit(self.url)
        fields = {
            "Host": url.netloc,
            **self._headers(),
            "Content-Type": BYTES,
            "Upload-Offset": str(offset),
            "Content-Length": str(count),
            "Connection": "close",
        }
        head = "".join([f"PATCH {url.path} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items())])
        body = self.content[offset : offset + (count if cut_after is None else cut_after)]
        try:
            async with asyncio.timeout(ANSWER_S):
                reader, writer = await asyncio.open_connection(url.hostname, url.port)
                try:
                    writer.write(head.encode() + b"\r\n" + body)
                    await writer.drain()
                    if cut_after is not None:
                        writer.transport.abort()
                        return 0
                    return int((await reader.readline()).split()[1])
                finally:
                    writer.close()
        except (OSError, IndexError, ValueError):
            return 0
