"""Somebody speaks into the microphone of the browser, and reads along, corrects and stops."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from api.testing.files.spoken_video import text_of
from api.testing.in_browser.pages import WORK_MS, message_watch, register
from api.tests.e2e.product.conftest import SPOKEN

NO_MICROPHONE = """
navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "NotFoundError"));
"""


def begin(page: Page, name: str) -> None:
    page.goto("/dashboard")
    page.get_by_test_id("live").click()
    page.get_by_label("Name").fill(name)
    page.get_by_test_id("start-live").click()
    page.wait_for_url("**/live/*", timeout=WORK_MS)


def stored(page: Page, slug: str) -> list[str]:
    found = page.request.get(f"/api/files/captions/{slug}").json()["data"]["lines"]
    return [line["text"] for line in found]


def test_from_the_microphone_to_a_file_with_captions(page: Page) -> None:
    said = message_watch(page)
    register(page, "Lovelace")
    begin(page, "Weekly meeting")
    slug = page.url.rsplit("/", 1)[1]
    expect(page.get_by_role("meter")).to_be_visible()
    expect(page.get_by_test_id("live-final").first).to_contain_text("weather", timeout=WORK_MS)

    # The first lines are in the editor while the recording goes on, and a correction stays.
    page.get_by_test_id("open-captions").click()
    first = page.get_by_label("Text of line 1", exact=True)
    expect(first).to_have_value(text_of(SPOKEN), timeout=WORK_MS)
    first.fill("The weather was bad.")
    expect(page.get_by_label("Text of line 2", exact=True)).to_have_value(text_of(SPOKEN), timeout=WORK_MS)
    expect(page.get_by_test_id("recording-badge")).to_be_visible()

    page.get_by_test_id("recording-badge").click()
    page.get_by_test_id("stop-live").click()
    expect(page.get_by_text("The recording is kept, with its captions.")).to_be_visible(timeout=WORK_MS)
    expect(page.get_by_test_id("recording-badge")).to_have_count(0)
    lines = stored(page, slug)
    assert lines[0] == "The weather was bad."
    assert set(lines[1:-1]) == {text_of(SPOKEN)}
    file = page.request.get(f"/api/files/{slug}").json()["data"]
    assert file["status"] == "completed"
    assert file["name"] == "Weekly meeting"
    assert file["duration_ms"] > 3_000
    sound = page.request.get(file["media_url"])
    assert sound.status == 200
    assert sound.body()[:4] == b"RIFF"
    assert said == []


@pytest.mark.long
def test_anybody_with_the_link_reads_along_until_it_is_closed(page: Page, chromium: Browser) -> None:
    register(page, "Hopper")
    begin(page, "Open lecture")
    page.get_by_test_id("watch-link").click()
    page.get_by_test_id("open-link").click()
    address = page.get_by_label("For readers", exact=True)
    expect(address).to_have_value(re.compile("/watch/"))
    url = address.input_value()
    phone = chromium.new_context(viewport={"width": 360, "height": 700}, service_workers="block")
    reader = phone.new_page()
    reader.goto(url)
    expect(reader.get_by_role("heading", level=1)).to_have_text("Open lecture")
    expect(reader.get_by_test_id("watch-text").first).to_contain_text("weather", timeout=WORK_MS)
    wide = reader.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide
    size = "getComputedStyle(document.querySelector('[role=log]')).fontSize"
    before = reader.evaluate(size)
    reader.get_by_label("Larger text").click()
    assert float(reader.evaluate(size)[:-2]) > float(before[:-2])

    reader.goto(f"{url}?overlay")
    expect(reader.get_by_test_id("overlay")).to_contain_text("weather", timeout=WORK_MS)
    assert reader.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"

    reader.goto(url)
    page.get_by_role("button", name="Close the link").click()
    expect(reader.get_by_role("alert")).to_contain_text("no longer open", timeout=WORK_MS)
    page.keyboard.press("Escape")
    page.get_by_test_id("stop-live").click()
    expect(page.get_by_text("The recording is kept, with its captions.")).to_be_visible(timeout=WORK_MS)
    phone.close()


@pytest.mark.long
def test_readers_choose_their_language_while_somebody_speaks(page: Page, chromium: Browser) -> None:
    said = message_watch(page)
    register(page, "Zamenhof")
    page.goto("/live")
    page.get_by_label("Name").fill("Two languages")
    page.get_by_test_id("translate-to").fill("Spanish")
    page.get_by_role("option", name="Spanish", exact=True).click()
    page.get_by_test_id("start-live").click()
    page.wait_for_url("**/live/*", timeout=WORK_MS)
    slug = page.url.rsplit("/", 1)[1]
    expect(page.get_by_test_id("live-translations")).to_have_text("1 translation")
    page.get_by_test_id("watch-link").click()
    page.get_by_test_id("open-link").click()
    address = page.get_by_label("For readers", exact=True)
    expect(address).to_have_value(re.compile("/watch/"))
    phone = chromium.new_context(viewport={"width": 360, "height": 700}, service_workers="block")
    reader = phone.new_page()
    reader.goto(address.input_value())
    expect(reader.get_by_test_id("watch-text").first).to_contain_text("weather", timeout=WORK_MS)
    reader.get_by_label("Language").select_option(label="Spanish")
    expect(reader.get_by_role("log")).to_have_attribute("lang", "es")
    shown = reader.get_by_test_id("watch-text").first
    expect(shown).not_to_contain_text("weather", timeout=WORK_MS)
    expect(shown).to_be_visible(timeout=WORK_MS)
    spanish = page.request.get(f"/api/files/captions/{slug}?language=es").json()["data"]["lines"]
    expect(shown).to_contain_text(" ".join(spanish[0]["text"].split()))
    page.keyboard.press("Escape")
    page.get_by_test_id("stop-live").click()
    expect(page.get_by_text("The recording is kept, with its captions.")).to_be_visible(timeout=WORK_MS)
    phone.close()
    assert said == []


@pytest.mark.long
def test_a_reload_ends_nothing_and_the_recording_goes_on_from_the_page(page: Page) -> None:
    register(page, "Noether")
    begin(page, "Lecture")
    slug = page.url.rsplit("/", 1)[1]
    expect(page.get_by_test_id("live-final").first).to_be_visible(timeout=WORK_MS)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    before = page.request.get(f"/api/live/{slug}").json()["data"]
    assert before["live"]["state"] == "open"
    page.get_by_test_id("take-over").click()
    expect(page.get_by_test_id("stop-live")).to_be_visible(timeout=WORK_MS)
    shown = page.get_by_test_id("live-final")
    expect(shown.first).to_be_visible()
    page.get_by_test_id("stop-live").click()
    expect(page.get_by_text("The recording is kept, with its captions.")).to_be_visible(timeout=WORK_MS)
    after = page.request.get(f"/api/live/{slug}").json()["data"]
    assert after["live"]["recorded_ms"] >= before["live"]["recorded_ms"]
    first = [word["text"] for word in before["words"]]
    assert [word["text"] for word in after["words"]][: len(first)] == first, "final words stay as they were"


@pytest.mark.long
def test_the_sound_of_a_tab_is_captioned_too(page: Page) -> None:
    register(page, "Lamarr")
    page.goto("/live")
    page.get_by_label("Name").fill("A stream")
    page.get_by_text("A browser tab").click()
    page.get_by_test_id("start-live").click()
    page.wait_for_url("**/live/*", timeout=WORK_MS)
    expect(page.get_by_test_id("live-final").first).to_contain_text("weather", timeout=WORK_MS)
    page.get_by_test_id("stop-live").click()
    expect(page.get_by_text("The recording is kept, with its captions.")).to_be_visible(timeout=WORK_MS)


@pytest.mark.long
def test_without_a_microphone_the_page_says_what_to_do(page: Page) -> None:
    register(page, "Turing")
    page.add_init_script(NO_MICROPHONE)
    page.goto("/live")
    page.get_by_test_id("start-live").click()
    expect(page.get_by_role("alert")).to_have_text("No microphone was found. Connect one and try again.")
    assert page.url.endswith("/live")
    assert page.request.get("/api/live").json() == {"data": []}
