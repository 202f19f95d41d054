"""Stock pusher-js, in Node and in Chromium, against the real web process."""

from __future__ import annotations

import pytest

from api.platform.realtime.messages import channel_of
from api.platform.realtime.publisher import Publisher, event_for
from api.platform.realtime.relay import protocol
from api.testing.browser import Browser
from api.testing.realtime.clients import Web
from api.testing.realtime.pusher_js import (
    CONNECT,
    MESSAGE,
    REGISTER,
    ada,
    chromium_page,
    needs_pusher_js,
    node_client,
    send,
    target,
    until_seen,
)

__all__ = ["ada"]

pytestmark = needs_pusher_js


async def test_node_subscribes_and_gets_events(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id)) as client:
        await client.until("subscribed")
        await send(web, ada)
        assert await client.until("polling.files") == MESSAGE.to_wire()


async def test_node_with_a_wrong_key_gets_an_error_and_does_not_reconnect(web: Web) -> None:
    async with node_client(web, key="wrong") as client:
        assert (await client.until("error"))["code"] == 4001
        await client.until("state", "disconnected")


@pytest.mark.long
async def test_node_may_not_join_the_channel_of_somebody_else(web: Web, ada: Browser) -> None:
    async with web.browser() as bob:
        await bob.register("bob")
        async with node_client(web, ada, channel=channel_of(bob.user_id)) as client:
            assert "403" in (await client.until("subscription_error"))["error"]


async def test_node_with_a_forged_signature_gets_an_error(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id), forge=True) as client:
        assert (await client.until("subscription_error"))["status"] == 403


async def test_node_pings_when_nothing_arrives(web: Web) -> None:
    async with node_client(web, more={"activityTimeout": 300}) as client:
        await client.until("state", "connected")
        await client.until("message", "pusher:pong")


async def test_node_answers_a_ping_and_stays(web: Web) -> None:
    web.relay.activity_timeout_s = 0.3
    web.relay.pong_timeout_s = 10
    async with node_client(web) as client:
        for _ in range(3):
            await client.until("message", "pusher:ping")
        assert len(web.relay) == 1


@pytest.mark.long
async def test_node_reconnects_after_the_server_sent_it_away(web: Web, ada: Browser) -> None:
    async with node_client(web, ada, channel=channel_of(ada.user_id)) as client:
        await client.until("subscribed")
        web.relay.send_away(protocol.GOING_AWAY)
        await client.until("subscribed")
        await send(web, ada)
        assert (await client.until("polling.files"))["slug"] == "abc"


@pytest.mark.long
async def test_chromium_subscribes_with_its_cookies_and_gets_events(web: Web, ada: Browser) -> None:
    async with chromium_page(web) as page:
        user = await page.evaluate(REGISTER)
        refused = await page.evaluate(CONNECT, target(web, channel_of(ada.user_id)))
        assert refused["status"] == 403
        assert await page.evaluate(CONNECT, target(web, f"private-polling.{user}")) == "subscribed"
        async with Publisher(web.settings) as publisher:
            await publisher.publish([event_for(user, MESSAGE)])
        await until_seen(page, 1)
        assert await page.evaluate("window.seen[0]") == MESSAGE.to_wire()
