"""One run: people work while faults strike, then everything falls quiet and is judged."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select

from api.db.engine import DATABASE_AWAY, Database
from api.jobs.models import Job, OutboxMessage
from api.jobs.states import JobState
from soak.browser import Browser
from soak.durability.client.listener import Listener
from soak.durability.client.media import Source
from soak.durability.client.person import Person
from soak.durability.evidence import Evidence, gather
from soak.durability.faults.injector import Injector
from soak.durability.invariants.leftovers import QUIET_LEASES
from soak.durability.journal import Event, Journal
from soak.durability.servers.installation import Installation

FINISH_S = 600.0
"""How long people may take to finish what they started, and the jobs after them."""

LOOK_EVERY_S = 0.25
SUSPEND_LEASES = 1.4
LISTENING_S = 180.0


@dataclass
class Session:
    """People of one installation. `journal` lies outside the product's folder."""

    installation: Installation
    sources: Sequence[Source]
    seed: int
    journal: Journal = field(init=False)
    people: list[Person] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    """Descriptions of what did not end in time."""

    def __post_init__(self) -> None:
        self.journal = Journal(self.installation.folder / "journal.jsonl")
        self.database = Database(self.installation.settings.db_url)

    def injector(self) -> Injector:
        return Injector(
            self.installation,
            self.database,
            self.journal,
            random.Random(self.seed),
            suspend_s=SUSPEND_LEASES * self.installation.lease_s,
        )

    async def arrive(self, count: int) -> None:
        """New people sign up and open their pages."""
        key = self.installation.settings.realtime_key
        for number in range(len(self.people), len(self.people) + count):
            browser = Browser(self.installation.url)
            name = f"user{number}"
            self.journal.note(Event.SIGNED_UP, name=name, user_id=await browser.sign_up(name))
            listener = Listener(browser, self.installation.relay_url, key, self.journal)
            listener.start()
            self.people.append(
                Person(
                    name,
                    browser=browser,
                    listener=listener,
                    uploads_url=self.installation.uploads_url,
                    journal=self.journal,
                    sources=self.sources,
                    seed=self.seed,
                )
            )

    async def live(self, goes_on: Callable[[], bool]) -> None:
        """Let everybody work while `goes_on` is true and finish what they started."""
        living = {asyncio.create_task(person.live(goes_on), name=person.name) for person in self.people}
        while goes_on() and not any(task.done() for task in living):
            await asyncio.sleep(LOOK_EVERY_S)
        done, late = await asyncio.wait(living, timeout=FINISH_S)
        for task in late:
            self.unfinished.append(f"{task.get_name()} could not finish what they began in {FINISH_S:g} s.")
            task.cancel()
        if late:
            await asyncio.wait(late)
        for task in done:
            task.result()

    async def fall_quiet(self) -> None:
        """Wait until no job is left and every event is sent; then for three more leases, as the invariants require."""
        await self.until_idle()
        await asyncio.sleep(QUIET_LEASES * self.installation.lease_s)

    async def until_idle(self) -> None:
        deadline = time.monotonic() + FINISH_S
        while (left := await self._left()) and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_EVERY_S)
        if left:
            self.unfinished.append(f"{FINISH_S:g} s after the last act there were still {left}.")

    async def _left(self) -> str:
        open_jobs = select(func.count()).where(Job.state.in_((JobState.READY, JobState.RUNNING)))
        unsent = select(func.count()).where(OutboxMessage.published_at.is_(None))
        try:
            async with self.database.read() as session:
                jobs, events = await session.scalar(open_jobs) or 0, await session.scalar(unsent) or 0
        except DATABASE_AWAY:
            return "a database that does not answer"
        return f"{jobs} open jobs and {events} unsent events" if jobs or events else ""

    async def look(self) -> Evidence:
        """Note what each page shows and what a fresh one gets, then read everything."""
        deadline = time.monotonic() + LISTENING_S
        while not all(person.listener.is_settled for person in self.people) and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_EVERY_S)
        for person in self.people:
            if not person.listener.is_settled:
                self.unfinished.append(f"The page of {person.name} did not come back to the relay.")
            person.listener.write_down()
            answer = await person.browser.get("/api/polling/initiate")
            if answer.is_success:
                sent = answer.json()["data"]["sent"]
                self.journal.note(Event.INITIATED, user_id=person.browser.user_id, sent=sent)
            fresh = Listener(person.browser, self.installation.relay_url, "", self.journal)
            await fresh.fetch_all()
            fresh.write_down(fresh=True)
        return await gather(self.installation.settings, self.journal.path, lease_s=self.installation.lease_s)

    async def leave(self) -> None:
        for person in self.people:
            await person.listener.stop()
            await person.browser.close()
        await self.database.close()
        self.journal.close()

    def done(self) -> Counter[str]:
        """Counts of what all people did."""
        return sum((Counter(person.done) for person in self.people), Counter())
