"""Signing out in a browser: it lasts, ends no upload on the server, and saves or asks about unsaved captions."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, Request, Route, expect
from sqlalchemy import select

from api.content.arrivals.models import UploadStatus
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.files.models import File, FileKind, FileStatus
from api.people.users.models import User
from api.platform.db.engine import Database
from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.pages import WORK_MS, wait_until, watched_page
from api.testing.processes.web_process import WebProcess, running_web

SLOW_BYTES_PER_S = 300_000
SENT_BYTES = 20_000_000
LOGOUT = "**/api/user/logout"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """The web process and its pages: nothing here needs Ray or a model."""
    pages = PROJECT / "ui" / "dist"
    if not (pages / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    with running_web(tmp_path_factory.mktemp("web"), ui=pages) as running:
        yield running


@pytest.fixture
def visitor(web: WebProcess, chromium: Browser) -> Iterator[Page]:
    """A new browser. What the page reports as an error fails the test.

    `web` comes first: no asynchronous migration can run in this thread once Playwright's loop does.
    """
    with watched_page(chromium, web.url) as opened:
        yield opened


def register(page: Page, name: str) -> str:
    """Create an account. Returns its address, which is new each time so that a test can run again."""
    page.goto("/register")
    return fill_registration(page, name)


def fill_registration(page: Page, name: str) -> str:
    email = f"{name.lower()}.{uuid4().hex[:8]}@example.com"
    page.get_by_label("Name").fill(name)
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    page.wait_for_url("**/dashboard")
    return email


def sign_out(page: Page) -> None:
    page.get_by_label("Your account").click()
    page.get_by_role("menuitem", name="Sign out").click()


def rows(web: WebProcess, statement: str) -> list[Any]:
    with closing(sqlite3.connect(web.settings.data_dir / "sagascript.db")) as database:
        return database.execute(statement).fetchall()


def sessions_of(web: WebProcess, email: str) -> int:
    statement = (
        "SELECT count(*) FROM browser_sessions JOIN users ON users.id = browser_sessions.user_id "
        f"WHERE users.email = '{email}'"
    )
    return int(rows(web, statement)[0][0])


def test_a_sign_out_that_did_not_arrive_lasts_and_arrives_later(visitor: Page, web: WebProcess) -> None:
    email = register(visitor, "Grace")
    visitor.route(LOGOUT, lambda route: route.abort())
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    expect(visitor.get_by_text("we could not reach the server")).to_be_visible()
    for path in ("/dashboard", "/captions"):
        visitor.goto(path)
        visitor.wait_for_url("**/login")
    assert sessions_of(web, email) == 1
    visitor.unroute(LOGOUT)
    with visitor.expect_response(LOGOUT) as ended:
        visitor.goto("/dashboard")
    assert ended.value.status == 204
    visitor.wait_for_url("**/login")
    assert sessions_of(web, email) == 0


@pytest.mark.long
def test_a_stale_page_still_signs_out(visitor: Page, web: WebProcess) -> None:
    email = register(visitor, "Hedy")
    visitor.context.add_cookies([{"name": "XSRF-TOKEN", "value": "stale.token", "url": web.url}])
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    assert sessions_of(web, email) == 0


def ends(request: Request) -> bool:
    """Whether it asks the server to end an upload."""
    return request.method == "DELETE" or (
        request.method == "PUT" and json.loads(request.post_data or "{}").get("status") == UploadStatus.CANCELLED
    )


@pytest.mark.parametrize("name", ["Joan", pytest.param("Katherine", marks=pytest.mark.long)])
def test_an_upload_is_kept_on_the_server(visitor: Page, web: WebProcess, tmp_path: Path, name: str) -> None:
    """Also when the sign-out itself does not arrive: then its calls would still be in the name of who left."""
    register(visitor, name)
    network = visitor.context.new_cdp_session(visitor)
    network.send("Network.enable")
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": SLOW_BYTES_PER_S}
    network.send("Network.emulateNetworkConditions", limits)
    video = tmp_path / f"{name}.mp4"
    video.write_bytes(bytes(SENT_BYTES))
    ending: list[str] = []
    visitor.on("request", lambda request: ending.append(request.url) if ends(request) else None)
    with visitor.expect_request(lambda request: request.method == "PATCH"):
        visitor.set_input_files('input[type="file"]', str(video))
    visitor.wait_for_timeout(1_000)
    if name == "Katherine":
        visitor.route(LOGOUT, lambda route: route.abort())
    # The upload asks whether to leave the page; signing out does not leave it.
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    visitor.wait_for_timeout(1_500)
    assert ending == []
    states = rows(web, f"SELECT status, is_displayed FROM uploads WHERE filename = '{name}.mp4'")
    assert states == [(UploadStatus.UPLOADING, 1)]
    assert rows(web, "SELECT count(*) FROM tus_uploads WHERE terminated_at IS NOT NULL") == [(0,)]


async def _captions(url: str, email: str) -> str:
    """The slug of a file with one line, of the person with this e-mail."""
    database = Database(url)
    try:
        async with database.write() as session:
            user = (await session.scalars(select(User).where(User.email == email))).one()
            file = File(
                user_id=user.id,
                name="Talk",
                filename="talk.mp4",
                kind=FileKind.AUDIO,
                status=FileStatus.COMPLETED,
                language="en-US",
                duration_ms=10_000,
                original_key="uploads/none/original",
            )
            session.add(file)
            await session.flush()
            track = CaptionTrack(file_id=file.id, language="en-US", origin=TrackOrigin.TRANSCRIPTION)
            session.add(track)
            await session.flush()
            line = CaptionLineRow(track_id=track.id, start_ms=0, end_ms=2_000, text="Good evening")
            session.add(line)
            return file.slug
    finally:
        await database.close()


def captioned(web: WebProcess, email: str) -> str:
    """Made in a thread: Playwright's loop runs in this one."""
    with ThreadPoolExecutor(1) as thread:
        made = thread.submit(asyncio.run, _captions(web.settings.db_url, email))
        return made.result()


