"""A site that sells plans, paid at the stand-in for Stripe: one person who chooses a plan, and one who has paid."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser
from sqlalchemy import update

from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.testing.sites.files import write
from api.testing.sites.site import Site, running_site
from api.testing.stripe.client import PAYS
from api.testing.stripe.server import running_stripe
from benchmarks.goals.chromium import PAGES
from benchmarks.goals.contact_sheet.screens import WITHIN_MS, Whose
from cluster.testing.ports import free_port


@contextmanager
def paying_site(scratch: Path, browser: Browser) -> Iterator[tuple[Site, dict[Whose, Path | None]]]:
    """The site, and the cookies of its two people."""
    port = free_port()
    with (
        running_stripe(webhook=f"http://127.0.0.1:{port}/api/billing/webhook") as server,
        running_site(scratch / "bank", PAGES, port=port, **server.settings) as site,
    ):
        site.call(sync_prices(Gateway(site.settings)))
        buyer, payer = scratch / "buyer.json", scratch / "payer.json"
        site.sign_up("Bera", buyer, "bera@example.com")
        site.sign_up("Páll", payer, "pall@example.com")
        write(site, _confirm)
        _subscribe(site, browser, payer)
        yield site, {"buyer": buyer, "payer": payer}


async def _confirm(session: Any) -> None:
    await session.execute(update(User).values(email_verified_at=utc_now()))


def _subscribe(site: Site, browser: Browser, cookies: Path) -> None:
    """Take the plan Producer as people do."""
    context = browser.new_context(base_url=site.url, storage_state=cookies)
    page = context.new_page()
    page.goto("/onboarding/billing")
    page.get_by_role("radio", name=re.compile("Producer")).check(force=True, timeout=WITHIN_MS)
    page.get_by_label("Card number").fill(PAYS, timeout=WITHIN_MS)
    page.get_by_label("Expiry date").fill("12 / 34")
    page.get_by_label("Security code").fill("123")
    page.get_by_role("button", name=re.compile("Subscribe for")).click()
    page.wait_for_url("**/dashboard", timeout=WITHIN_MS)
    context.close()
