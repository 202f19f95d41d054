"""Messages from the event to the receiver: signed, repeated, given up, and never lost on the way."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from standardwebhooks import WebhookVerificationError

from api.people.webhooks.delivery import WebhookSender
from api.people.webhooks.models import WebhookDelivery, WebhookEndpoint
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.webhooks.events import EventType
from api.platform.webhooks.limits import NOTICE_AFTER, OFF_AFTER, RETRY_S
from api.testing.browser import PASSWORD, Browser
from api.testing.files.transcribed import captioned_file
from api.testing.mailbox import Mailbox
from api.testing.processes.webhook_receiver import WebhookReceiver
from api.tests.webhooks.calls import add, deliveries, make_due, send_all

DELETED = [EventType.FILE_DELETED]

on_one_database = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For tests of what no database does differently."""


async def delete_file(state: AppState, browser: Browser) -> str:
    """Cause one event `file.deleted`; return the file's slug."""
    file = await captioned_file(state, browser.user_id, "One line.")
    assert (await browser.delete(f"/api/files/{file.slug}")).status_code == 204
    return file.slug


async def test_a_message_arrives_signed(ada: Browser, state: AppState, receiver: WebhookReceiver) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    slug = await delete_file(state, ada)
    await send_all(state)
    (received,) = receiver.messages
    said = received.verified(webhook["secret"])
    assert (said["type"], said["version"], said["data"]["file"]["id"]) == ("file.deleted", 1, slug)
    assert said["data"]["permanent"] is False
    (delivery,) = await deliveries(ada, webhook)
    assert delivery["message_id"] == received.headers["webhook-id"]
    assert (delivery["state"], delivery["status_code"], delivery["next_attempt_at"]) == ("delivered", 204, None)
    assert delivery["body"] == said
    with pytest.raises(WebhookVerificationError):
        received.verified("whsec_" + "A" * 44)


@on_one_database
async def test_the_database_alone_does_not_hold_the_secret(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url)
    async with state.database.read() as session:
        (row,) = (await session.scalars(select(WebhookEndpoint))).all()
    assert webhook["secret"] not in row.secret
    (listed,) = (await ada.get("/api/webhooks")).json()["data"]
    assert "secret" not in listed


@pytest.mark.long
async def test_a_failure_is_tried_again_for_a_day_with_the_same_message(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    receiver.answers = [500, 503]
    await delete_file(state, ada)
    sender = WebhookSender(state.database, state.settings)
    await sender.send_due()
    (delivery,) = await deliveries(ada, webhook)
    assert (delivery["state"], delivery["attempts"], delivery["error"]) == ("waiting", 1, "The server answered 500.")
    assert delivery["next_attempt_at"] > delivery["attempted_at"]
    # Not due yet.
    async with state.database.write() as session:
        await session.execute(update(WebhookDelivery).values(due_at=utc_now() + timedelta(hours=1)))
    assert await sender.send_due() == 0
    for _ in range(2):
        await make_due(state)
        await sender.send_due()
    assert [each.verified(webhook["secret"])["type"] for each in receiver.messages] == ["file.deleted"] * 3
    assert len({each.headers["webhook-id"] for each in receiver.messages}) == 1
    assert len({each.body for each in receiver.messages}) == 1
    (delivery,) = await deliveries(ada, webhook)
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 3)
    assert 23.5 * 3600 < sum(RETRY_S) < 24.5 * 3600


