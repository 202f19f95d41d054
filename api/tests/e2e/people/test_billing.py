"""Choosing a plan, paying for it and changing it, as people do it in the browser."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.people.plans.service import set_contract
from api.people.teams.models import Team, TeamRole
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.testing.admins import promote
from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.axe import violations
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.sites.files import send_events, write
from api.testing.sites.site import Person, Site, running_site
from api.testing.sites.teams import SharedFile
from api.testing.stripe.client import ASKS, FAILS, PAYS, official_client
from api.testing.stripe.server import StripeServer, running_stripe
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, StripeServer]]:
    """The product with billing, and the stand-in that it pays at."""
    ui = PROJECT / "ui" / "dist"
    if not (ui / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    port = free_port()
    with (
        running_stripe(webhook=f"http://127.0.0.1:{port}/api/billing/webhook") as server,
        running_site(tmp_path_factory.mktemp("bank"), ui, port=port, **server.settings) as site,
    ):
        site.call(sync_prices(Gateway(site.settings)))
        official_client(server).v1.coupons.create(
            {"id": "WELCOME", "percent_off": 20, "duration": "repeating", "duration_in_months": 3}
        )
        yield site, server


@pytest.fixture
def page(chromium: Browser, bank: tuple[Site, StripeServer]) -> Iterator[Page]:
    with watched_page(chromium, bank[0].url) as opened:
        yield opened


async def _verify(site: Site) -> None:
    async with site.state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=utc_now()))


def arrive(page: Page, site: Site, name: str) -> None:
    """Register, confirm the address, and come to the choice of a plan."""
    page.goto("/register")
    sign_up(page, site, name)
    page.wait_for_url("**/onboarding/billing", timeout=WORK_MS)


def sign_up(page: Page, site: Site, name: str) -> None:
    """Fill in the form that is open, confirm the address, and go to the files."""
    email = f"{name}.{id(page)}@example.com"
    page.locator("input[name=name]").fill(name.title())
    page.locator("input[name=email]").fill(email)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("input[name=password_confirmation]").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url(re.compile("/(onboarding|email)/"), timeout=WORK_MS)
    site.call(_verify(site))
    page.goto("/dashboard")


@pytest.mark.long
def test_a_newcomer_with_free_minutes_needs_no_card_until_they_want_a_plan(
    page: Page, bank: tuple[Site, StripeServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    site, _ = bank
    monkeypatch.setattr(site.state.settings, "free_minutes", 60)
    page.goto("/register")
    expect(page.get_by_text("You start with 60 free minutes for 30 days, without a card.")).to_be_visible()
    sign_up(page, site, "nina")
    page.wait_for_url("**/dashboard", timeout=WORK_MS)
    page.goto("/subscription")
    notice = page.get_by_test_id("free-minutes")
    expect(notice).to_contain_text("You work with free minutes")
    expect(notice).to_contain_text("0 of 60 minutes")
    assert violations(page) == []
    notice.get_by_role("link", name="Choose a plan").click()
    page.wait_for_url("**/onboarding/billing")
    expect(page.get_by_role("link", name="Back to your files")).to_be_visible()
    buy(page, "Creator")
    page.wait_for_url("**/dashboard", timeout=WORK_MS)
    page.goto("/subscription")
    expect(page.get_by_test_id("plan")).to_have_text("Creator")
    # What was left of the free minutes comes on top.
    expect(page.get_by_text(re.compile("0 of 960 minutes"))).to_be_visible(timeout=WORK_MS)
    page.goto("/minutes")
    expect(page.get_by_test_id("grant").filter(has_text="Free minutes")).to_contain_text("60")


def type_card(page: Page, number: str) -> None:
    page.get_by_label("Card number").fill(number, timeout=WORK_MS)
    page.get_by_label("Expiry date").fill("12 / 34")
    page.get_by_label("Security code").fill("123")


def buy(page: Page, label: str, number: str = PAYS) -> None:
    page.get_by_role("radio", name=re.compile(label)).check(force=True, timeout=WORK_MS)
    type_card(page, number)
    page.get_by_role("button", name=re.compile("and subscribe")).click()


def test_from_a_new_account_to_a_paid_plan_and_its_invoice(page: Page, bank: tuple[Site, StripeServer]) -> None:
    arrive(page, bank[0], "paula")
    expect(page.get_by_text("Demonstration: no card is charged")).to_be_visible(timeout=WORK_MS)
    expect(page.get_by_label("Card number")).to_be_visible()
    assert violations(page) == []
    buy(page, "Producer")
    page.wait_for_url("**/dashboard", timeout=WORK_MS)
    page.goto("/subscription")
    expect(page.get_by_test_id("plan")).to_have_text("Producer", timeout=WORK_MS)
    expect(page.get_by_test_id("card")).to_contain_text("visa ending in 4242")
    row = page.get_by_test_id("invoice")
    expect(row).to_contain_text("$49")
    expect(row).to_contain_text("Paid")
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download invoice").click()
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.long
def test_the_bank_asks_and_a_refusal_can_be_tried_again(page: Page, bank: tuple[Site, StripeServer]) -> None:
    arrive(page, bank[0], "sara")
    expect(page.get_by_text("Your bank may ask you twice")).to_be_visible(timeout=WORK_MS)
    buy(page, "Creator", ASKS)
    page.get_by_role("button", name="Yes, pay").click(timeout=WORK_MS)
    # Saving the card was one question; the payment is another.
    page.get_by_role("button", name="Fail").click(timeout=WORK_MS)
    expect(page.get_by_role("alert")).to_contain_text("unable to authenticate", timeout=WORK_MS)
    page.goto("/subscription")
    expect(page.get_by_text("Your first payment is missing")).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Pay $19 now").click()
    page.get_by_role("button", name="Yes, pay").click(timeout=WORK_MS)
    expect(page.get_by_text("Your first payment is missing")).to_be_hidden(timeout=WORK_MS)
    expect(page.get_by_test_id("plan")).to_have_text("Creator")


@pytest.mark.long
def test_a_declined_card_says_so_and_another_one_pays(page: Page, bank: tuple[Site, StripeServer]) -> None:
    arrive(page, bank[0], "dora")
    buy(page, "Creator", FAILS)
    expect(page.get_by_role("alert")).to_contain_text("Your card was declined.", timeout=WORK_MS)
    buy(page, "Creator")
    page.wait_for_url("**/dashboard", timeout=WORK_MS)


@pytest.mark.long
def test_up_down_back_cancelled_and_kept(page: Page, bank: tuple[Site, StripeServer]) -> None:
    arrive(page, bank[0], "uma")
    page.get_by_role("radio", name=re.compile("Creator")).check(force=True, timeout=WORK_MS)
    page.get_by_role("button", name="I have a coupon").click()
    page.get_by_label("Coupon").fill("WELCOME")
    page.get_by_role("button", name="Apply").click()
    # The button names what is charged, and the line below what comes after the discount.
    expect(page.get_by_test_id("order")).to_have_text("Pay $15.20 and subscribe", timeout=WORK_MS)
    expect(page.get_by_text(re.compile(r"After that it costs \$15\.20 a month until .*, then \$19"))).to_be_visible()
    buy(page, "Creator")
    page.wait_for_url("**/dashboard", timeout=WORK_MS)
    page.goto("/subscription")
    expect(page.get_by_test_id("invoice")).to_contain_text("$15.20", timeout=WORK_MS)
    expect(page.get_by_text(re.compile(r"Renews on .* for \$15\.20"))).to_be_visible()
    expect(page.get_by_text("0 of 900 minutes used")).to_be_visible(timeout=WORK_MS)

    page.get_by_role("radio", name=re.compile("Producer")).check(force=True, timeout=WORK_MS)
    page.get_by_role("button", name="Change plan").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("Remaining time on Sagascript Producer")).to_be_visible(timeout=WORK_MS)
    confirm = dialog.get_by_role("button", name=re.compile(r"Pay \$\d+(\.\d\d)? and change"))
    amount = re.findall(r"\$[\d.]+", confirm.inner_text())[0]
    expect(dialog.get_by_text(re.compile(r"\$39\.20 a month until .*, then \$49"))).to_be_visible()
    confirm.click()
    expect(page.get_by_test_id("plan")).to_have_text("Producer", timeout=WORK_MS)
    expect(page.get_by_test_id("invoice").first).to_contain_text(amount, timeout=WORK_MS)
    expect(page.get_by_text("of 3,000 minutes used")).to_be_visible(timeout=WORK_MS)
    expect(page.get_by_text("Subscription tier was successfully changed")).to_be_visible(timeout=WORK_MS)

    page.get_by_role("radio", name=re.compile("Personal")).check(force=True)
    page.get_by_role("button", name="Change plan").click()
    expect(dialog.get_by_text("Nothing is charged now")).to_be_visible(timeout=WORK_MS)
    dialog.get_by_role("button", name="Change", exact=True).click()
    waiting = page.get_by_text("Your plan changes to Personal")
    expect(waiting).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Take the change back").click()
    expect(waiting).to_be_hidden(timeout=WORK_MS)

    page.get_by_role("button", name="Cancel subscription").click()
    dialog.get_by_role("button", name="Cancel subscription").click()
    expect(page.get_by_text("Your subscription ends on")).to_be_visible(timeout=WORK_MS)
    page.get_by_role("button", name="Keep the subscription").click()
    expect(page.get_by_text("Your subscription ends on")).to_be_hidden(timeout=WORK_MS)
    expect(page.get_by_test_id("plan")).to_have_text("Producer")


@pytest.mark.long
def test_without_a_plan_settings_and_admin_open_and_a_lost_team_is_explained(
    page: Page, bank: tuple[Site, StripeServer], tmp_path: Path
) -> None:
    site, _server = bank
    page.on("dialog", lambda dialog: dialog.accept())
    arrive(page, site, "mary")
    expect(page.get_by_role("link", name="Admin")).to_have_count(0)
    page.get_by_role("link", name="Your settings").click()
    expect(page.get_by_role("heading", level=1, name="Settings")).to_be_visible(timeout=WORK_MS)
    page.get_by_role("tab", name="Your data").click()
    expect(page.get_by_role("button", name="Delete my account")).to_be_visible(timeout=WORK_MS)

    mary = page.evaluate("fetch('/api/user').then((answer) => answer.json()).then(({ data }) => data.id)")
    olga = site.sign_up("Olga", tmp_path / "olga.json", f"olga.{id(page)}@example.com")
    write(site, lambda session: unlimited(session, olga))
    shared = SharedFile(site, olga, uuid.UUID(mary), "So the men move on")
    shared.give(TeamRole.EDITOR)
    write(site, lambda session: pay(session, shared.team_id, olga))
    editor = EditorPage(page, shared.slug).open()
    refused: list[str] = []
    page.on(
        "response",
        lambda answer: (
            refused.append(f"{answer.status} {answer.request.method} {answer.url}") if answer.status >= 400 else None
        ),
    )
    page.route("**/api/files/captions/*", lambda route: route.abort() if is_change(route) else route.continue_())
    editor.go_into(0, 18)
    editor.type(" together")
    shared.remove()
    send_events(site)
    lost = page.get_by_test_id("access-lost")
    expect(lost.get_by_role("alert").first).to_contain_text("You are no longer in the team Crew.", timeout=WORK_MS)
    expect(lost.get_by_test_id("left-text")).to_be_visible(timeout=WORK_MS)
    assert page.url.endswith(f"/captions/{shared.slug}")
    # The calls that were on their way are refused, and then there is silence: presence alone asked once a second.
    silent_s = 0
    while silent_s < 3:
        refused.clear()
        page.wait_for_timeout(1000)
        silent_s = 0 if refused else silent_s + 1
    lost.get_by_role("link", name="See plans").click()
    page.wait_for_url("**/onboarding/billing", timeout=WORK_MS)

    site.call(promote(site.state, uuid.UUID(mary)))
    page.reload()
    page.get_by_role("link", name="Admin").click()
    page.wait_for_url("**/admin/dashboard", timeout=WORK_MS)
    page.goto(f"/teams/browseas-{olga}")
    expect(page.get_by_role("button", name="Browse as this account")).to_be_visible(timeout=WORK_MS)


async def unlimited(session: AsyncSession, user_id: uuid.UUID) -> None:
    await set_contract(
        session, user_id, price_monthly=0, price_minutes=0, max_seconds=None, max_space=None, max_users=None
    )


async def pay(session: AsyncSession, team_id: uuid.UUID, payer_id: uuid.UUID) -> None:
    await session.execute(update(Team).where(Team.id == team_id).values(payer_id=payer_id))


def is_change(route: Route) -> bool:
    return route.request.method == "POST"


@pytest.mark.long
def test_without_billing_its_pages_lead_to_the_dashboard(chromium: Browser, site: Site, grace: Person) -> None:
    with watched_page(chromium, site.url, cookies=grace.cookies) as page:
        for path in ("/subscription", "/onboarding/billing"):
            page.goto(path)
            page.wait_for_url("**/dashboard", timeout=WORK_MS)
        page.get_by_role("button", name="Your account").click()
        expect(page.get_by_role("menuitem", name="Files")).to_be_visible()
        expect(page.get_by_role("menuitem", name="Subscription")).to_have_count(0)
    assert httpx2.get(f"{site.url}/api/config", trust_env=False, timeout=PATIENCE_S).json()["data"]["billing"] is None
