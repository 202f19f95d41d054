"""One run: people work while faults strike, then everything falls quiet and is judged."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, or_, select, update

from api.edges.admin import administrators
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.base import utc_now
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobState
from api.testing.stripe.cards import Behaviour
from benchmarks.soak.browser import PASSWORD, Browser
from benchmarks.soak.durability.client.administrator import Administrator
from benchmarks.soak.durability.client.bin import BinUser
from benchmarks.soak.durability.client.customer import Customer
from benchmarks.soak.durability.client.listener import Listener
from benchmarks.soak.durability.client.look import look_afresh
from benchmarks.soak.durability.client.media import Source
from benchmarks.soak.durability.client.person import Person
from benchmarks.soak.durability.evidence import Evidence, gather
from benchmarks.soak.durability.faults.injector import Injector
from benchmarks.soak.durability.invariants.leftovers import QUIET_LEASES
from benchmarks.soak.durability.journal import Event, Journal
from benchmarks.soak.durability.servers.courier import Courier
from benchmarks.soak.durability.servers.installation import Installation

FINISH_S = 600.0
"""How long people may take to finish what they started, and the jobs after them."""

LOOK_EVERY_S = 0.25
SUSPEND_LEASES = 1.4
LISTENING_S = 180.0
POOR = 1
MONTH_DAYS = 31
SOLD = ("customer", "subscription", "invoice", "payment_intent")


@dataclass
class Session:
    """People of one installation. `journal` lies outside the product's folder."""

    installation: Installation
    sources: Sequence[Source]
    seed: int
    journal: Journal = field(init=False)
    people: list[Person] = field(default_factory=list)
    admin: Administrator = field(init=False)
    courier: Courier = field(init=False)
    unfinished: list[str] = field(default_factory=list)
    """Descriptions of what did not end in time."""

    def __post_init__(self) -> None:
        self.journal = Journal(self.installation.folder / "journal.jsonl")
        self.database = Database(self.installation.settings.db_url)
        self.courier = Courier(self.installation.shop.url, self.installation.url, random.Random(f"{self.seed} courier"))
        self._bringing: asyncio.Task[None] | None = None

    def injector(self) -> Injector:
        return Injector(
            self.installation,
            self.database,
            self.journal,
            random.Random(self.seed),
            suspend_s=SUSPEND_LEASES * self.installation.lease_s,
        )

    async def arrive(self, count: int) -> None:
        """New people sign up and open their pages, and an administrator signs in. All but one buy a plan."""
        self._bringing = asyncio.create_task(self.courier.run())
        self.people = list(await asyncio.gather(*(self._newcomer(f"user{number}") for number in range(count))))
        self.admin = await self._administrator()
        # As if everybody had opened the link in the mail.
        async with self.database.write() as session:
            await session.execute(update(User).values(email_verified_at=utc_now()))
        await self.admin.refuse_minutes(self.poor)
        await asyncio.gather(*(person.customer.buy() for person in self.people if person.customer is not None))
        for person in self.people:
            person.listener.start()

    @property
    def poor(self) -> Person:
        """Somebody with a contract without minutes, who works with what the administrator gives them."""
        return self.people[POOR]

    async def _newcomer(self, name: str) -> Person:
        browser = Browser(self.installation.url)
        self.journal.note(Event.SIGNED_UP, name=name, user_id=await browser.sign_up(name))
        key = self.installation.settings.realtime_key
        listener = Listener(browser, self.installation.relay_url, key, self.journal)
        done: Counter[str] = Counter()
        who = (name, browser, self.journal, random.Random(f"{self.seed} {name}"), done)
        is_poor = name == f"user{POOR}"
        return Person(
            *who,
            listener=listener,
            uploads_url=self.installation.uploads_url,
            sources=self.sources,
            bin=BinUser(*who, listener=listener),
            customer=None if is_poor else Customer(*who, shop=self.installation.shop),
        )

    async def _administrator(self) -> Administrator:
        await administrators.make(self.database, "admin@example.com", "admin", PASSWORD)
        browser = Browser(self.installation.url)
        await browser.sign_up("admin")
        return Administrator("admin", browser, self.journal, random.Random(f"{self.seed} admin"), people=self.people)

    async def live(self, goes_on: Callable[[], bool]) -> None:
        """Let everybody work while `goes_on` is true and finish what they started."""
        everybody: tuple[Person | Administrator, ...] = (*self.people, self.admin)
        living = {asyncio.create_task(person.live(goes_on), name=person.name) for person in everybody}
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

    async def end_month(self) -> None:
        """Move the provider's clock on: plans renew, end, or change as planned, and one customer's card fails.

        People must have finished: a plan that has ended brings no more minutes.
        """
        shop = self.installation.shop
        customers = await asyncio.to_thread(shop.control, "things", kind="customer")
        unlucky = random.Random(f"{self.seed} month").choice(customers)["id"]
        await asyncio.to_thread(shop.control, "card", customer=unlucky, behaviour=Behaviour.FAILS)
        await asyncio.to_thread(shop.advance, MONTH_DAYS)

    async def fall_quiet(self) -> None:
        """Wait until no job is left and every event is sent; then for three more leases, as the invariants require."""
        await self.until_idle()
        await asyncio.sleep(QUIET_LEASES * self.installation.lease_s)

    async def until_idle(self) -> None:
        """Wait until every event of the payment provider is taken, no job is left, and ours are sent."""
        try:
            await asyncio.wait_for(self.courier.bring_all(), FINISH_S)
        except TimeoutError:
            self.unfinished.append(f"In {FINISH_S:g} s the product did not take every event of a payment.")
        deadline = time.monotonic() + FINISH_S
        while (left := await self._left()) and time.monotonic() < deadline:
            await asyncio.sleep(LOOK_EVERY_S)
        if left:
            self.unfinished.append(f"{FINISH_S:g} s after the last act there were still {left}.")

    async def _left(self) -> str:
        open_jobs = select(func.count()).where(Job.state.in_((JobState.READY, JobState.RUNNING)))
        is_due = or_(OutboxMessage.not_before.is_(None), OutboxMessage.not_before <= clock.now())
        unsent = select(func.count()).where(OutboxMessage.published_at.is_(None), is_due)
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
                self.unfinished.append(
                    f"The page of {person.name} did not come back to the relay: {person.listener.broke_with!r}."
                )
            person.listener.write_down()
            await look_afresh(person, self.installation.relay_url)
        shop = {kind: await asyncio.to_thread(self.installation.shop.control, "things", kind=kind) for kind in SOLD}
        shop["event"] = await asyncio.to_thread(self.installation.shop.control, "events")
        return await gather(self.installation.settings, self.journal.path, shop, lease_s=self.installation.lease_s)

    async def leave(self) -> None:
        if self._bringing is not None:
            self._bringing.cancel()
            await asyncio.wait({self._bringing})
        for person in self.people:
            await person.listener.stop()
            await person.browser.close()
        await self.database.close()
        self.journal.close()

    def done(self) -> Counter[str]:
        """Counts of what all people did."""
        done = sum((person.done for person in (*self.people, self.admin)), Counter[str]())
        done["payment events taken"], done["payment events refused"] = self.courier.delivered, self.courier.refused
        return done