def texts(web: WebProcess, slug: str) -> list[str]:
    statement = (
        "SELECT caption_lines.text FROM caption_lines JOIN caption_tracks ON caption_tracks.id = track_id "
        f"JOIN files ON files.id = caption_tracks.file_id WHERE files.slug = '{slug}'"
    )
    return [text for (text,) in rows(web, statement)]


def write_a_line(page: Page, slug: str, text: str) -> None:
    page.goto(f"/captions/{slug}")
    write_in_open_page(page, text)


def write_in_open_page(page: Page, text: str) -> None:
    box = page.get_by_role("textbox").filter(has_text="Good evening").or_(page.locator("textarea").first).first
    box.click()
    box.fill(text)


@pytest.mark.long
def test_what_was_just_written_is_saved_first(visitor: Page, web: WebProcess) -> None:
    email = register(visitor, "Lise")
    slug = captioned(web, email)
    write_a_line(visitor, slug, "Good evening, everybody")
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    assert texts(web, slug) == ["Good evening, everybody"]


@pytest.mark.long
def test_what_cannot_be_saved_is_asked_about(visitor: Page, web: WebProcess) -> None:
    email = register(visitor, "Maria")
    slug = captioned(web, email)

    def refuse(route: Route) -> None:
        if route.request.method == "POST":
            route.abort()
        else:
            route.continue_()

    visitor.route("**/api/files/captions/**", refuse)
    write_a_line(visitor, slug, "Lost for now")
    sign_out(visitor)
    dialog = visitor.get_by_role("dialog", name="You have unsaved changes")
    expect(dialog).to_be_visible(timeout=WORK_MS)
    dialog.get_by_role("button", name="Stay signed in").click()
    assert sessions_of(web, email) == 1
    visitor.unroute("**/api/files/captions/**")
    sign_out(visitor)
    visitor.wait_for_url("**/login", timeout=WORK_MS)
    assert texts(web, slug) == ["Lost for now"]
    assert sessions_of(web, email) == 0


ALL_KEPT = """async () => {
    const all = [];
    for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name);
        await new Promise((done) => (opening.onsuccess = done));
        const held = opening.result;
        for (const store of held.objectStoreNames) {
            const reading = held.transaction(store).objectStore(store).getAll();
            await new Promise((done) => (reading.onsuccess = done));
            all.push(...reading.result);
        }
        held.close();
    }
    return JSON.stringify(all);
}"""


HAS_KEY = """async () => {
    const opening = indexedDB.open("sagascript");
    await new Promise((done) => (opening.onsuccess = done));
    const reading = opening.result.transaction("answers").objectStore("answers").getAllKeys();
    await new Promise((done) => (reading.onsuccess = done));
    opening.result.close();
    return reading.result.some(([, name]) => name === "browser-key");
}"""


