"""An administrator at work: changes accounts, gives minutes, and uses customers' accounts as support."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.soak.browser import AGAIN_AFTER_S, Answer
from benchmarks.soak.durability.client.actor import Actor
from benchmarks.soak.durability.client.person import Person
from benchmarks.soak.durability.journal import Event

OK, CREATED, NO_CONTENT, UNAUTHORIZED = 200, 201, 204, 401
PAUSE_S = 3.0
NO_MINUTES = {"max_hours": 0, "max_space": 100}


@dataclass
class Administrator(Actor):
    """`ADMIN_ASKED` and `ADMIN_DONE` carry the act, the account (`user_id`) and `about`: the text or path it is about.

    Names and reasons are unique, so that each entry can be found. An act whose answer got lost is not repeated.
    """

    people: list[Person] = field(kw_only=True)

    async def live(self, goes_on: Callable[[], bool]) -> None:
        while goes_on():
            person = self.luck.choice(self.people)
            await self.luck.choice((self.rename, self.give_a_minute, self.support))(person)
            await asyncio.sleep(self.luck.uniform(0, PAUSE_S))

    async def refuse_minutes(self, person: Person) -> None:
        """Agree on a contract without minutes: whatever the person works with, somebody gave them."""
        path = f"/api/admin/users/{person.browser.user_id}/contract"
        while (await self._act("contract", person, path, "PUT", path, json=NO_MINUTES)) is None:
            await self._come_back()

    async def rename(self, person: Person) -> None:
        name = self._unique("Renamed")
        await self._act("rename", person, name, "PUT", self._path(person), json={"name": name})

    async def give_a_minute(self, person: Person) -> None:
        body = {"minutes": 1, "reason": self._unique("Sorry")}
        await self._act("goodwill", person, body["reason"], "POST", f"{self._path(person)}/goodwill", json=body)

    async def support(self, person: Person) -> None:
        """Look into an account, open a file, and rename it. Ends in one's own account whatever happens."""
        body = {"id": person.browser.user_id, "reason": self._unique("Ticket")}
        try:
            if await self._act("browse", person, body["reason"], "POST", "/api/browse-as", json=body) is None:
                return
            listed = await self._act("open", person, "/api/files", "GET", "/api/files")
            files = listed.json()["data"] if listed is not None else []
            if not files:
                return
            path = f"/api/files/{self.luck.choice(files)['slug']}"
            await self._act("open", person, path, "GET", path)
            changes = {"may_change": True}
            if await self._act("unlock", person, "changes", "POST", "/api/browse-as/changes", json=changes) is None:
                return
            await self._act("change", person, path, "PUT", path, json={"name": self._unique("Mended")})
        finally:
            await self._return()

    async def _act(
        self, act: str, person: Person, about: object, method: str, path: str, **body: object
    ) -> Answer | None:
        """The answer, None unless it is a success."""
        known = {"act": act, "admin_id": self.browser.user_id, "user_id": person.browser.user_id, "about": about}
        self.journal.note(Event.ADMIN_ASKED, **known)
        answer = await self.browser.try_once(method, path, **body)
        if answer is None or answer.status_code not in (OK, CREATED, NO_CONTENT):
            return None
        self.journal.note(Event.ADMIN_DONE, **known)
        self.counted(f"admin: {act}")
        return answer

    async def _return(self) -> None:
        """Back to one's own account. A lost answer may have held a new cookie: then sign in again."""
        answer = await self.insist("DELETE", "/api/browse-as")
        if answer.status_code != NO_CONTENT:
            await self._come_back()

    async def _come_back(self) -> None:
        await asyncio.sleep(AGAIN_AFTER_S)
        user = await self.browser.get("/api/user")
        if user.status_code == OK and user.json()["data"]["browse_as"] is None:
            return
        self.browser.http.cookies.clear()
        await self.browser.sign_up(self.name)

    def _path(self, person: Person) -> str:
        return f"/api/admin/users/{person.browser.user_id}"

    def _unique(self, word: str) -> str:
        return f"{word} {self.luck.getrandbits(48):x}"
