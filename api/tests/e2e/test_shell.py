"""What surrounds the pages: the landing page, the error screen, unknown addresses and thumbnails of uploads."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.in_browser.pages import watched_page
from api.testing.sites.site import Site

SLOW_BYTES_PER_S = 20_000


def test_a_visitor_meets_the_landing_page_and_finds_the_way_in(chromium: Browser, site: Site) -> None:
    with watched_page(chromium, site.url) as page:
        page.goto("/")
        expect(page.get_by_role("heading", level=1)).to_have_text("Captions people can rely on")
        page.get_by_role("link", name="Sign in").first.click()
        page.wait_for_url("**/login")
        page.goto("/")
        page.get_by_role("link", name="Create an account").click()
        page.wait_for_url("**/register")


@pytest.mark.long
def test_somebody_signed_in_goes_from_the_landing_page_to_the_dashboard(desk: Page) -> None:
    desk.goto("/")
    desk.wait_for_url("**/dashboard")


@pytest.mark.long
def test_the_error_screen_and_unknown_addresses_lead_back(desk: Page) -> None:
    desk.goto("/error")
    expect(desk.get_by_test_id("error-screen")).to_contain_text("There is no error to show")
    desk.get_by_role("link", name="Go to your files").click()
    desk.wait_for_url("**/dashboard")
    desk.goto("/no/such/page")
    expect(desk.get_by_role("heading", level=1)).to_have_text("Page not found: /no/such/page")
    for path in ("/captions/%zz", "/captions/%ff", "/captions/processing/%"):
        desk.goto(path)
        expect(desk.get_by_role("heading", level=1)).to_have_text(f"Page Not Found: {path}")


@pytest.mark.long
def test_a_part_that_does_not_load_leaves_the_page_and_loads_again(desk: Page) -> None:
    # Before the page: a busy Chromium may give a key to a page before the page knows who answers its requests.
    desk.route("**/assets/SearchDialog-*", lambda route: route.fulfill(status=404))
    desk.goto("/captions")
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    desk.keyboard.press("Control+K")
    failed = desk.get_by_test_id("part-error")
    expect(failed).to_contain_text("This part of the page did not load.")
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    desk.unroute("**/assets/SearchDialog-*")
    failed.get_by_role("button", name="Try again").click()
    # Chromium keeps the failure, and the page has loaded anew.
    expect(failed).to_have_count(0)
    expect(desk.get_by_role("heading", level=1)).to_be_visible()
    desk.keyboard.press("Control+K")
    expect(desk.get_by_role("dialog")).to_be_visible()


@pytest.mark.long
def test_a_video_shows_a_picture_of_itself_while_it_uploads(desk: Page, tmp_path: Path) -> None:
    video = tmp_path / "scene.webm"
    picture = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=10:duration=4"]
    subprocess.run(["ffmpeg", "-loglevel", "error", *picture, "-c:v", "libvpx", "-b:v", "2M", str(video)], check=True)
    network = desk.context.new_cdp_session(desk)
    network.send("Network.enable")
    limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": SLOW_BYTES_PER_S}
    desk.goto("/dashboard")
    files = desk.locator("input[type=file]").first
    files.wait_for(state="attached")
    network.send("Network.emulateNetworkConditions", limits)
    files.set_input_files(str(video))
    thumbnail = desk.get_by_test_id("thumbnail")
    expect(thumbnail).to_be_visible()
    assert str(thumbnail.get_attribute("src")).startswith("data:image/jpeg;base64,")
    assert thumbnail.evaluate("picture => picture.naturalWidth") == 200


@pytest.mark.long
def test_the_language_chosen_in_the_menu_stays(desk: Page) -> None:
    desk.goto("/dashboard")
    desk.get_by_role("button", name="Your account").click()
    desk.get_by_test_id("locale-is").click()
    expect(desk).to_have_title("Upphleðslur · Sagascript")
    desk.reload()
    expect(desk).to_have_title("Upphleðslur · Sagascript")
    expect(desk.locator("html")).to_have_attribute("lang", "is")
    desk.get_by_role("button", name="Aðgangurinn þinn").click()
    desk.get_by_test_id("locale-en").click()
    expect(desk).to_have_title("Uploads · Sagascript")
