"""The web process alone on a port, with files as after a transcription. It needs no Ray."""

from __future__ import annotations

import asyncio
import io
import json
import threading
import uuid
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

import httpx2
from sqlalchemy import delete, select
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.app import create_app
from api.content.captions import queries
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.captions.stored.rows import insert_lines
from api.content.files.models import File
from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.people.auth.models import AttemptCount
from api.people.users.models import User
from api.platform.http.state import AppState
from api.platform.realtime.relay.app import RelayWebsockets
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD
from api.testing.databases.migrated import make_sqlite
from api.testing.files.transcribed import captioned_file
from api.testing.sites import translations as site_translations
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin
from pipelines.messages.translate import LineFlag

PEAKS_PER_S = 20
T = TypeVar("T")


class Site:
    """A running web process that can delay caption edits, turn them away, or lose the answer to a saved one."""

    def __init__(self, folder: Path, ui: Path, options: Mapping[str, Any]) -> None:
        values: dict[str, Any] = {"data_dir": folder, "port": free_port(), "ui_dir": ui, **options}
        self.settings = ApiSettings(**values)
        self.delay_s = 0.0
        self.answers_to_lose = 0
        self.takes_edits = True
        self.state: AppState
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._server: WebServer

    @property
    def url(self) -> str:
        return self.settings.base_url

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    def serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        make_sqlite(self.settings.db_url)
        app = create_app(self.settings)
        self.state = app.state.shared
        app.add_middleware(_SlowEdits, site=self)
        self._server = WebServer(app, self.settings, websockets=RelayWebsockets(app.state.relay))
        serving = asyncio.create_task(self._server.serve())
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.02)
        self._ready.set()
        await serving

    @contextmanager
    def no_edits(self) -> Iterator[None]:
        """Turn caption edits away until the block ends."""
        self.takes_edits = False
        try:
            yield
        finally:
            self.takes_edits = True

    def wait(self) -> None:
        assert self._ready.wait(PATIENCE_S)

    def stop(self) -> None:
        self._server.should_exit = True

    def stacks(self) -> str:
        """Where each task of the server waits."""
        written = io.StringIO()
        for task in asyncio.all_tasks(self._loop):
            task.print_stack(file=written)
        return written.getvalue()

    def sign_up(self, name: str, cookies: Path, email: str = "") -> uuid.UUID:
        """Create an account, by default with an address made of its name, and store its cookies for Playwright."""
        self.call(self._forget_attempts())
        with httpx2.Client(base_url=self.url, timeout=PATIENCE_S) as client:
            client.get("/sanctum/csrf-cookie").raise_for_status()
            email = email or f"{name.lower()}@example.com"
            body = {"name": name, "email": email, "password": PASSWORD, "password_confirmation": PASSWORD}
            headers = {XSRF_HEADER: unquote(client.cookies[XSRF_COOKIE])}
            client.post("/register", json=body, headers=headers).raise_for_status()
            kept = [
                {"name": one.name, "value": one.value, "domain": "127.0.0.1", "path": "/", "expires": -1}
                | {"httpOnly": False, "secure": False, "sameSite": "Lax"}
                for one in client.cookies.jar
            ]
        cookies.write_text(json.dumps({"cookies": kept, "origins": []}))
        return self.call(self._user_id(email))

    async def _forget_attempts(self) -> None:
        """All people of a test run have one address, which may register 10 times a minute."""
        async with self.state.database.write() as session:
            await session.execute(delete(AttemptCount))

    async def _user_id(self, email: str) -> uuid.UUID:
        async with self.state.database.read() as session:
            return (await session.scalars(select(User.id).where(User.email == email))).one()

    def file(self, user_id: uuid.UUID, *texts: str) -> str:
        """Create a file with these captions; return its slug."""
        return self.call(captioned_file(self.state, user_id, *texts)).slug

    def long_file(self, user_id: uuid.UUID, hours: int, lines: int) -> str:
        """Create a file of several hours, with peaks and lines over its whole length; return its slug."""
        return self.call(self._long_file(user_id, hours * 3_600_000, lines))

    async def _long_file(self, user_id: uuid.UUID, duration_ms: int, lines: int) -> str:
        file = await captioned_file(self.state, user_id)
        key = f"files/{file.id}/peaks.json"
        await asyncio.to_thread(self._put_peaks, key, duration_ms)
        every = duration_ms // lines
        spoken = [_line(number, number * every, every) for number in range(lines)]
        async with self.state.database.write() as session:
            row = (await session.scalars(select(File).where(File.id == file.id))).one()
            row.duration_ms, row.peaks_key = duration_ms, key
            statement = select(CaptionTrack).where(CaptionTrack.file_id == file.id)
            track = (await session.scalars(statement)).one()
            await session.execute(delete(CaptionLineRow).where(CaptionLineRow.track_id == track.id))
            await insert_lines(session, track.id, spoken, revision=0)
        return file.slug

    def translation(
        self,
        user_id: uuid.UUID,
        slug: str,
        language: str,
        texts: Sequence[str],
        flags: Mapping[int, tuple[LineFlag, ...]] | None = None,
    ) -> None:
        """Translate a file's captions, line by line, into these texts."""
        self.call(site_translations.request(self.state, user_id, slug, language))
        self.finish_translation(slug, language, texts, flags)

    def begin_translation(self, user_id: uuid.UUID, slug: str, language: str) -> None:
        """Request a translation and start its job."""
        self.call(site_translations.request(self.state, user_id, slug, language))
        self.run_translation(slug, language)

    def run_translation(self, slug: str, language: str, *texts: str) -> None:
        """Start the requested translation; its first lines are these."""
        self.call(site_translations.run(self.state, slug, language, *texts))

    def finish_translation(
        self,
        slug: str,
        language: str,
        texts: Sequence[str],
        flags: Mapping[int, tuple[LineFlag, ...]] | None = None,
    ) -> None:
        """End the requested translation with these lines."""
        self.call(site_translations.finish(self.state, slug, language, texts, flags or {}))

    def translated_texts(self, slug: str, language: str) -> list[str]:
        """The lines of a translation in the database."""
        return self.call(site_translations.texts_of(self.state, slug, language))

    def _put_peaks(self, key: str, duration_ms: int) -> None:
        samples = duration_ms // 1000 * PEAKS_PER_S
        peaks = [value for sample in range(samples) for value in (-(sample % 90), sample * 7 % 100)]
        source = self.settings.work_root / "peaks.json"
        source.write_text(json.dumps({"version": 1, "samples_per_second": PEAKS_PER_S, "peaks": peaks}))
        self.state.storage.put(source, key)

    def texts(self, slug: str) -> list[str]:
        """The transcription's captions in the database."""
        return self.call(self._texts(slug))

    async def _texts(self, slug: str) -> list[str]:
        async with self.state.database.read() as session:
            statement = (
                select(CaptionTrack)
                .join(File, File.id == CaptionTrack.file_id)
                .where(File.slug == slug, CaptionTrack.origin == TrackOrigin.TRANSCRIPTION)
            )
            track = (await session.scalars(statement)).one()
            return [line.text for line in await queries.stored_lines(session, track.id)]


