"""What is recorded in account logs reaches the webhooks of whoever it is about, and the log of the process."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest
import structlog

from api.people.webhooks.log_entries import log_delivery
from api.platform.http.state import AppState
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.webhooks.events import EventType
from api.testing.browser import PASSWORD, Browser
from api.testing.processes.webhook_receiver import WebhookReceiver
from api.testing.teams import join, new_team
from api.tests.webhooks.calls import add, deliveries, send_all

ENTRIES = [EventType.LOG_ENTRY]


async def send(state: AppState) -> list[Any]:
    """Do at once what the dispatcher does. Returns what it logged."""
    delivery = log_delivery(state.database)
    sender = OutboxSender(state.database, [delivery])
    with structlog.testing.capture_logs() as logs:
        while await sender.send_batch(delivery):
            pass
    await send_all(state)
    return [each for each in logs if each["event"] == "audit.entry"]


async def test_a_teams_webhook_hears_of_the_team(
    ada: Browser, bob: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    team, other = await new_team(ada), await new_team(ada, "Other")
    await send(state)
    webhook = await add(ada, receiver.url, ENTRIES, team_id=team)
    elsewhere = await add(ada, f"{receiver.url}?other", ENTRIES, team_id=other)
    await join(state, ada, team, bob)
    logged = await send(state)
    mine = [each for each in receiver.messages if "other" not in each.path]
    said = sorted((each.verified(webhook["secret"])["data"]["entry"] for each in mine), key=itemgetter("at"))
    assert [(each["action"], each["by"], each["team_id"]) for each in said] == [
        ("webhook.added", "ada@example.com", team),
        ("invitation.sent", "ada@example.com", team),
        ("member.joined", "bob@example.com", team),
    ]
    assert said[2]["sentence"] == "Bob joined Newsroom as editor"
    assert [each["event"] for each in await deliveries(ada, elsewhere)] == ["log.entry"], "its own beginning"
    assert {"action": "member.joined", "team_id": team}.items() <= logged[-1].items()
    assert not any("@" in str(value) for each in logged for value in each.values())
    assert await send(state) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_ones_own_webhook_hears_of_ones_account_and_of_nobody_elses(
    ada: Browser, bob: Browser, state: AppState, receiver: WebhookReceiver
) -> None:
    await send(state)
    webhook = await add(ada, receiver.url, ENTRIES)
    for browser in (ada, bob):
        await browser.post("/login", json={"email": browser.user["email"], "password": PASSWORD})
    await send(state)
    said = [each.verified(webhook["secret"])["data"]["entry"] for each in receiver.messages]
    assert sorted(each["action"] for each in said) == ["account.signed_in", "webhook.added"]