@pytest.mark.long
@on_one_database
async def test_a_delivery_that_failed_for_a_day_is_given_up_and_can_be_sent_again(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    receiver.usual = 500
    await delete_file(state, ada)
    for _ in range(len(RETRY_S) + 1):
        await make_due(state)
        await WebhookSender(state.database, state.settings).send_due()
    (delivery,) = await deliveries(ada, webhook)
    assert (delivery["state"], delivery["attempts"], delivery["next_attempt_at"]) == ("failed", len(RETRY_S) + 1, None)
    (listed,) = (await ada.get("/api/webhooks")).json()["data"]
    assert listed["problem"]
    receiver.usual = 200
    again = await ada.post(f"/api/webhooks/{webhook['id']}/deliveries/{delivery['id']}/resend")
    assert again.status_code == 202, again.text
    await send_all(state)
    (delivery,) = await deliveries(ada, webhook)
    assert (delivery["state"], delivery["status_code"], delivery["error"]) == ("delivered", 200, None)
    assert len({each.headers["webhook-id"] for each in receiver.messages}) == 1
    (listed,) = (await ada.get("/api/webhooks")).json()["data"]
    assert listed["problem"] is None


async def age_failures(state: AppState, by: timedelta) -> None:
    async with state.database.write() as session:
        await session.execute(update(WebhookEndpoint).values(failing_since=utc_now() - by - timedelta(minutes=1)))


@pytest.mark.long
@on_one_database
async def test_people_get_a_mail_after_a_day_and_another_when_it_is_turned_off(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    receiver.usual = 500
    await delete_file(state, ada)
    await send_all_once(state)
    mailbox = Mailbox(state)
    assert (
        await mailbox.letters("ada@example.com") == []
        or "webhook" not in (await mailbox.newest("ada@example.com")).subject
    )
    for wait in (NOTICE_AFTER, NOTICE_AFTER, OFF_AFTER):
        await age_failures(state, wait)
        await send_all_once(state)
    letters = [each for each in await mailbox.letters("ada@example.com") if "webhook" in each.subject]
    assert [each.subject for each in letters] == [
        "Your webhook to 127.0.0.1 does not answer",
        "We turned off your webhook to 127.0.0.1",
    ]
    assert letters[0].links == (f"{state.settings.base_url}/settings?section=webhooks",)
    (listed,) = (await ada.get("/api/webhooks")).json()["data"]
    assert listed["is_enabled"] is False
    assert "five days" in listed["problem"]
    (delivery,) = await deliveries(ada, webhook)
    assert delivery["state"] == "failed"
    # What happens meanwhile is not kept for it.
    await delete_file(state, ada)
    assert len(await deliveries(ada, webhook)) == 1
    on = await ada.patch(f"/api/webhooks/{webhook['id']}", json={"is_enabled": True})
    assert (on.json()["data"]["problem"], on.json()["data"]["is_enabled"]) == (None, True)


async def send_all_once(state: AppState) -> None:
    await make_due(state)
    await WebhookSender(state.database, state.settings).send_due()


@on_one_database
async def test_a_receiver_that_wants_nothing_more_is_turned_off(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    await add(ada, receiver.url, DELETED)
    receiver.usual = 410
    await delete_file(state, ada)
    await send_all(state)
    (listed,) = (await ada.get("/api/webhooks")).json()["data"]
    assert listed["is_enabled"] is False
    assert "410" in listed["problem"]
    assert len(receiver.messages) == 1


@pytest.mark.long
@on_one_database
async def test_a_new_secret_leaves_time_to_change_the_receiver(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    newer = (await ada.post(f"/api/webhooks/{webhook['id']}/secret")).json()["data"]
    assert newer["secret"] != webhook["secret"]
    await delete_file(state, ada)
    await send_all(state)
    (both,) = receiver.messages
    assert both.verified(webhook["secret"]) == both.verified(newer["secret"])
    async with state.database.write() as session:
        await session.execute(update(WebhookEndpoint).values(former_until=utc_now() - timedelta(seconds=5)))
    await delete_file(state, ada)
    await send_all(state)
    only_newer = receiver.messages[-1]
    assert only_newer.verified(newer["secret"])
    with pytest.raises(WebhookVerificationError):
        only_newer.verified(webhook["secret"])


@pytest.mark.long
async def test_a_dispatcher_that_dies_after_sending_loses_nothing(
    ada: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    await delete_file(state, ada)
    dead = WebhookSender(state.database, state.settings)
    (claim,) = await dead._claim()
    assert await WebhookSender(state.database, state.settings).send_due() == 0
    await make_due(state)
    assert await WebhookSender(state.database, state.settings).send_due() == 1
    # The first one was only slow, and its outcome comes last.
    receiver.usual = 500
    await dead._deliver(claim)
    (delivery,) = await deliveries(ada, webhook)
    assert (delivery["state"], delivery["attempts"]) == ("delivered", 2)
    assert len(receiver.messages) == 2


@pytest.mark.long
async def test_two_dispatchers_send_each_message_once(ada: Browser, state: AppState, receiver: WebhookReceiver) -> None:
    webhook = await add(ada, receiver.url, DELETED)
    for _ in range(5):
        await delete_file(state, ada)
    senders = [WebhookSender(state.database, state.settings) for _ in range(2)]
    for _ in range(5):
        await asyncio.gather(*(sender.send_due() for sender in senders))
    assert len({each.headers["webhook-id"] for each in receiver.messages}) == len(receiver.messages) == 5
    assert {each["state"] for each in await deliveries(ada, webhook)} == {"delivered"}


@pytest.mark.long
async def test_changes_of_captions_are_one_message(ada: Browser, state: AppState, receiver: WebhookReceiver) -> None:
    webhook = await add(ada, receiver.url, [EventType.CAPTIONS_CHANGED])
    file = await captioned_file(state, ada.user_id, "One line.")
    for text in ("First.", "Second.", "Third."):
        captions = (await ada.get(f"/api/files/captions/{file.slug}")).json()["data"]
        line = captions["lines"][0]["id"]
        body = {"action": "Edit", "issued": captions["revision"], "line": line, "content": text}
        answer = await ada.post(f"/api/files/captions/{file.slug}", json=body)
        assert answer.status_code == 200, answer.text
    assert await WebhookSender(state.database, state.settings).send_due() == 0
    assert len(await deliveries(ada, webhook)) == 1
    await send_all(state)
    assert len(receiver.messages) == 1
    assert receiver.messages[0].verified(webhook["secret"])["data"]["languages"] == ["en-US"]


@on_one_database
async def test_a_deleted_account_sends_nothing(ada: Browser, state: AppState, receiver: WebhookReceiver) -> None:
    await add(ada, receiver.url, DELETED)
    await delete_file(state, ada)
    answer = await ada.request("DELETE", "/api/user", json={"password": PASSWORD, "confirmation": "ada@example.com"})
    assert answer.status_code == 200, answer.text
    await send_all(state)
    assert receiver.messages == []
