"""One user at work: uploads, waits, corrects, exports, cancels and deletes, as drawn from a seed."""

from __future__ import annotations

import asyncio
import hashlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from api.captions.actions import CaptionAction
from api.files.models import FileStatus
from api.uploads.models import UploadStatus
from pipelines.flows.minutes_messages import TextType
from soak.browser import AGAIN_AFTER_S, SERVER_AWAY, Browser
from soak.durability.client.listener import Listener
from soak.durability.client.media import Source, unlike_others
from soak.durability.client.sending import Over, Sending
from soak.durability.journal import Event, Journal

PADDING = (60_000, 600_000, 1_500_000)
LEAVE_UPLOAD_ONE_IN = 5
CANCEL_ONE_IN = 7
DELETE_EARLY_ONE_IN = 9
DELETE_LATER_ONE_IN = 4
REMOVE_EXPORT_ONE_IN = 3
TEXT_ONE_IN = 3
SPEAKERS_ONE_IN = 3
EDITS = 6
WAIT_S = 180.0
LOOK_EVERY_S = 0.4
LANGUAGE = "en-US"
OK, NOT_FOUND, NO_CONTENT, CREATED, ACCEPTED = 200, 404, 204, 201, 202
ENDED = frozenset({FileStatus.COMPLETED, FileStatus.FAILED, FileStatus.ABANDONED})


