"""The cheapest acts on a running installation that expose each seeded fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from soak.durability.client.media import Source
from soak.durability.client.person import Person
from soak.durability.faults.injector import Injector
from soak.durability.faults.kinds import Kind
from soak.durability.seeded_faults import SeededFault
from soak.durability.session import Session

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
    person = session.people[0]
    slug = await _file(session, person, "plain.mp4")
    await person.correct(slug, edits=1)
    await person.say_who_speaks(slug)
    await person.export(slug)
    await person.write_text(slug)
    await person.delete(await _file(session, person, "sound.m4a"))


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
    await person.delete(await _file(session, person, "plain.mp4"))


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
}
