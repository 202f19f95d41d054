"""The cheapest acts on a running installation that expose each seeded fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from api.people.plans.tiers import PlanTier
from benchmarks.soak.durability.client.media import Source
from benchmarks.soak.durability.client.person import Person
from benchmarks.soak.durability.fault_kinds import Kind
from benchmarks.soak.durability.faults.injector import Injector
from benchmarks.soak.durability.seeded_faults import SeededFault
from benchmarks.soak.durability.session import Session

PIECE_SENDS = 3
EVENTS_ENOUGH = 2


def source_named(session: Session, name: str) -> Source:
    return next(source for source in session.sources if source.name == name)


async def provoke(fault: SeededFault, session: Session, injector: Injector) -> None:
    """Do what the fault breaks. The processes must have started with it."""
    await _PROVOKING[fault](session, session.people[-1], injector)


async def restart_with(session: Session, injector: Injector, seeded_faults: list[SeededFault]) -> None:
    """Restart the processes of a running installation with these faults."""
    session.installation.seeded_faults_file.write_text(" ".join(seeded_faults))
    for kind in (Kind.API, Kind.UPLOADS, Kind.DISPATCHER):
        injector.kill_programs(kind)
    for name in ("api", "uploads"):
        await session.installation.until_answers(name)


async def _file(session: Session, person: Person, name: str) -> str:
    slug = await person.upload(source_named(session, name), give_up=False)
    if slug is None:
        raise RuntimeError(f"{name} did not become a file.")
    await person.until_ended(slug)
    return slug


async def do_each_act(session: Session) -> None:
    """Do once for certain what people do by chance, so that each invariant has something to judge."""
    first, last = session.people[0], session.people[-1]
    poor = session.poor
    await asyncio.gather(_use_everything(session, first), _clear_up(session, last), _run_out(session, poor))
    await session.admin.support(first)
    await session.admin.rename(first)
    await pay_by_every_means(first)


async def _use_everything(session: Session, person: Person) -> None:
    """A file with an edit, a speaker, an export and a text, which then spends a while in the bin."""
    slug = await _file(session, person, "plain.mp4")
    await person.correct(slug, edits=1)
    await person.say_who_speaks(slug)
    await person.export(slug)
    await person.write_text(slug)
    await person.bin.delete(slug)
    await person.bin.restore(slug)


async def _clear_up(session: Session, person: Person) -> None:
    """One file stays in the bin, one is deleted for good."""
    for name in ("sound.m4a", "plain.mp4"):
        slug = await _file(session, person, name)
        await person.correct(slug, edits=1)
        await person.bin.delete(slug)
    await person.bin.purge(slug)


async def _run_out(session: Session, person: Person) -> None:
    """Work is refused for want of minutes, until an administrator gives some."""
    slug = await _file(session, person, "plain.mp4")
    await session.admin.give_a_minute(person)
    await person.retry(slug)
    await person.until_ended(slug)


async def pay_by_every_means(person: Person) -> None:
    """Change to a larger plan and to a smaller one, take that back, cancel and keep."""
    customer = person.customer
    assert customer is not None
    # Somebody who has cancelled cannot change.
    await customer.keep()
    await customer.change(PlanTier.BUSINESS)
    await customer.change(PlanTier.CREATOR)
    await customer.take_back()
    await customer.cancel()
    await customer.keep()


async def _finish_something(session: Session, person: Person, _injector: Injector) -> None:
    await _file(session, person, "plain.mp4")


async def _finish_several(session: Session, person: Person, _injector: Injector) -> None:
    for _ in range(EVENTS_ENOUGH):
        await _file(session, person, "plain.mp4")


async def _edit_and_kill(session: Session, person: Person, injector: Injector) -> None:
    slug = await _file(session, person, "plain.mp4")
    await person.correct(slug, edits=1)
    await injector.inject(Kind.API)


async def _delete(session: Session, person: Person, _injector: Injector) -> None:
    slug = await _file(session, person, "sound.m4a")
    await person.bin.delete(slug)
    await person.bin.purge(slug)


async def _pay(_session: Session, person: Person, _injector: Injector) -> None:
    await pay_by_every_means(person)


async def _administer(session: Session, person: Person, _injector: Injector) -> None:
    await session.admin.rename(person)
    await session.admin.support(session.people[0])


async def _suspend_at_work(session: Session, person: Person, injector: Injector) -> None:
    await _break_at_work(session, person, injector, Kind.SUSPEND_DISPATCHER)


async def _kill_at_work(session: Session, person: Person, injector: Injector) -> None:
    await _break_at_work(session, person, injector, Kind.WORKER)


async def _break_at_work(session: Session, person: Person, injector: Injector, kind: Kind) -> None:
    breaking = asyncio.create_task(injector.inject(kind))
    await _file(session, person, "long.mp4")
    await breaking


async def _send_and_kill(session: Session, person: Person, injector: Injector) -> None:
    async def kill_often() -> None:
        for _ in range(PIECE_SENDS):
            await asyncio.sleep(0.4)
            await injector.inject(Kind.UPLOADS)

    killing = asyncio.create_task(kill_often())
    await person.upload(source_named(session, "long.mp4"), give_up=False)
    await killing


_PROVOKING: dict[SeededFault, Callable[[Session, Person, Injector], Awaitable[None]]] = {
    SeededFault.NO_FENCE: _suspend_at_work,
    SeededFault.ACK_BEFORE_COMMIT: _edit_and_kill,
    SeededFault.SKIP_OUTBOX: _finish_several,
    SeededFault.OFFSET_AHEAD: _send_and_kill,
    SeededFault.DOUBLE_EFFECT: _finish_something,
    SeededFault.LOST_DELETE: _delete,
    SeededFault.ORPHANED_ATTEMPT: _kill_at_work,
    SeededFault.BACKWARD_PROGRESS: _finish_something,
    SeededFault.CHARGED_TWICE: _finish_something,
    SeededFault.STALE_WEBHOOK: _pay,
    SeededFault.GRANTED_TWICE: _pay,
    SeededFault.UNRECORDED: _administer,
}