class Person:
    def __init__(
        self,
        name: str,
        *,
        browser: Browser,
        listener: Listener,
        uploads_url: str,
        journal: Journal,
        sources: Sequence[Source],
        seed: int,
    ) -> None:
        self.name = name
        self.browser = browser
        self.listener = listener
        self._uploads_url = uploads_url
        self._journal = journal
        self._sources = sources
        self._luck = random.Random(f"{seed} {name}")
        self.done: dict[str, int] = {}

    async def live(self, goes_on: Callable[[], bool]) -> None:
        """Work while `goes_on` is true, then finish what was started as far as the server allows."""
        while goes_on():
            slug = await self.upload()
            if slug is not None:
                await self.use(slug)

    def _counted(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1

    def _one_in(self, count: int) -> bool:
        return self._luck.randrange(count) == 0

    async def upload(self, source: Source | None = None, *, give_up: bool = True) -> str | None:
        """Upload a file; return its slug if it became one. With `give_up` it may be ended or abandoned halfway."""
        source = source or self._luck.choice(self._sources)
        content = unlike_others(source, self._luck, self._luck.choice(PADDING))
        sending = Sending(self.browser, self._uploads_url, self._journal, self._luck, content)
        try:
            await sending.create(source.name, hashlib.sha256(content).hexdigest())
            if give_up and self._one_in(LEAVE_UPLOAD_ONE_IN):
                await sending.send(lambda: True, up_to=len(content) // 2)
                if self._one_in(2):
                    await sending.end()
                    self._counted("uploads ended")
                return None
            await sending.send(lambda: True)
        except Over as over:
            self._journal.note(Event.REFUSED, call="upload", tus_id=sending.tus_id, status=over.status)
            return None
        self._counted("uploads")
        return await self._slug_of(sending.url)

    async def _slug_of(self, tus_url: str) -> str | None:
        """The file that the upload became. Lists no longer show such an upload; only its own call does."""
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            answer = await self.browser.try_once("POST", "/api/files/upload", json={"tus_url": tus_url})
            if answer is not None and answer.status_code == CREATED:
                upload = answer.json()["data"]
                if upload["file_slug"]:
                    return str(upload["file_slug"])
                if upload["status"] == UploadStatus.FAILED:
                    return None
            await asyncio.sleep(LOOK_EVERY_S)
        return None

    async def use(self, slug: str) -> None:
        """Do what a person does with a file."""
        if self._one_in(CANCEL_ONE_IN):
            await asyncio.sleep(self._luck.uniform(0, 2))
            await self.cancel(slug)
            if self._one_in(2):
                await asyncio.sleep(self._luck.uniform(0, 1))
                await self.retry(slug)
        elif self._one_in(DELETE_EARLY_ONE_IN):
            await asyncio.sleep(self._luck.uniform(0, 2))
            await self.delete(slug)
            return
        status = await self.until_ended(slug)
        if status == FileStatus.COMPLETED:
            await self.correct(slug)
            if self._one_in(2):
                await self.export(slug)
            if self._one_in(SPEAKERS_ONE_IN):
                await self.say_who_speaks(slug)
            if self._one_in(TEXT_ONE_IN):
                await self.write_text(slug)
        if self._one_in(DELETE_LATER_ONE_IN):
            await self.delete(slug)

    async def until_ended(self, slug: str) -> FileStatus | None:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            answer = await self.browser.get(f"/api/files/{slug}")
            if answer.status_code == NOT_FOUND:
                return None
            if answer.status_code == OK:
                status = FileStatus(answer.json()["data"]["status"])
                if status in ENDED:
                    self._counted(f"files {status}")
                    return status
            await asyncio.sleep(LOOK_EVERY_S)
        return None

    # Acts. Each is noted before the request and after the promise.

    async def correct(self, slug: str, edits: int | None = None) -> None:
        """Change lines, each to a unique text."""
        for _ in range(self._luck.randint(1, EDITS) if edits is None else edits):
            answer = await self.browser.get(f"/api/files/captions/{slug}")
            if answer.status_code != OK:
                return
            captions = answer.json()["data"]
            lines = captions["lines"]
            if not lines or captions["is_live"]:
                return
            line = self._luck.choice(lines)
            is_undo = captions["can_undo"] and self._one_in(6)
            command: dict[str, Any] = {"action": CaptionAction.UNDO if is_undo else CaptionAction.EDIT}
            if not is_undo:
                command |= {"line": line["id"], "content": f"{self.name} {self._luck.getrandbits(40):x}"}
            await self._edit(slug, captions["id"], {**command, "issued": captions["revision"]})

    async def say_who_speaks(self, slug: str) -> None:
        """Give a line to a speaker of its own. An answer that gets lost is not repeated: another one would follow."""
        answer = await self.browser.get(f"/api/files/captions/{slug}")
        lines = answer.json()["data"]["lines"] if answer.status_code == OK else []
        if not lines:
            return
        body = {"lines": [self._luck.choice(lines)["id"]], "speaker": "new"}
        saved = await self.browser.try_once("POST", f"/api/files/speakers/{slug}/lines", json=body)
        if saved is not None and saved.status_code == OK:
            self._counted("speakers")

    async def _edit(self, slug: str, transcription_id: str, command: dict[str, Any]) -> None:
        known = {"slug": slug, "transcription_id": transcription_id, **command}
        self._journal.note(Event.EDIT_ASKED, **known)
        answer = await self.browser.try_once("POST", f"/api/files/captions/{slug}", json=command)
        if answer is None or answer.status_code != OK:
            await asyncio.sleep(AGAIN_AFTER_S)
            return
        self._counted("edits")
        self._journal.note(Event.EDIT_SAVED, **known, revision=answer.json()["data"]["revision"])

    async def export(self, slug: str) -> None:
        body = {"language": LANGUAGE, "mode": self._luck.choice(["burned", "soft"])}
        while True:
            answer = await self.browser.try_once("POST", f"/api/video/export/{slug}", json=body)
            if answer is not None and answer.status_code == CREATED:
                break
            if answer is not None and answer.status_code < SERVER_AWAY:
                self._journal.note(
                    Event.REFUSED, call="export", slug=slug, status=answer.status_code, text=answer.text[:200]
                )
                return
            await asyncio.sleep(AGAIN_AFTER_S)
        export_id = answer.json()["data"]["id"]
        self._journal.note(Event.EXPORT_ACCEPTED, slug=slug, export_id=export_id)
        self._counted("exports")
        self.listener.changed_here(slug)
        if self._one_in(REMOVE_EXPORT_ONE_IN):
            await asyncio.sleep(self._luck.uniform(0, 3))
            await self._remove_export(slug, export_id)

    async def write_text(self, slug: str) -> None:
        """Have a summary written. It may still be on its way when the file is deleted."""
        while True:
            answer = await self.browser.try_once("POST", f"/api/files/aitext/{slug}", json={"types": [TextType.SHORT]})
            if answer is not None and answer.status_code < SERVER_AWAY:
                break
            await asyncio.sleep(AGAIN_AFTER_S)
        if answer.status_code != ACCEPTED:
            self._journal.note(Event.REFUSED, call="text", slug=slug, status=answer.status_code, text=answer.text[:200])
            return
        for text in answer.json()["data"]:
            self._journal.note(Event.TEXT_ACCEPTED, slug=slug, text_id=text["id"])
        self._counted("texts")
        self.listener.changed_here(slug)

    async def _remove_export(self, slug: str, export_id: str) -> None:
        path = f"/api/video/exports/{slug}/{export_id}"
        known = {"slug": slug, "export_id": export_id}
        self._journal.note(Event.EXPORT_REMOVE_ASKED, **known)
        if await self._insist("DELETE", path) in (NO_CONTENT, NOT_FOUND):
            self._journal.note(Event.EXPORT_REMOVED, **known)
        self.listener.changed_here(slug)

    async def cancel(self, slug: str) -> None:
        self._journal.note(Event.CANCEL_ASKED, slug=slug)
        if await self._insist("POST", f"/api/files/{slug}/cancel") == OK:
            self._counted("cancelled")
        self.listener.changed_here(slug)

    async def retry(self, slug: str) -> None:
        self._journal.note(Event.RETRY_ASKED, slug=slug)
        if await self._insist("POST", f"/api/files/{slug}/retry") == OK:
            self._counted("started again")
        self.listener.changed_here(slug)

    async def delete(self, slug: str) -> None:
        self._journal.note(Event.DELETE_ASKED, slug=slug)
        if await self._insist("DELETE", f"/api/files/{slug}") in (NO_CONTENT, NOT_FOUND):
            self._journal.note(Event.DELETED, slug=slug)
            self._counted("deleted")
        self.listener.forget(slug)

    async def _insist(self, method: str, path: str) -> int:
        """Repeat until a server answers; return the status."""
        while True:
            answer = await self.browser.try_once(method, path)
            if answer is not None and answer.status_code < SERVER_AWAY:
                return answer.status_code
            await asyncio.sleep(AGAIN_AFTER_S)
