"""A session that ends takes its realtime connections along, over the real relay."""

from __future__ import annotations

import uuid

import pytest

from api.people.access.event_delivery import end_delivery
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.realtime.messages import channel_of
from api.platform.realtime.publisher import Publisher
from api.testing.browser import PASSWORD, Browser
from api.testing.realtime.clients import Client, Clients, Web

ENDED = 4009


async def listen(browser: Browser, user_id: uuid.UUID, clients: Clients) -> Client:
    client = await clients.greeted()
    await subscribe(client, user_id, await sign(browser, user_id, client))
    assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"
    return client


async def sign(browser: Browser, user_id: uuid.UUID, client: Client) -> dict[str, str]:
    body = {"socket_id": client.socket_id, "channel_name": channel_of(user_id)}
    answer = await browser.post("/api/broadcasting/auth", json=body)
    assert answer.status_code == 200
    return dict(answer.json())


async def subscribe(client: Client, user_id: uuid.UUID, signed: dict[str, str]) -> None:
    await client.send("pusher:subscribe", channel=channel_of(user_id), **signed)


async def deliver(web: Web) -> None:
    async with Publisher(web.settings) as publisher:
        delivery = end_delivery(publisher)
        while await OutboxSender(web.state.database, [delivery]).send_batch(delivery):
            pass


async def test_signing_out_a_browser_ends_its_connection_and_no_other(web: Web, clients: Clients) -> None:
    async with web.browser() as desk, web.browser() as phone:
        await desk.register("ada")
        assert (await phone.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).is_success
        at_desk = await listen(desk, desk.user_id, clients)
        at_phone = await listen(phone, desk.user_id, clients)
        devices = (await desk.get("/api/user/sessions")).json()["data"]
        other = next(device["id"] for device in devices if not device["is_current"])
        assert (await desk.delete(f"/api/user/sessions/{other}")).status_code == 204
        await deliver(web)
        assert await at_phone.closed_with() == ENDED
        assert await at_desk.silent()


@pytest.mark.long
@pytest.mark.parametrize("how", ["sign out", "password", "everywhere", "deletion"])
async def test_whatever_ends_a_session_ends_its_connections(web: Web, clients: Clients, how: str) -> None:
    async with web.browser() as desk, web.browser() as phone:
        await desk.register("ada")
        assert (await phone.post("/login", json={"email": "ada@example.com", "password": PASSWORD})).is_success
        client = await listen(phone, desk.user_id, clients)
        match how:
            case "sign out":
                answer = await phone.post("/api/user/logout")
            case "password":
                new = "seven green bicycles"
                body = {"password_old": PASSWORD, "password": new, "password_confirmation": new}
                answer = await desk.put("/api/user/settings", json=body)
            case "everywhere":
                answer = await desk.delete("/api/user/sessions")
            case _:
                body = {"password": PASSWORD, "confirmation": "ada@example.com"}
                answer = await desk.request("DELETE", "/api/user", json=body)
        assert answer.is_success
        await deliver(web)
        assert await client.closed_with() == ENDED


async def test_a_signature_from_before_the_end_is_worth_nothing(web: Web, clients: Clients) -> None:
    async with web.browser() as desk:
        await desk.register("ada")
        client = await clients.greeted()
        signed = await sign(desk, desk.user_id, client)
        assert (await desk.post("/api/user/logout")).status_code == 204
        await deliver(web)
        await subscribe(client, desk.user_id, signed)
        assert (await client.receive())["event"] == "pusher:subscription_error"
        without = {"auth": signed["auth"]}
        await subscribe(client, desk.user_id, without)
        events = [(await client.receive())["event"] for _ in range(2)]
        assert "pusher:subscription_error" in events
        assert "pusher_internal:subscription_succeeded" not in events
