"""Lists, notices and toasts in a browser, over files in states that tests of real work reach only by accident."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import Upload, UploadStatus
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File, FileKind, FileStatus
from api.platform.db.base import utc_now
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.in_browser.pages import WORK_MS, file_status, wait_until, watched_page
from api.testing.sites.files import add_file, add_job, send_events, write
from api.testing.sites.site import Person, Site

LOST = "We were unable to connect to the messaging service. You may need to refresh your browser"
REASON = "The picture could not be read."


@pytest.fixture(scope="module")
def ann(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    cookies = tmp_path_factory.mktemp("cookies") / "ann.json"
    return Person(site.sign_up("Ann", cookies), cookies)


@pytest.fixture
def page(chromium: Browser, site: Site, ann: Person) -> Iterator[Page]:
    """Ann's browser, before she has any files. What the page reports as an error fails the test."""

    async def remove(session: AsyncSession) -> None:
        for table in (Job, File, Upload):
            await session.execute(delete(table).where(table.user_id == ann.user_id))

    write(site, remove)
    with watched_page(chromium, site.url, cookies=ann.cookies) as opened:
        yield opened


def open_notices(page: Page) -> None:
    page.get_by_role("button", name="Notifications").click()
    expect(page.get_by_test_id("notifications")).to_be_visible()


TO_THE_END = """() => {
    scrollTo(0, document.documentElement.scrollHeight);
    return [...document.querySelectorAll('[data-testid=file]')].at(-1)?.textContent.includes('Þingfundur');
}"""


@pytest.mark.long
def test_every_file_of_a_long_list_can_be_found(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    begin = utc_now() - timedelta(days=1)

    async def add(session: AsyncSession) -> None:
        session.add_all(
            File(
                user_id=user_id,
                name=f"talk {number}" if number else "Þingfundur",
                filename="a.mp4",
                original_key="none",
                language="is-IS",
                kind=FileKind.VIDEO if number % 2 else FileKind.AUDIO,
                status=FileStatus.FAILED if number == 7 else FileStatus.COMPLETED,
                created_at=begin + timedelta(seconds=number),
            )
            for number in range(105)
        )

    write(site, add)
    page.goto("/dashboard")
    cards = page.get_by_test_id("file")
    expect(page.get_by_text("105 files", exact=True)).to_be_visible()
    expect(cards.first).to_contain_text("talk 104")
    # Only the rows in view exist, and scrolling brings the others.
    assert cards.count() < 60
    # Until the code of a long list is there, and its rows are measured, the page is shorter.
    wait_until(page, TO_THE_END)
    expect(cards.last).to_contain_text("Þingfundur")

    page.get_by_role("combobox", name="Sort by").click()
    page.get_by_role("option", name="Oldest first").click()
    expect(cards.first).to_contain_text("Þingfundur")
    page.get_by_text("Failed or cancelled", exact=True).click()
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("talk 7")
    page.reload()
    expect(cards).to_have_count(1)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("105 files", exact=True)).to_be_visible()
    box = page.get_by_role("searchbox", name="Search names and captions")
    box.fill("þing")
    expect(page.get_by_test_id("found")).to_contain_text(["Þingfundur"])
    box.fill("no such name")
    expect(page.get_by_role("heading", name="No matches")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_text("105 files", exact=True)).to_be_visible()


