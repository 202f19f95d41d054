"""Times as frames of the picture: shown, typed, moved by keys, put on the grid, and converted to another rate."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from api.content.files.models import File
from api.testing.in_browser.editor_page import open_tool
from api.testing.sites.site import Person, Site

TEXTS = ("One", "Two", "Three")


def with_rate(site: Site, slug: str, fps: float, timecode: str = "") -> None:
    async def change() -> None:
        async with site.state.database.write() as session:
            file = (await session.scalars(select(File).where(File.slug == slug))).one()
            file.facts = {**file.facts, "video": {"fps": fps, "timecode": timecode}}

    site.call(change())


def opened(desk: Page, site: Site, person: Person, fps: float | None) -> None:
    slug = site.file(person.user_id, *TEXTS)
    if fps is not None:
        with_rate(site, slug, fps)
    desk.goto(f"/captions/{slug}")
    open_tool(desk, "timing")


def start(desk: Page, number: int) -> Locator:
    return desk.get_by_label(f"Start of line {number}", exact=True)


def end(desk: Page, number: int) -> Locator:
    return desk.get_by_label(f"End of line {number}", exact=True)


def choose(desk: Page, unit: str) -> None:
    desk.get_by_role("radiogroup", name="Times", exact=True).get_by_text(unit, exact=True).click()


@pytest.mark.long
def test_times_are_typed_and_moved_in_frames(desk: Page, site: Site, grace: Person) -> None:
    opened(desk, site, grace, 25)
    in_ms = start(desk, 2).input_value()
    choose(desk, "Frames")
    expect(start(desk, 2)).not_to_have_value(in_ms)
    start(desk, 2).fill("3:10")
    start(desk, 2).press("Enter")
    expect(start(desk, 2)).to_have_value("00:00:03:10")
    start(desk, 2).press("ArrowUp")
    expect(start(desk, 2)).to_have_value("00:00:03:11")
    # Digits alone, and what is no time.
    start(desk, 2).fill("312")
    start(desk, 2).press("Enter")
    expect(start(desk, 2)).to_have_value("00:00:03:12")
    start(desk, 2).fill("00:00:03:30")
    start(desk, 2).press("Enter")
    expect(start(desk, 2)).to_have_attribute("aria-invalid", "true")
    expect(start(desk, 2)).to_have_attribute(
        "title", "Write the time as hours:minutes:seconds:frames, for example 00:01:02:12."
    )
    start(desk, 2).press("Escape")
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")

    # The choice goes with the account; the times are those of the frames.
    desk.reload()
    expect(start(desk, 2)).to_have_value("00:00:03:12")
    open_tool(desk, "timing")
    choose(desk, "Milliseconds")
    expect(start(desk, 2)).to_have_value("00:00:03,480")


@pytest.mark.long
def test_numbers_are_dropped_at_29_97_and_moves_count_frames(desk: Page, site: Site, grace: Person) -> None:
    opened(desk, site, grace, 29.97)
    choose(desk, "Frames")
    expect(start(desk, 1)).to_have_value("00:00:01;00")
    offset = desk.get_by_label("Frames (negative: earlier)")
    offset.fill("1800")
    desk.get_by_test_id("shift").click()
    expect(start(desk, 1)).to_have_value("00:01:01;02")
    desk.get_by_role("switch", name="Drop-frame counting (;)").click()
    expect(start(desk, 1)).to_have_value("00:01:01:00")
    desk.get_by_role("switch", name="Drop-frame counting (;)").click()
    choose(desk, "Milliseconds")


@pytest.mark.long
def test_times_meet_frames_and_another_rate(desk: Page, site: Site, grace: Person) -> None:
    opened(desk, site, grace, 25)
    start(desk, 2).fill("3,017")
    start(desk, 2).press("Enter")
    choose(desk, "Frames")
    desk.get_by_role("button", name="Snap all to frames").click()
    choose(desk, "Milliseconds")
    expect(start(desk, 2)).to_have_value("00:00:03,000")

    # A film made for 24 frames a second runs faster at 25.
    desk.get_by_role("combobox", name="Made for").click()
    desk.get_by_role("option", name="24 fps", exact=True).click()
    before = end(desk, 3).input_value()
    desk.get_by_role("button", name="Convert times").click()
    expect(start(desk, 2)).to_have_value("00:00:02,880")
    desk.get_by_role("button", name="Undo", exact=True).click()
    expect(end(desk, 3)).to_have_value(before)


@pytest.mark.long
def test_sound_has_no_frames(desk: Page, site: Site, grace: Person) -> None:
    opened(desk, site, grace, None)
    expect(desk.get_by_text("This file has no picture, so its times are in milliseconds.")).to_be_visible()
    desk.keyboard.press("Control+K")
    desk.keyboard.type("frames or milli")
    desk.keyboard.press("Enter")
    expect(desk.get_by_text("This file has no picture").last).to_be_visible()


@pytest.mark.long
def test_times_count_from_the_timecode_of_the_file(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id, *TEXTS)
    with_rate(site, slug, 25, "10:00:00:00")
    desk.goto(f"/captions/{slug}")
    open_tool(desk, "timing")
    choose(desk, "Frames")
    expect(start(desk, 1)).to_have_value("00:00:01:00")
    counts = desk.get_by_role("switch", name="Count from the timecode of the file, 10:00:00:00")
    counts.click()
    expect(start(desk, 1)).to_have_value("10:00:01:00")
    start(desk, 1).fill("10:00:01:12")
    start(desk, 1).press("Enter")
    expect(start(desk, 1)).to_have_value("10:00:01:12")
    expect(desk.get_by_test_id("save-state")).to_have_text("All changes saved")
    # A download counts as the editor does.
    desk.get_by_role("button", name="Import and download").click()
    with desk.expect_download() as download:
        desk.get_by_role("menuitem", name="Download STL").click()
    assert Path(download.value.path()).read_bytes()[256:264] == b"10000000"
    counts.click()
    choose(desk, "Milliseconds")
    expect(start(desk, 1)).to_have_value("00:00:01,480")


@pytest.mark.long
def test_the_start_of_the_programme_is_typed(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id, *TEXTS)
    with_rate(site, slug, 25)
    desk.goto(f"/captions/{slug}")
    open_tool(desk, "timing")
    choose(desk, "Frames")
    expect(start(desk, 1)).to_have_value("00:00:01:00")
    begins = desk.get_by_label("The programme starts at")
    begins.fill("10:00:00:99")
    begins.press("Enter")
    expect(desk.get_by_text("Write the time as hours:minutes:seconds:frames").first).to_be_visible()
    begins.fill("10000000")
    begins.press("Enter")
    expect(begins).to_have_value("10:00:00:00")
    expect(start(desk, 1)).to_have_value("10:00:01:00")
    begins.fill("")
    begins.press("Enter")
    expect(start(desk, 1)).to_have_value("00:00:01:00")
    choose(desk, "Milliseconds")
