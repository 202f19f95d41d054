"""What a person does with the bin: files go in, come back, or are deleted for good."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.soak.durability.client.actor import Actor
from benchmarks.soak.durability.client.listener import Listener
from benchmarks.soak.durability.journal import Event

OK, NO_CONTENT, NOT_FOUND = 200, 204, 404
RESTORE_ONE_IN = 3
PURGE_ONE_IN = 2


@dataclass
class BinUser(Actor):
    """`deleted` holds every file that was ever deleted here, in order."""

    listener: Listener = field(kw_only=True)
    deleted: dict[str, None] = field(default_factory=dict)

    async def clear_up(self, slug: str) -> None:
        """Delete a file, and perhaps change one's mind, or make it final."""
        await self.delete(slug)
        if self.one_in(RESTORE_ONE_IN):
            await self.restore(slug)
        elif self.one_in(PURGE_ONE_IN):
            await self.purge(slug)

    async def delete(self, slug: str) -> None:
        """Move a file to the bin."""
        self.journal.note(Event.DELETE_ASKED, slug=slug)
        answer = await self.insist("DELETE", f"/api/files/{slug}")
        if answer.status_code in (NO_CONTENT, NOT_FOUND):
            self.journal.note(Event.DELETED, slug=slug)
            self.deleted[slug] = None
            self.counted("deleted")
        self.listener.forget(slug)

    async def restore(self, slug: str) -> None:
        file_id = await self._id_in_bin(slug)
        if file_id is None:
            return
        self.journal.note(Event.RESTORE_ASKED, slug=slug)
        answer = await self.insist("POST", "/api/files/bin/restore", json={"ids": [file_id]})
        # A repeat after a lost answer finds it outside the bin.
        if answer.status_code in (NO_CONTENT, NOT_FOUND):
            self.journal.note(Event.RESTORED, slug=slug)
            self.counted("restored")
        self.listener.changed_here(slug)

    async def purge(self, slug: str) -> None:
        """Delete a file of the bin for good."""
        file_id = await self._id_in_bin(slug)
        if file_id is None:
            return
        self.journal.note(Event.PURGE_ASKED, slug=slug)
        answer = await self.insist("POST", "/api/files/bin/purge", json={"ids": [file_id]})
        if answer.status_code in (OK, NOT_FOUND):
            self.journal.note(Event.PURGED, slug=slug)
            self.counted("deleted for good")
        self.listener.forget(slug)

    async def _id_in_bin(self, slug: str) -> str | None:
        answer = await self.insist("GET", "/api/files/bin?per_page=1000")
        files = answer.json()["data"] if answer.status_code == OK else []
        return next((str(file["id"]) for file in files if file["slug"] == slug), None)
