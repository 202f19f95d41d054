"""Minutes in a browser: what is left, what used them, extra minutes, and what an upload will use."""

from __future__ import annotations

import uuid
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import update

from api.content.files.models import File, FileStatus
from api.people.plans.models import Subscription
from api.people.plans.tiers import FOR_SALE, PLANS
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import WORK_MS, watched_page
from api.testing.ledger import Ledger
from api.testing.sites.site import Person, Site, running_site

MINUTE = 60
QUOTA = "This needs 42 min, and 12 min of your 300 min are left. Choose a larger plan, then start it again."


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The web process with billing on."""
    if not (PROJECT / "ui" / "dist" / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    with running_site(tmp_path_factory.mktemp("shop"), PROJECT / "ui" / "dist", billing=True) as running:
        yield running


@pytest.fixture
def customer(shop: Site, tmp_path: Path) -> Person:
    """A person with the Personal plan, of whose 300 minutes 42 are used and 4 are reserved."""
    cookies = tmp_path / "cookies.json"
    person = Person(shop.sign_up(f"Ada{uuid.uuid4().hex[:8]}", cookies), cookies)
    shop.call(_subscribe(shop.state, person.user_id))
    shop.call(_use(shop.state, person.user_id))
    return person


async def _subscribe(state: AppState, user_id: uuid.UUID) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == user_id).values(email_verified_at=User.created_at))
        session.add(
            Subscription(
                user_id=user_id, stripe_id=uuid.uuid4().hex, tier="personal", period="monthly", status="active"
            )
        )


async def _use(state: AppState, user_id: uuid.UUID) -> None:
    ledger = Ledger(state.database)
    await ledger.grant(user_id, 300 * MINUTE)
    file = await _file(state, user_id, "Morning news", FileStatus.COMPLETED)
    await ledger.settle(await ledger.reserve(user_id, 42 * MINUTE, file_id=file.id))
    await ledger.reserve(user_id, 4 * MINUTE, file_id=file.id)


async def _file(state: AppState, user_id: uuid.UUID, name: str, status: FileStatus, **values: str) -> File:
    async with state.database.write() as session:
        file = File(
            user_id=user_id, name=name, filename="a.mp4", original_key="none", language="en-US", status=status, **values
        )
        session.add(file)
    return file


@pytest.fixture
def page(chromium: Browser, shop: Site, customer: Person) -> Iterator[Page]:
    with watched_page(chromium, shop.url, cookies=customer.cookies) as opened:
        yield opened


def test_the_page_shows_what_is_left_and_what_used_it(page: Page) -> None:
    page.goto("/dashboard")
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("menuitem", name="Minutes").click()
    expect(page.get_by_test_id("minutes-left")).to_have_text("254 min of 300 min left")
    expect(page.get_by_test_id("grant")).to_contain_text("Plan")
    movements = page.get_by_test_id("movement")
    expect(movements).to_have_count(2)
    expect(movements.nth(1)).to_contain_text("Used")
    expect(movements.nth(1)).to_contain_text("42 min")
    expect(movements.nth(1).get_by_role("link", name="Morning news")).to_be_visible()
    expect(page.get_by_test_id("month-usage")).to_contain_text("42 min")
    page.get_by_role("switch", name="Show every reservation").click()
    expect(movements).to_have_count(3)
    with page.expect_download() as download:
        page.get_by_role("link", name="Export CSV").click()
    assert download.value.path().read_text(encoding="utf-8-sig").startswith("Time,What,Work,File")

    page.get_by_role("switch", name="Use extra minutes").click()
    page.get_by_label("At most each month").fill("25")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Extra minutes are on.")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Use extra minutes")).to_be_checked()
    expect(page.get_by_label("At most each month")).to_have_value("$25")

    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.long
def test_an_upload_says_what_it_will_use(page: Page, tmp_path: Path) -> None:
    # The bytes wait, so that the row stays while the test reads it.
    page.route("**/tus/**", lambda _route: None)
    page.goto("/dashboard")
    page.get_by_test_id("upload-input").set_input_files(_silence(tmp_path / "short.wav", 90))
    quote = page.get_by_test_id("upload-quote")
    expect(quote).to_contain_text("2 min of your 300 min; 252 min will be left. Your plan does not change.")
    page.get_by_test_id("upload-input").set_input_files(
        [_silence(tmp_path / "long.wav", 200 * MINUTE), _silence(tmp_path / "longer.wav", 60 * MINUTE)]
    )
    expect(quote).to_have_attribute("data-fits", "false")
    expect(quote).to_contain_text("Choose a larger plan")


@pytest.mark.long
def test_a_file_that_waits_for_minutes_can_be_started_again(page: Page, shop: Site, customer: Person) -> None:
    shop.call(
        _file(
            shop.state,
            customer.user_id,
            "Long talk",
            FileStatus.FAILED,
            error=QUOTA,
            error_code="quota_exceeded",
            audio_key="files/a/audio.wav",
        )
    )
    page.goto("/captions")
    card = page.get_by_test_id("file").filter(has_text="Long talk")
    expect(card).to_contain_text("Waits for minutes")
    expect(card).to_contain_text(QUOTA)
    expect(card.get_by_role("link", name="See your minutes")).to_have_attribute("href", "/minutes")
    card.get_by_role("button", name="Start again").click()
    expect(card).to_have_attribute("data-status", "transcribing")


@pytest.mark.long
def test_visitors_see_the_plans_before_they_register(shop: Site, chromium: Browser) -> None:
    with watched_page(chromium, shop.url) as page:
        page.goto("/")
        cards = page.get_by_test_id("plan")
        expect(cards).to_have_count(len(FOR_SALE))
        for index, tier in enumerate(FOR_SALE):
            plan = PLANS[tier]
            expect(cards.nth(index)).to_contain_text(plan.label)
            expect(cards.nth(index)).to_contain_text(f"${plan.price_monthly // 100} a month")
            expect(cards.nth(index)).to_contain_text(f"{plan.minutes:,} minutes a month")
        assert violations(page) == []
        page.get_by_text("Yearly, save").click()
        expect(cards.first).to_contain_text(f"${PLANS[FOR_SALE[0]].price_yearly // 100} a year")
        page.set_viewport_size({"width": 360, "height": 740})
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        cards.first.get_by_role("link", name="Start with").click()
        page.wait_for_url("**/register")


@pytest.mark.long
def test_settings_and_teams_lead_to_their_minutes(page: Page) -> None:
    page.goto("/settings")
    page.get_by_role("main").get_by_role("link", name="Minutes").click()
    page.wait_for_url("**/minutes")
    page.goto("/teams")
    page.get_by_role("button", name="Create a team").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Night desk")
    dialog.get_by_role("button", name="Create team").click()
    page.get_by_role("main").get_by_role("link", name="Minutes").click()
    page.wait_for_url("**/minutes?team=*")
    expect(page.get_by_test_id("minutes-left")).to_be_visible()


def _silence(path: Path, seconds: int) -> Path:
    """A file of silence, 3,000 bytes a second."""
    with wave.open(str(path), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(3000)
        sound.writeframes(b"\x80" * 3000 * seconds)
    return path


@pytest.mark.long
def test_an_administrator_corrects_a_grant(chromium: Browser, shop: Site, customer: Person, tmp_path: Path) -> None:
    cookies = tmp_path / "root.json"
    admin = Person(shop.sign_up(f"Root{uuid.uuid4().hex[:8]}", cookies), cookies)
    shop.call(promote(shop.state, admin.user_id))
    shop.call(_verify(shop.state, admin.user_id))
    with watched_page(chromium, shop.url, cookies=cookies) as page:
        page.goto(f"/admin/users/{customer.user_id}")
        grant = page.get_by_test_id("grant")
        expect(grant).to_contain_text("Plan, 254 min of 300 min left", timeout=WORK_MS)
        grant.get_by_role("button", name="Correct Plan, 300 min").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Minutes").fill("-255")
        dialog.get_by_label("Reason").fill("Counted twice")
        expect(dialog.get_by_text("Only what is left of a grant can be taken back.")).to_be_visible()
        expect(dialog.get_by_role("button", name="Continue")).to_be_disabled()
        dialog.get_by_label("Minutes").fill("-4")
        dialog.get_by_role("button", name="Continue").click()
        expect(dialog).to_contain_text("Take back 4 min? 250 min will be left.")
        dialog.get_by_role("button", name="Correct", exact=True).click()
        expect(grant).to_contain_text("Plan, 250 min of 296 min left", timeout=WORK_MS)
        log = page.get_by_role("region", name="Account log")
        expect(log).to_contain_text("Corrected a grant by -240 seconds. Reason: Counted twice", timeout=WORK_MS)
    assert shop.call(Ledger(shop.state.database).violations()) == []


async def _verify(state: AppState, user_id: uuid.UUID) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == user_id).values(email_verified_at=User.created_at))
