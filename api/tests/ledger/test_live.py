"""A live recording takes minutes while it runs, and ends when they do."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import update

from api.content.live.errors import OUT_OF_MINUTES
from api.content.live.models import LiveSession
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.live import LiveFlow, LivePage
from api.testing.ledger import Ledger

PER_MINUTE = 120
"""Pieces of half a second."""


async def recorded(state: AppState, page: LivePage, pieces: int) -> dict[str, object]:
    """As if so many pieces had come, and then one more."""
    async with state.database.write() as session:
        began_at = utc_now() - timedelta(seconds=pieces)
        await session.execute(update(LiveSession).values(pieces=pieces, began_at=began_at))
    return await page.sent(pieces)


async def test_minutes_are_reserved_bit_by_bit_and_only_what_was_recorded_is_charged(
    customer: Browser, state: AppState, shop: Ledger
) -> None:
    await shop.grant(customer.user_id, 3_600)
    page = await LivePage.begin(customer)
    assert (await shop.balance(customer.user_id)).available == 3_000
    flow = await LiveFlow.begin(state, page.slug)
    answer = await recorded(state, page, 6 * PER_MINUTE)
    assert answer["ends_at_ms"] == 12 * 3_600_000
    assert (await shop.balance(customer.user_id)).available == 2_400
    await page.end()
    await flow.finish(duration_ms=361_000)
    assert (await shop.balance(customer.user_id)).available == 3_600 - 361
    assert await shop.violations() == []


@pytest.mark.long
async def test_it_ends_when_the_minutes_do_and_says_so_before(customer: Browser, state: AppState, shop: Ledger) -> None:
    await shop.grant(customer.user_id, 660)
    page = await LivePage.begin(customer)
    answer = await recorded(state, page, 5 * PER_MINUTE)
    assert answer["ends_at_ms"] == 12 * 3_600_000, "there was one more minute"
    answer = await recorded(state, page, 6 * PER_MINUTE + 2)
    assert (answer["ends_at_ms"], answer["ends_why"]) == (660_000, OUT_OF_MINUTES)
    assert (await page.look())["live"]["state"] == "open"
    answer = await recorded(state, page, 11 * PER_MINUTE - 1)
    assert answer["next_piece"] == 11 * PER_MINUTE, "the last piece is kept"
    found = (await page.look())["live"]
    assert (found["state"], found["ends_why"]) == ("ended", OUT_OF_MINUTES)
    assert (await page.send(11 * PER_MINUTE)).status_code == 409
    assert await shop.violations() == []


@pytest.mark.long
async def test_without_a_minute_nothing_begins(customer: Browser, shop: Ledger) -> None:
    await shop.grant(customer.user_id, 59)
    answer = await customer.post("/api/live", json={"language": "en-US", "source": str(uuid.uuid4())})
    assert answer.status_code == 402
    assert (await customer.get("/api/live")).json()["data"] == []
    assert (await shop.balance(customer.user_id)).available == 59


@pytest.mark.long
async def test_a_recording_that_is_deleted_costs_nothing(customer: Browser, shop: Ledger) -> None:
    await shop.grant(customer.user_id, 1_200)
    page = await LivePage.begin(customer)
    await page.sent(0)
    assert (await customer.delete(f"/api/files/{page.slug}")).status_code < 300
    assert (await shop.balance(customer.user_id)).available == 1_200
    assert await shop.violations() == []
