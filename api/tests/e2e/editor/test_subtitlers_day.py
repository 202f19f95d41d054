"""The 40 tasks of `docs/subtitling.md`, each by its keys and without a mouse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import select

from api.content.captions.models import Speaker
from api.content.files.models import File, FileShots
from api.testing.files.spoken_video import PROJECT
from api.testing.in_browser.caption_pictures import captions_of
from api.testing.in_browser.editor_page import EditorPage
from api.testing.in_browser.pages import wait_until
from api.testing.sites.site import Person, Site
from pipelines.testing.media.samples import ffmpeg

_ROW = re.compile(r"^\| (\d+) \| [^|]+ \| ([^|]+?) \| ([^|]*)\| ([^|]*)\|$", re.MULTILINE)
TASKS = {
    int(number): (command, *(re.findall("`([^`]+)`", keys) for keys in (in_list, typing)))
    for number, command, in_list, typing in _ROW.findall((PROJECT / "docs" / "subtitling.md").read_text())
}
"""The command of each task, and its keys in the list and while typing."""
TEXTS = (
    "The harbour is closd today, and nobody was told.",
    "It opens again tomorrow morning at nine.",
    "Ask the captain of the Esja, if you see her.",
    "Thank you.",
)
SHOT_MS = 9_000
VIDEO = (
    *("-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=60", "-f", "lavfi", "-i", "sine=frequency=300:d=60"),
    *("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart"),
)


class Day:
    """A subtitler at the keyboard."""

    def __init__(self, page: Page, slug: str) -> None:
        self.page = page
        self.slug = slug
        self.done: set[int] = set()
        self.begun = 0
        page.evaluate(
            "window.begun = []; const video = document.querySelector('video');"
            " video.addEventListener('play', () => window.begun.push(video.currentTime))"
        )

    def do(self, task: int, *, typing: bool = False) -> None:
        """Press the first key of a task, or choose its command in the palette where it has none."""
        command, in_list, while_typing = TASKS[task]
        keys = while_typing if typing else in_list
        if keys:
            self.page.keyboard.press(keys[0].replace("Ctrl+", "Control+"))
        else:
            self.page.keyboard.press("Control+k")
            expect(self.page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
            self.page.keyboard.type(command)
            self.page.keyboard.press("Enter")
        self.done.add(task)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, number: int) -> None:
        """A line by its number, as a whole."""
        self.press("Escape", *str(number), "Enter")
        self.settled()

    def settled(self) -> None:
        expect(self.page.get_by_test_id("save-state")).to_have_text("All changes saved")

    def lines(self) -> list[dict[str, Any]]:
        self.settled()
        return captions_of(self.page, self.slug)

    def texts(self) -> list[str]:
        return [line["text"] for line in self.lines()]

    @property
    def at_ms(self) -> int:
        seconds: float = self.page.evaluate("document.querySelector('video').currentTime")
        return round(seconds * 1000)

    def plays_from(self, from_ms: int, to_ms: int) -> None:
        """Wait until it has begun to play, within a span, however long ago; then stop it, unless it has ended."""
        wait_until(self.page, "count => window.begun.length > count", self.begun)
        self.begun += 1
        began: float = self.page.evaluate("window.begun.at(-1)")
        assert from_ms <= began * 1000 <= to_ms, began
        self.page.evaluate("document.querySelector('video').pause()")
        wait_until(self.page, "() => document.querySelector('video').paused")

    def seek(self, ms: int) -> None:
        """By the field of times that people type into is a task of its own; the film is where a test wants it."""
        self.page.evaluate("s => { document.querySelector('video').currentTime = s }", ms / 1000)
        wait_until(self.page, "s => Math.abs(document.querySelector('video').currentTime - s) < 0.02", ms / 1000)
        expect(self.page.get_by_role("group", name="Playback")).to_contain_text(f"0:{ms // 1000:02}")


@pytest.fixture
def day(desk: Page, site: Site, grace: Person, tmp_path: Path) -> Day:
    slug = site.file(grace.user_id, *TEXTS)
    ffmpeg(*VIDEO, "talk.mp4", cwd=tmp_path)

    async def film() -> None:
        async with site.state.database.write() as session:
            file = (await session.scalars(select(File).where(File.slug == slug))).one()
            file.facts = {**file.facts, "mime": "video/mp4", "video": {"fps": 25, "timecode": ""}}
            file.width, file.height = 320, 180
            session.add(FileShots(file_id=file.id, shots_ms=[4_000, SHOT_MS]))
            session.add(Speaker(file_id=file.id, label="S1", name="The captain", colour=0))
            site.state.storage.put(tmp_path / "talk.mp4", file.original_key)

    site.call(film())
    EditorPage(desk, slug).open()
    wait_until(desk, "() => document.querySelector('video').readyState > 2")
    return Day(desk, slug)


@pytest.mark.long
def test_a_subtitlers_day_needs_no_mouse(day: Day) -> None:
    page = day.page
    # Into the list by the keyboard alone.
    while not page.evaluate("document.activeElement.closest('[data-index]') !== null"):
        day.press("Tab")
    first, second, third, last = day.lines()

    # Listening.
    day.go_to(1)
    day.do(1)
    day.plays_from(first["start_ms"], first["end_ms"])
    day.do(2)
    day.plays_from(first["start_ms"], first["end_ms"] + 50)
    day.seek(8_000)
    day.do(3)
    assert day.at_ms < 8_000
    day.go_to(2)
    day.do(5)
    day.plays_from(second["start_ms"] - 500, second["end_ms"] + 500)
    day.seek(9_000)
    day.do(6)
    assert abs(day.at_ms - 8_000) < 50
    day.do(7)
    assert abs(day.at_ms - 8_040) < 50
    day.do(8)
    assert page.evaluate("document.querySelector('video').playbackRate") < 1
    day.press("=")
    day.do(9)
    assert abs(day.at_ms - SHOT_MS) < 50

    # Lines.
    day.go_to(1)
    day.do(10)
    expect(page.locator("[data-line]:focus")).to_have_attribute("aria-posinset", "2")
    day.do(11)
    expect(page.get_by_label("Text of line 2")).to_be_focused()
    day.press("End", "Control+End")
    page.keyboard.type(" Sharp.")
    day.press("Control+Home", *["Control+ArrowRight"] * 3)
    day.do(12, typing=True)
    assert day.texts()[1:3] == ["It opens again", "tomorrow morning at nine. Sharp."]
    day.go_to(2)
    day.do(13)
    assert day.texts()[1] == "It opens again tomorrow morning at nine. Sharp."
    day.go_to(2)
    day.press("Enter")
    day.do(14, typing=True)
    page.keyboard.type("A line between.")
    day.press("Escape")
    assert day.texts()[2] == "A line between."
    day.do(16)
    assert "A line between." not in day.texts()
    day.seek(55_000)
    day.do(15)
    page.keyboard.type("The end.")
    day.press("Escape")
    assert day.lines()[-1]["start_ms"] == 55_000
    day.seek(second["start_ms"])
    day.do(4)
    page.keyboard.type("HARBOUR OFFICE")
    day.press("Escape")
    sign = next(line for line in day.lines() if line["text"] == "HARBOUR OFFICE")
    assert sign["place"]["align"] == 8
    day.press("Delete")

    # Words.
    day.go_to(1)
    day.press("Enter")
    day.do(17, typing=True)
    assert day.texts()[0].endswith("told. It")
    day.do(18, typing=True)
    assert day.texts()[0].endswith("told.")
    day.press("Escape")
    day.do(19)
    assert "\n" in day.texts()[0]
    day.do(20)
    assert all("italic" in word["styles"] for word in day.lines()[0]["words"])

    # Times.
    day.go_to(3)
    third = day.lines()[2]
    day.seek(third["start_ms"] + 200)
    day.do(21)
    assert day.lines()[2]["start_ms"] == third["start_ms"] + 200
    day.seek(15_280)
    day.do(22)
    assert day.lines()[2]["end_ms"] == 15_280
    day.do(25)
    third, last = day.lines()[2:4]
    assert third["end_ms"] == min(last["start_ms"] - 100, third["start_ms"] + 7_000)
    day.seek(16_200)
    day.do(23)
    third, last = day.lines()[2:4]
    assert (third["end_ms"], last["start_ms"]) == (16_200, 16_320)
    day.seek(20_000)
    day.do(24)
    assert day.lines()[3]["start_ms"] == 20_000
    day.go_to(2)
    second = day.lines()[1]
    day.do(26)
    assert day.lines()[1]["start_ms"] > second["start_ms"]
    day.do(27)
    assert day.lines()[1]["end_ms"] < second["end_ms"]
    edge = day.lines()[2]["start_ms"]
    day.do(28)
    assert day.lines()[2]["start_ms"] > edge
    stamp = page.get_by_label("Start of line 2").input_value()
    day.do(29)
    expect(page.get_by_label("Start of line 2")).not_to_have_value(stamp)
    day.do(29)
    expect(page.get_by_label("Start of line 2")).to_have_value(stamp)
    day.do(30)
    assert day.lines()[1]["locked"] is True
    day.do(30)
    assert day.lines()[1]["locked"] is False
    day.do(31)
    expect(page.get_by_test_id("caption-line").nth(1)).to_contain_text("The captain")

    # Looking things up.
    day.go_to(1)
    day.do(32)
    expect(page.get_by_test_id("find-query")).to_be_focused()
    page.keyboard.type("captain")
    expect(page.get_by_test_id("find-count")).to_have_text("1 match")
    day.press("Escape")
    day.do(33)
    expect(page.get_by_test_id("panel-find")).to_be_visible()
    day.press("Escape", "Escape")
    day.go_to(1)
    day.do(34)
    # Its second sentence made the row of this line too long.
    expect(page.locator("[data-line]:focus")).to_have_attribute("aria-posinset", "2")
    day.go_to(1)
    day.do(35)
    expect(page.get_by_test_id("panel-review")).to_be_visible()
    day.press("Escape")
    day.go_to(1)
    day.do(36)
    # Terms are those of translations.
    expect(page.get_by_text("No glossary term is missing in this line.")).to_be_visible()
    day.press("Enter", "Control+Home", *["Control+ArrowRight"] * 4)
    day.do(37, typing=True)
    suggestion = page.get_by_test_id("word-menu").get_by_role("menuitem", name="closed", exact=True)
    expect(suggestion).to_be_visible()
    while not suggestion.evaluate("item => item === document.activeElement"):
        day.press("ArrowDown")
    day.press("Enter")
    assert "closd" not in day.texts()[0]
    day.do(38, typing=True)
    assert "closd" in day.texts()[0]
    day.press("Escape")
    day.do(39)
    expect(page.get_by_role("dialog")).to_be_visible()
    day.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    day.do(40)
    expect(page.get_by_role("dialog", name="Export")).to_be_visible()

    assert day.done == set(TASKS)