def test_a_cancel_is_told_calmly(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    file = add_file(site, user_id, "talk", FileStatus.TRANSCRIBING)
    add_job(site, file, JobKind.TRANSCRIBE, JobState.READY)
    page.goto(f"/captions/processing/{file.slug}")
    open_notices(page)
    notice = page.get_by_test_id("notice")
    expect(notice).to_have_text("Preparing to transcribe your video.talk", timeout=WORK_MS)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Cancel", exact=True).click()
    expect(file_status(page)).to_have_attribute("data-status", "abandoned")
    send_events(site)
    open_notices(page)
    expect(notice).to_have_text("You cancelled 'talk'.", timeout=WORK_MS)
    expect(notice).to_have_attribute("data-type", "generic")
    expect(page.get_by_text("Something broke")).to_have_count(0)


@pytest.mark.long
def test_notices_of_work_survive_a_reload(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    file = add_file(site, user_id, "talk", FileStatus.TRANSCRIBING)
    add_job(site, file, JobKind.TRANSCRIBE, JobState.RUNNING, progress=55)
    for _ in range(2):
        page.goto("/dashboard")
        open_notices(page)
        notice = page.get_by_test_id("notice").filter(has_text="Started transcribing your video.")
        expect(notice.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "55", timeout=WORK_MS)


@pytest.mark.long
def test_an_export_of_a_finished_file_is_a_badge_of_its_own(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    file = add_file(site, user_id, "talk", FileStatus.COMPLETED)

    async def add(session: AsyncSession) -> None:
        session.add(
            Export(file_id=file.id, user_id=user_id, language="is-IS", status=ExportStatus.PROGRESSING, progress=40)
        )

    write(site, add)
    page.goto("/dashboard")
    card = page.get_by_test_id("file")
    expect(card.get_by_test_id("activity")).to_have_text("Exporting 40%")
    expect(card).to_have_attribute("data-status", "completed")
    open_notices(page)
    notice = page.get_by_test_id("notice")
    expect(notice).to_contain_text("Exporting 'talk' with Icelandic subtitles.", timeout=WORK_MS)
    expect(card).to_have_attribute("data-status", "completed")


@pytest.mark.long
def test_a_failed_playback_copy_says_why_and_is_made_again(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    file = add_file(site, user_id, "talk", FileStatus.COMPLETED, plays_in_browser=False)
    add_job(site, file, JobKind.ENCODING, JobState.FAILED, error=REASON)
    problem = page.get_by_test_id("playback-problem")
    for path in (f"/captions/processing/{file.slug}", f"/captions/{file.slug}"):
        page.goto(path)
        expect(problem).to_contain_text(f"We could not prepare this file for playback. {REASON}")
    problem.get_by_role("button", name="Try again").click()
    expect(page.get_by_text("Preparing the file for playback")).to_be_visible()
    expect(problem).to_have_count(0)

    async def look(session: AsyncSession) -> set[str]:
        return set(await session.scalars(select(Job.state).where(Job.subject_id == file.id)))

    assert JobState.READY in write(site, look)


@pytest.mark.long
def test_an_upload_of_another_browser_is_not_promised_to_continue(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id

    async def add(session: AsyncSession) -> None:
        session.add(
            Upload(
                user_id=user_id,
                tus_id="a" * 40,
                tus_url="/tus/" + "a" * 40,
                filename="talk.mp4",
                filesize=100,
                bytes_uploaded=40,
                language="is-IS",
                status=UploadStatus.INCOMPLETE,
            )
        )

    write(site, add)
    page.goto("/dashboard")
    expect(page.get_by_test_id("upload")).to_contain_text("This browser cannot resume it.")
    # What the uploader keeps while it sends, in its own form.
    entry = {"size": 100, "metadata": {}, "creationTime": "2026", "uploadUrl": f"{site.url}/tus/{'a' * 40}"}
    page.evaluate("entry => localStorage.setItem('tus::print::1', JSON.stringify(entry))", entry)
    page.reload()
    expect(page.get_by_test_id("upload")).to_contain_text("resume where it stopped")


@pytest.mark.long
def test_toasts_are_few_cover_no_file_and_go(page: Page, site: Site, ann: Person) -> None:
    user_id = ann.user_id
    add_file(site, user_id, "talk", FileStatus.COMPLETED)
    page.goto("/captions")
    card = page.get_by_test_id("file")
    expect(card).to_be_visible()
    refused: list[str] = []

    def refuse(route: Any) -> None:
        refused.append(route.request.url)
        route.fulfill(status=409, json={"message": f"Refusal {len(refused)}."})

    add_file(site, user_id, "stopped", FileStatus.FAILED)
    page.route("**/api/files/*/retry", refuse)
    page.reload()
    for _ in range(4):
        page.get_by_role("button", name="More for stopped").click()
        with page.expect_response("**/api/files/*/retry"):
            page.get_by_role("menuitem", name="Start again").click()
    toasts = page.get_by_role("alert").filter(has_text="Refusal")
    expect(toasts).to_have_count(1)
    box, files = toasts.bounding_box(), page.get_by_role("list", name="Files").bounding_box()
    assert box is not None
    assert files is not None
    assert box["y"] + box["height"] <= files["y"], "a toast lies over the list"
    toasts.hover()
    toasts.get_by_role("button", name="Close this message").click()
    page.mouse.move(10, 800)
    expect(toasts).to_have_count(0)


@pytest.mark.long
def test_a_connection_that_never_comes_up_is_warned_of(page: Page) -> None:
    page.add_init_script("delete window.WebSocket")
    page.route("**/pusher/**", lambda route: route.abort())
    page.goto("/dashboard")
    expect(page.get_by_text(LOST).first).to_be_visible()
    open_notices(page)
    notice = page.get_by_test_id("notice").filter(has_text=LOST)
    expect(notice).to_have_count(1)
    page.unroute("**/pusher/**")
    expect(notice).to_have_count(0)


@pytest.mark.long
def test_work_that_ends_before_the_page_listens_shows_as_ended(page: Page, site: Site, ann: Person) -> None:
    file = add_file(site, ann.user_id, "talk", FileStatus.TRANSCRIBING)
    # The relay cannot be reached while the page loads.
    page.context.route("**/pusher/**", lambda route: route.abort())
    blocked = True
    page.context.route_web_socket("**/app/**", lambda socket: socket.close() if blocked else socket.connect_to_server())
    page.goto("/dashboard")
    card = page.get_by_test_id("file")
    expect(card).to_have_attribute("data-status", "transcribing")

    async def end(session: AsyncSession) -> None:
        (await session.get_one(File, file.id)).status = FileStatus.COMPLETED

    write(site, end)
    blocked = False
    page.context.unroute("**/pusher/**")
    expect(card).to_have_attribute("data-status", "completed")
