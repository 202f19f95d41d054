"""One user at work: uploads, waits, corrects, exports, cancels and deletes, as drawn from a seed."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.content.arrivals.models import UploadStatus
from api.content.captions.actions import CaptionAction
from api.content.files.models import FileStatus
from benchmarks.soak.browser import AGAIN_AFTER_S, SERVER_AWAY
from benchmarks.soak.durability.client.actor import Actor
from benchmarks.soak.durability.client.bin import BinUser
from benchmarks.soak.durability.client.customer import Customer
from benchmarks.soak.durability.client.listener import Listener
from benchmarks.soak.durability.client.media import Source, unlike_others
from benchmarks.soak.durability.client.sending import Over, Sending
from benchmarks.soak.durability.journal import Event
from pipelines.messages.minutes import TextType

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


@dataclass
class Person(Actor):
    """`customer` is None for people who do not pay by card. `typed` is the last saved text of each file."""

    listener: Listener = field(kw_only=True)
    uploads_url: str = field(kw_only=True)
    sources: Sequence[Source] = field(kw_only=True)
    bin: BinUser = field(kw_only=True)
    customer: Customer | None = field(default=None, kw_only=True)
    typed: dict[str, str] = field(default_factory=dict)

    async def live(self, goes_on: Callable[[], bool]) -> None:
        """Work while `goes_on` is true, then finish what was started as far as the server allows."""
        while goes_on():
            slug = await self.upload()
            if slug is not None:
                await self.use(slug)
            if self.customer is not None:
                await self.customer.live_on()

    async def upload(self, source: Source | None = None, *, give_up: bool = True) -> str | None:
        """Upload a file; return its slug if it became one. With `give_up` it may be ended or abandoned halfway."""
        source = source or self.luck.choice(self.sources)
        content = unlike_others(source, self.luck, self.luck.choice(PADDING))
        sending = Sending(self.browser, self.uploads_url, self.journal, self.luck, content)
        try:
            await sending.create(source.name, hashlib.sha256(content).hexdigest())
            if give_up and self.one_in(LEAVE_UPLOAD_ONE_IN):
                await sending.send(lambda: True, up_to=len(content) // 2)
                if self.one_in(2):
                    await sending.end()
                    self.counted("uploads ended")
                return None
            await sending.send(lambda: True)
        except Over as over:
            self.journal.note(Event.REFUSED, call="upload", tus_id=sending.tus_id, status=over.status)
            return None
        self.counted("uploads")
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
        if self.one_in(CANCEL_ONE_IN):
            await asyncio.sleep(self.luck.uniform(0, 2))
            await self.cancel(slug)
            if self.one_in(2):
                await asyncio.sleep(self.luck.uniform(0, 1))
                await self.retry(slug)
        elif self.one_in(DELETE_EARLY_ONE_IN):
            await asyncio.sleep(self.luck.uniform(0, 2))
            await self.bin.clear_up(slug)
            return
        status = await self.until_ended(slug)
        if status == FileStatus.COMPLETED:
            await self.correct(slug)
            if self.one_in(2):
                await self.export(slug)
            if self.one_in(SPEAKERS_ONE_IN):
                await self.say_who_speaks(slug)
            if self.one_in(TEXT_ONE_IN):
                await self.write_text(slug)
        if self.one_in(DELETE_LATER_ONE_IN):
            await self.bin.clear_up(slug)

    async def until_ended(self, slug: str) -> FileStatus | None:
        deadline = time.monotonic() + WAIT_S
        while time.monotonic() < deadline:
            answer = await self.browser.get(f"/api/files/{slug}")
            if answer.status_code == NOT_FOUND:
                return None
            if answer.status_code == OK:
                status = FileStatus(answer.json()["data"]["status"])
                if status in ENDED:
                    self.counted(f"files {status}")
                    return status
            await asyncio.sleep(LOOK_EVERY_S)
        return None

    # Acts. Each is noted before the request and after the promise.

    async def correct(self, slug: str, edits: int | None = None) -> None:
        """Change lines, each to a unique text."""
        for _ in range(self.luck.randint(1, EDITS) if edits is None else edits):
            answer = await self.browser.get(f"/api/files/captions/{slug}")
            if answer.status_code != OK:
                return
            captions = answer.json()["data"]
            lines = captions["lines"]
            if not lines or captions["is_live"]:
                return
            line = self.luck.choice(lines)
            is_undo = captions["can_undo"] and self.one_in(6)
            command: dict[str, Any] = {"action": CaptionAction.UNDO if is_undo else CaptionAction.EDIT}
            if not is_undo:
                command |= {"line": line["id"], "content": f"{self.name} {self.luck.getrandbits(40):x}"}
            await self._edit(slug, captions["id"], {**command, "issued": captions["revision"]})

    async def say_who_speaks(self, slug: str) -> None:
        """Give a line to a speaker of its own. An answer that gets lost is not repeated: another one would follow."""
        answer = await self.browser.get(f"/api/files/captions/{slug}")
        lines = answer.json()["data"]["lines"] if answer.status_code == OK else []
        if not lines:
            return
        body = {"lines": [self.luck.choice(lines)["id"]], "speaker": "new"}
        saved = await self.browser.try_once("POST", f"/api/files/speakers/{slug}/lines", json=body)
        if saved is not None and saved.status_code == OK:
            self.counted("speakers")

    async def _edit(self, slug: str, transcription_id: str, command: dict[str, Any]) -> None:
        known = {"slug": slug, "transcription_id": transcription_id, **command}
        self.journal.note(Event.EDIT_ASKED, **known)
        answer = await self.browser.try_once("POST", f"/api/files/captions/{slug}", json=command)
        if answer is None or answer.status_code != OK:
            await asyncio.sleep(AGAIN_AFTER_S)
            return
        self.counted("edits")
        if "content" in command:
            self.typed[slug] = command["content"]
        self.journal.note(Event.EDIT_SAVED, **known, revision=answer.json()["data"]["revision"])

    async def export(self, slug: str) -> None:
        body = {"language": LANGUAGE, "mode": self.luck.choice(["burned", "soft"])}
        while True:
            answer = await self.browser.try_once("POST", f"/api/video/export/{slug}", json=body)
            if answer is not None and answer.status_code == CREATED:
                break
            if answer is not None and answer.status_code < SERVER_AWAY:
                self.journal.note(
                    Event.REFUSED, call="export", slug=slug, status=answer.status_code, text=answer.text[:200]
                )
                return
            await asyncio.sleep(AGAIN_AFTER_S)
        export_id = answer.json()["data"]["id"]
        self.journal.note(Event.EXPORT_ACCEPTED, slug=slug, export_id=export_id)
        self.counted("exports")
        self.listener.changed_here(slug)
        if self.one_in(REMOVE_EXPORT_ONE_IN):
            await asyncio.sleep(self.luck.uniform(0, 3))
            await self._remove_export(slug, export_id)

    async def write_text(self, slug: str) -> None:
        """Have a summary written. It may still be on its way when the file is deleted."""
        while True:
            answer = await self.browser.try_once("POST", f"/api/files/aitext/{slug}", json={"types": [TextType.SHORT]})
            if answer is not None and answer.status_code < SERVER_AWAY:
                break
            await asyncio.sleep(AGAIN_AFTER_S)
        if answer.status_code != ACCEPTED:
            self.journal.note(Event.REFUSED, call="text", slug=slug, status=answer.status_code, text=answer.text[:200])
            return
        for text in answer.json()["data"]:
            self.journal.note(Event.TEXT_ACCEPTED, slug=slug, text_id=text["id"])
        self.counted("texts")
        self.listener.changed_here(slug)

    async def _remove_export(self, slug: str, export_id: str) -> None:
        path = f"/api/video/exports/{slug}/{export_id}"
        known = {"slug": slug, "export_id": export_id}
        self.journal.note(Event.EXPORT_REMOVE_ASKED, **known)
        if (await self.insist("DELETE", path)).status_code in (NO_CONTENT, NOT_FOUND):
            self.journal.note(Event.EXPORT_REMOVED, **known)
        self.listener.changed_here(slug)

    async def cancel(self, slug: str) -> None:
        self.journal.note(Event.CANCEL_ASKED, slug=slug)
        if (await self.insist("POST", f"/api/files/{slug}/cancel")).status_code == OK:
            self.counted("cancelled")
        self.listener.changed_here(slug)

    async def retry(self, slug: str) -> None:
        self.journal.note(Event.RETRY_ASKED, slug=slug)
        if (await self.insist("POST", f"/api/files/{slug}/retry")).status_code == OK:
            self.counted("started again")
        self.listener.changed_here(slug)
