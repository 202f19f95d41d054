"""The way of a state event: written with the change, sent after the commit, in order, to a real relay."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import func, select, update

from api.access.audience import Audience
from api.db import clock
from api.jobs.limits import OUTBOX_KEEP_S
from api.jobs.models import OutboxMessage
from api.jobs.outbox import add_event
from api.jobs.outbox_sender import OutboxSender
from api.realtime.messages import Action, PollingMessage, Topic, channel_of
from api.realtime.notices import Notice
from api.realtime.publisher import Publisher, RelayUnavailable
from api.settings import ApiSettings
from api.testing.realtime.clients import Clients, Web

USER = uuid.uuid4()


def message(number: int, text: str | None = None) -> PollingMessage:
    return PollingMessage(queue=Topic.EXPORT, action=Action.COMPLETED, slug=f"s{number}", name="talk", message=text)


@asynccontextmanager
async def sender(web: Web, settings: ApiSettings | None = None) -> AsyncIterator[OutboxSender]:
    async with Publisher(settings or web.settings) as publisher:
        yield OutboxSender(web.state.database, publisher)


@asynccontextmanager
async def running(each: OutboxSender) -> AsyncIterator[None]:
    task = asyncio.create_task(each.run())
    yield
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def write(web: Web, first: int, count: int) -> None:
    for number in range(first, first + count):
        async with web.state.database.write() as session:
            add_event(session, Notice(Audience((USER,)), message(number)))


async def unsent(web: Web) -> int:
    async with web.state.database.read() as session:
        statement = select(func.count()).select_from(OutboxMessage).where(OutboxMessage.published_at.is_(None))
        return int(await session.scalar(statement) or 0)


async def test_events_arrive_once_and_in_order_though_two_processes_send(web: Web, clients: Clients) -> None:
    client = await clients.listening(channel_of(USER))
    async with sender(web) as one, sender(web) as two, running(one), running(two):
        await write(web, 0, 25)
        got = [(await client.receive())["data"]["slug"] for _ in range(25)]
        assert got == [f"s{number}" for number in range(25)]
        while await unsent(web):
            await asyncio.sleep(0.02)
        await client.send("pusher:ping")
        assert (await client.receive())["event"] == "pusher:pong", "an event came twice"


async def test_an_event_of_a_change_that_was_undone_is_never_sent(web: Web) -> None:
    async def change_and_fail() -> None:
        async with web.state.database.write() as session:
            add_event(session, Notice(Audience((USER,)), message(0)))
            await session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await change_and_fail()
    assert await unsent(web) == 0


async def test_while_the_relay_is_away_events_wait(web: Web, clients: Clients, unused_tcp_port: int) -> None:
    await write(web, 0, 3)
    away = ApiSettings(realtime_url=f"http://127.0.0.1:{unused_tcp_port}", realtime_secret="s")
    async with sender(web, away) as stranded:
        with pytest.raises(RelayUnavailable):
            await stranded.send_batch()
    assert await unsent(web) == 3
    client = await clients.listening(channel_of(USER))
    async with sender(web) as each:
        assert await each.send_batch() == 3
        assert await each.send_batch() == 0
    assert [(await client.receive())["data"]["slug"] for _ in range(3)] == ["s0", "s1", "s2"]


async def test_an_event_the_relay_refuses_does_not_hold_up_the_others(web: Web, clients: Clients) -> None:
    client = await clients.listening(channel_of(USER))
    async with web.state.database.write() as session:
        add_event(session, Notice(Audience((USER,)), message(0)))
        await session.flush()
        add_event(session, Notice(Audience((USER,)), message(1, "x" * 20_000)))
        await session.flush()
        add_event(session, Notice(Audience((USER,)), message(2)))
    async with sender(web) as each:
        await each.send_batch()
    assert [(await client.receive())["data"]["slug"] for _ in range(2)] == ["s0", "s2"]
    assert await unsent(web) == 0


async def test_old_sent_messages_are_tidied_away_and_unsent_ones_never(web: Web) -> None:
    await write(web, 0, 3)
    async with web.state.database.write() as session:
        ids = (await session.scalars(select(OutboxMessage.id).order_by(OutboxMessage.id))).all()
        for message_id, age_s in ((ids[0], OUTBOX_KEEP_S + 60), (ids[1], OUTBOX_KEEP_S - 60)):
            await session.execute(
                update(OutboxMessage).where(OutboxMessage.id == message_id).values(published_at=clock.now(-age_s))
            )
    async with sender(web) as each:
        await each.tidy()
    async with web.state.database.read() as session:
        assert (await session.scalars(select(OutboxMessage.id).order_by(OutboxMessage.id))).all() == ids[1:]