def _line(number: int, start_ms: int, every_ms: int) -> CaptionLine:
    said = f"This is line number {number} of a very long file".split()
    length = (every_ms - 200) // len(said)
    words = [
        CaptionWord(start_ms + index * length, start_ms + (index + 1) * length, word, Origin.ASR, 0.9)
        for index, word in enumerate(said)
    ]
    return CaptionLine(str(uuid.uuid4()), start_ms, words[-1].end_ms, " ".join(said), tuple(words))


class _SlowEdits:
    def __init__(self, app: ASGIApp, site: Site) -> None:
        self.app = app
        self.site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "POST" or "/captions/" not in scope["path"]:
            await self.app(scope, receive, send)
            return
        if not self.site.takes_edits:
            await Response(status_code=503)(scope, receive, send)
            return
        await asyncio.sleep(self.site.delay_s)
        if self.site.answers_to_lose == 0:
            await self.app(scope, receive, send)
            return
        self.site.answers_to_lose -= 1

        async def lose(message: Message) -> None:
            """Save the change, then close the connection without an answer."""

        await self.app(scope, receive, lose)
        raise ConnectionResetError


@contextmanager
def running_site(folder: Path, ui: Path, **options: Any) -> Iterator[Site]:
    """`options` are settings of the web process."""
    site = Site(folder, ui, options)
    thread = threading.Thread(target=site.serve, daemon=True)
    thread.start()
    site.wait()
    try:
        yield site
    finally:
        site.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), f"The web process did not end. {site.stacks()}"


@dataclass(frozen=True)
class Person:
    """A user, and the cookies of their browser."""

    user_id: uuid.UUID
    cookies: Path
    email: str = ""
