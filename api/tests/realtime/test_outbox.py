"""The path of a state event: written with the change, sent after the commit, in order, to a real relay."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
import structlog
from sqlalchemy import func, select, update

from api.people.access.event_delivery import event_delivery
from api.people.users.models import User
from api.platform.db import clock
from api.platform.jobs.limits import OUTBOX_KEEP_S
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.outbox import add_event
from api.platform.jobs.sending.outbox_sender import Delivery, OutboxSender, Undelivered
from api.platform.realtime.messages import Action, PollingMessage, Topic, channel_of
from api.platform.realtime.notices import Audience, Notice
from api.platform.realtime.publisher import Publisher
from api.platform.settings import ApiSettings
from api.testing.realtime.clients import Clients, Web
from cluster.wording.message import Message

USER = uuid.uuid4()


def message(number: int, text: str | None = None) -> PollingMessage:
    return PollingMessage(queue=Topic.EXPORT, action=Action.COMPLETED, slug=f"s{number}", name="talk", message=text)


@asynccontextmanager
async def sender(web: Web, settings: ApiSettings | None = None, *more: Delivery) -> AsyncIterator[OutboxSender]:
    async with Publisher(settings or web.settings) as publisher:
        yield OutboxSender(web.state.database, [event_delivery(publisher, web.state.database), *more])


async def send_batch(web: Web, settings: ApiSettings | None = None) -> int:
    async with Publisher(settings or web.settings) as publisher:
        delivery = event_delivery(publisher, web.state.database)
        return await OutboxSender(web.state.database, [delivery]).send_batch(delivery)


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


async def test_people_get_the_sentences_of_events_in_the_language_of_their_account(web: Web, clients: Clients) -> None:
    people = [
        User(id=uuid.uuid4(), name=locale, email=f"{locale}@example.com", password_hash="-", locale=locale)
        for locale in ("is", "en")
    ]
    async with web.state.database.write() as session:
        session.add_all(people)
    icelandic, english = [await clients.listening(channel_of(person.id)) for person in people]
    async with web.state.database.write() as session:
        everybody = Audience(tuple(person.id for person in people))
        add_event(
            session,
            Notice(everybody, message(0, Message("events.upload.completed", "'{name}' is ready.", name="talk"))),
        )
    await send_batch(web)
    assert (await icelandic.receive())["data"]["message"] == "„talk“ er tilbúin."
    assert (await english.receive())["data"]["message"] == "'talk' is ready."


async def test_an_event_of_a_change_that_was_rolled_back_is_never_sent(web: Web) -> None:
    async def change_and_fail() -> None:
        async with web.state.database.write() as session:
            add_event(session, Notice(Audience((USER,)), message(0)))
            await session.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await change_and_fail()
    assert await unsent(web) == 0


async def test_events_wait_while_the_relay_is_unreachable(web: Web, clients: Clients, unused_tcp_port: int) -> None:
    await write(web, 0, 3)
    away = ApiSettings(realtime_url=f"http://127.0.0.1:{unused_tcp_port}", realtime_secret="s")
    with pytest.raises(Undelivered):
        await send_batch(web, away)
    assert await unsent(web) == 3
    client = await clients.listening(channel_of(USER))
    assert await send_batch(web) == 3
    assert await send_batch(web) == 0
    assert [(await client.receive())["data"]["slug"] for _ in range(3)] == ["s0", "s1", "s2"]


async def test_an_event_the_relay_refuses_does_not_hold_up_the_others(web: Web, clients: Clients) -> None:
    client = await clients.listening(channel_of(USER))
    async with web.state.database.write() as session:
        add_event(session, Notice(Audience((USER,)), message(0)))
        await session.flush()
        add_event(session, Notice(Audience((USER,)), message(1, "x" * 20_000)))
        await session.flush()
        add_event(session, Notice(Audience((USER,)), message(2)))
    await send_batch(web)
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


async def write_webhook(web: Web, topic: str = "webhook") -> None:
    async with web.state.database.write() as session:
        session.add(OutboxMessage(topic=topic, payload={"text": "hello"}))


async def topics_unsent(web: Web) -> list[str]:
    async with web.state.database.read() as session:
        statement = select(OutboxMessage.topic).where(OutboxMessage.published_at.is_(None))
        return list(await session.scalars(statement.order_by(OutboxMessage.id)))


@asynccontextmanager
async def webhooks(handle: Any) -> AsyncIterator[Delivery]:
    """A second delivery, to an HTTP server on loopback that `handle` is."""
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    async with httpx2.AsyncClient(timeout=None, trust_env=False) as client:

        async def deliver(payloads: Sequence[dict[str, Any]]) -> None:
            for payload in payloads:
                answer = await client.post(url, json=payload)
                if answer.status_code >= 500:
                    raise Undelivered(f"The receiver answered {answer.status_code}.")

        yield Delivery("webhook", deliver, batch=1, poll_s=0.02, retry_s=(0.02,))
    server.close()


async def test_events_do_not_wait_for_a_delivery_that_hangs(web: Web, clients: Clients) -> None:
    is_hanging = asyncio.Event()

    async def never_answers(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        is_hanging.set()
        await reader.read()

    client = await clients.listening(channel_of(USER))
    await write_webhook(web)
    async with webhooks(never_answers) as hanging, sender(web, None, hanging) as each, running(each):
        await is_hanging.wait()
        await write(web, 0, 15)
        got = [(await client.receive())["data"]["slug"] for _ in range(15)]
        assert got == [f"s{number}" for number in range(15)]
        while await unsent(web) > 1:
            await asyncio.sleep(0.02)
        assert await topics_unsent(web) == ["webhook"]


async def test_a_receiver_that_fails_gets_its_message_again_until_it_takes_it(web: Web) -> None:
    answers = iter([b"503 Busy", b"500 Broken", b"200 OK"])
    received: list[bytes] = []

    async def fails_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.append(await reader.readuntil(b"}"))
        writer.write(b"HTTP/1.1 " + next(answers) + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    await write_webhook(web)
    async with webhooks(fails_twice) as failing, sender(web, None, failing) as each, running(each):
        while await unsent(web):
            await asyncio.sleep(0.02)
    assert len(received) == 3


async def test_a_topic_that_nobody_delivers_stays_unsent_and_is_logged(web: Web, clients: Clients) -> None:
    client = await clients.listening(channel_of(USER))
    await write_webhook(web, "of.another.version")
    await write(web, 0, 1)
    with structlog.testing.capture_logs() as logs:
        async with sender(web) as each, running(each):
            assert (await client.receive())["data"]["slug"] == "s0"
            while await unsent(web) > 1:
                await asyncio.sleep(0.02)
            while not logs:
                await asyncio.sleep(0.02)
    assert await topics_unsent(web) == ["of.another.version"]
    assert logs[0] == {
        "event": "outbox.unknown_topic",
        "log_level": "error",
        "topic": "of.another.version",
        "unsent": 1,
    }