NOTHING_WAITS = """async () => {
    let count = 0;
    for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name);
        await new Promise((done) => (opening.onsuccess = done));
        const held = opening.result;
        for (const store of held.objectStoreNames) {
            if (!["journals", "texts"].includes(store)) continue;
            const counting = held.transaction(store).objectStore(store).count();
            await new Promise((done) => (counting.onsuccess = done));
            count += counting.result;
        }
        held.close();
    }
    return count === 0;
}"""
"""A page removes what is saved from its journal a moment after it says so."""


def end_sessions(web: WebProcess, email: str) -> None:
    """As from another device."""
    with closing(sqlite3.connect(web.settings.data_dir / "sagascript.db")) as database, database:
        database.execute(
            "DELETE FROM browser_sessions WHERE user_id = (SELECT id FROM users WHERE email = ?)", (email,)
        )


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def _saves(route: Route) -> bool:
    return route.request.method == "POST"


@pytest.mark.long
def test_a_session_that_ended_elsewhere_says_so_and_goes_on_where_it_was(visitor: Page, web: WebProcess) -> None:
    visitor.on("dialog", lambda dialog: dialog.accept())
    email = register(visitor, "Nina")
    slug = captioned(web, email)
    visitor.goto(f"/captions/{slug}")
    expect(visitor.get_by_test_id("save-state")).to_be_visible(timeout=WORK_MS)
    wait_until(visitor, HAS_KEY)
    # Any call of the page would lead to the sign-in before the line is written.
    held: list[Route] = []
    visitor.route("**/api/files/captions/*", lambda route: held.append(route) if _saves(route) else route.fallback())
    with visitor.expect_request(lambda request: request.method == "POST" and "/api/files/captions/" in request.url):
        write_in_open_page(visitor, "Written meanwhile")
    end_sessions(web, email)
    for route in held:
        route.continue_()
    visitor.unroute_all()
    visitor.wait_for_url("**/login", timeout=WORK_MS)
    notice = visitor.get_by_role("status").filter(has_text="You were signed out.")
    expect(notice).to_have_text("You were signed out. Your change is kept and will be saved.")
    kept = visitor.evaluate(ALL_KEPT)
    assert "Written meanwhile" not in kept
    assert "Good evening" not in kept
    # The reason and the way back survive a reload.
    visitor.reload()
    expect(notice).to_have_text("You were signed out. Your change is kept and will be saved.")
    sign_in(visitor, email)
    visitor.wait_for_url(f"**/captions/{slug}", timeout=WORK_MS)
    expect(visitor.get_by_test_id("save-state")).to_have_attribute("data-state", "saved", timeout=WORK_MS)
    assert texts(web, slug) == ["Written meanwhile"]
    wait_until(visitor, NOTHING_WAITS)

    # Nothing waits any more: the plain sentence. Somebody else at this browser begins at their own page.
    # A page that is still open could learn of the end itself, in the middle of a reload.
    visitor.goto("about:blank")
    end_sessions(web, email)
    visitor.goto(f"{web.url}/captions/{slug}")
    visitor.wait_for_url("**/login", timeout=WORK_MS)
    expect(notice).to_have_text("You were signed out.")
    visitor.get_by_role("link", name="Create an account").click()
    visitor.wait_for_url("**/register")
    fill_registration(visitor, "Olga")
    visitor.wait_for_url("**/dashboard")
    assert "Written meanwhile" not in visitor.evaluate(ALL_KEPT)


@pytest.mark.long
def test_a_visitors_link_leads_there_after_sign_in(visitor: Page, web: WebProcess) -> None:
    email = register(visitor, "Petra")
    slug = captioned(web, email)
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    # As from a mail.
    visitor.goto(f"/captions/{slug}?at=1#x")
    visitor.wait_for_url("**/login")
    expect(visitor.get_by_role("status").filter(has_text="signed out")).to_have_count(0)
    sign_in(visitor, email)
    visitor.wait_for_url(f"**/captions/{slug}?at=1#x", timeout=WORK_MS)
    sign_out(visitor)
    visitor.wait_for_url("**/login")
    sign_in(visitor, email)
    visitor.wait_for_url("**/dashboard", timeout=WORK_MS)
