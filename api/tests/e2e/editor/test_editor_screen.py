"""What the editor shows and where its focus goes, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.axe import violations
from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site

LONG_HOURS = 4
LONG_LINES = 6_000
NODES_MAX = 2_500
"""Of a page that draws what is in view; one tick for each second of the file alone would be 14,400."""

ALL_NODES = """() => {
    const count = root => [...root.querySelectorAll('*')].reduce(
        (sum, one) => sum + 1 + (one.shadowRoot === null ? 0 : count(one.shadowRoot)), 0);
    return count(document);
}"""

WAVE = "[...document.querySelectorAll('[data-testid=waveform] *')].find(box => box.shadowRoot !== null).shadowRoot"
SCROLL_WAVE = f"left => {{ {WAVE}.querySelector('[part=scroll]').scrollLeft = left }}"
BARS_IN_VIEW = f"""() => {{
    if ([...document.querySelectorAll('[data-testid=waveform] *')].every(box => box.shadowRoot === null)) return "";
    const view = {WAVE}.querySelector('[part=scroll]').getBoundingClientRect();
    const canvases = [...{WAVE}.querySelectorAll('canvas')].filter(canvas => canvas.width > 0);
    const at = canvases.find(canvas => {{
        const box = canvas.getBoundingClientRect();
        return box.left <= view.left && view.left < box.right;
    }});
    if (at === undefined) return "";
    const columns = at.getContext("2d").getImageData(0, 0, at.width, at.height).data;
    let found = "";
    for (let x = 0; x < at.width; x += 3) {{
        let rows = 0;
        for (let y = 0; y < at.height; y += 1) rows += columns[(y * at.width + x) * 4 + 3] > 0 ? 1 : 0;
        found += rows.toString(36);
    }}
    return found;
}}"""
"""How many rows the bars of the canvas at the left of the view have, as digits."""

PLACE_OF_WORD = """([word, line]) => {
    const mirror = document.querySelectorAll('[data-line]')[line].querySelector('[aria-hidden=true][dir]');
    const texts = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const from = texts.currentNode.data.indexOf(word);
        if (from < 0) continue;
        const range = new Range();
        range.setStart(texts.currentNode, from);
        range.setEnd(texts.currentNode, from + word.length);
        const box = range.getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
    }
}"""


def shown_at(page: Page) -> int:
    """The position that the editor shows, in milliseconds."""
    shown = page.get_by_role("group", name="Playback").inner_text().split("/")[0]
    minutes, seconds = shown.replace("\n", "").split(":")
    return round((int(minutes) * 60 + float(seconds)) * 1_000)


def expect_shown(page: Page, ms: int) -> None:
    tenths = ms // 100
    shown = f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"
    expect(page.get_by_role("group", name="Playback")).to_contain_text(shown)


def of_stamp(stamp: str) -> int:
    hours, minutes, seconds = stamp.replace(",", ".").split(":")
    return round(((int(hours) * 60 + int(minutes)) * 60 + float(seconds)) * 1_000)


@pytest.fixture
def editor(desk: Page, site: Site, grace: Person) -> EditorPage:
    return EditorPage(desk, site.file(grace.user_id)).open()


@pytest.mark.long
def test_a_file_of_four_hours_draws_only_what_is_in_view(desk: Page, site: Site, grace: Person) -> None:
    slug = site.long_file(grace.user_id, LONG_HOURS, LONG_LINES)
    editor = EditorPage(desk, slug).open()
    expect(desk.get_by_test_id("ruler")).to_be_visible()
    nodes = [desk.evaluate(ALL_NODES)]
    for name in ("Zoom in", "Zoom in", "Zoom out", "Zoom out", "Zoom out", "Zoom out", "Zoom out"):
        desk.get_by_role("button", name=name).click()
        nodes.append(desk.evaluate(ALL_NODES))
    assert max(nodes) < NODES_MAX, nodes
    desk.get_by_role("list", name="Caption lines").evaluate("list => list.scrollTo(0, list.scrollHeight)")
    last = desk.get_by_label(f"Text of line {LONG_LINES}")
    last.focus()
    editor.press("Control+End")
    editor.type(" indeed")
    assert last.input_value() == f"This is line number {LONG_LINES - 1} of a very long file indeed"
    editor.wait_until_saved()


@pytest.mark.long
def test_bars_and_ruler_follow_the_waveform(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.long_file(grace.user_id, 1, 60)).open()
    ruler = desk.get_by_test_id("ruler")
    expect(ruler).to_be_visible()
    seen = [("", "")]

    def wait_for_new() -> None:
        """Wait until neither bars nor ruler are as they ever were before."""
        while not all(now and now not in before for now, before in zip(drawn(), zip(*seen, strict=True), strict=True)):
            desk.wait_for_timeout(50)
        seen.append(drawn())

    def drawn() -> tuple[str, str]:
        bars = desk.evaluate(BARS_IN_VIEW)
        return (bars if bars.strip("0") else ""), ruler.evaluate("ruler => ruler.toDataURL()")

    wait_for_new()
    desk.get_by_role("button", name="Zoom in").click()
    wait_for_new()
    desk.evaluate(SCROLL_WAVE, 3_000)
    wait_for_new()
    desk.get_by_role("button", name="Zoom in").click()
    wait_for_new()


AT = """(blocks, x) => blocks.find(block => {
    const { left, right } = block.getBoundingClientRect();
    return left - 40 <= x && x < right;
})?.textContent ?? ''"""
"""The text of the line whose block is at a place of the window, or begins just after it."""


@pytest.mark.long
def test_a_zoom_keeps_in_place_what_one_looks_at(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.long_file(grace.user_id, 1, 1_800)).open()
    wave = desk.get_by_test_id("waveform")
    blocks = wave.locator("[part~=cue]")
    expect(blocks.first).to_be_visible()
    box = wave.bounding_box()
    assert box is not None
    widths = "blocks => Math.max(...blocks.map(block => block.getBoundingClientRect().width))"

    def zoomed(act: Callable[[], None]) -> None:
        before = blocks.evaluate_all(widths)
        act()
        while blocks.evaluate_all(widths) == before:
            desk.wait_for_timeout(50)

    def turn_wheel() -> None:
        desk.keyboard.down("Control")
        desk.mouse.wheel(0, -60)
        desk.keyboard.up("Control")

    # With the wheel it is what the pointer is on.
    third = blocks.filter(has_text="line number 2 ").bounding_box()
    assert third is not None
    x = third["x"] + third["width"] / 2
    desk.mouse.move(x, third["y"] + 20)
    zoomed(turn_wheel)
    assert "line number 2 " in blocks.evaluate_all(AT, x)

    # Else the middle, where the playhead is out of view.
    desk.evaluate(SCROLL_WAVE, 9_000)
    middle = box["x"] + box["width"] / 2
    while not (seen := blocks.evaluate_all(AT, middle)):
        desk.wait_for_timeout(50)
    zoomed(desk.get_by_role("button", name="Zoom in").click)
    assert blocks.evaluate_all(AT, middle) == seen


@pytest.mark.long
def test_keys_work_after_a_click_on_a_line_number(editor: EditorPage) -> None:
    editor.page.get_by_role("button", name="Go to line 1").click()
    assert editor.focus == "line 0"
    editor.press("ArrowDown")
    assert editor.focus == "line 1"
    editor.press("Enter")
    assert editor.focus == "text 1"
    editor.type("!")
    assert editor.texts[1] == "Nobody knows when it opens.!"


@pytest.mark.long
def test_the_focus_goes_to_a_line_after_every_command(editor: EditorPage) -> None:
    page = editor.page
    page.get_by_role("button", name="Go to line 2").click()
    editor.press("Delete")
    assert (editor.focus, len(editor.texts)) == ("line 1", 2)
    editor.press("Control+z")
    assert (editor.focus, len(editor.texts)) == ("line 1", 3)
    editor.go_into(0, 11)
    editor.press("Control+Enter", "Control+z")
    assert (editor.focus, len(editor.texts)) == ("text 0", 3)
    page.get_by_role("button", name="Actions for line 3").click()
    page.get_by_role("menuitem", name="Delete").click()
    expect(page.get_by_role("menu")).to_have_count(0)
    assert editor.focus == "line 1"
    page.get_by_role("button", name="Actions for line 1").click()
    expect(page.get_by_role("menu")).to_be_visible()
    editor.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    assert editor.focus == "line 0"
    page.get_by_test_id("open-export").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    editor.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert editor.focus == "line 0"


@pytest.mark.long
def test_the_first_line_of_an_empty_file_is_written_without_the_mouse(editor: EditorPage, site: Site) -> None:
    page = editor.page
    page.get_by_role("button", name="Go to line 1").click()
    editor.press("Delete", "Delete", "Delete")
    expect(page.get_by_role("button", name="Add a line")).to_be_focused()
    editor.press("Enter")
    expect(page.get_by_label("Text of line 1")).to_be_focused()
    editor.type("mop it up")
    editor.wait_until_saved()
    assert site.texts(editor.slug) == editor.texts == ["mop it up"]
    editor.press("Control+z", "Control+z", "Control+z")
    assert editor.texts == ["Ask again tomorrow morning."]


@pytest.mark.long
def test_escape_keeps_what_was_typed_and_undo_takes_it_back(editor: EditorPage, site: Site) -> None:
    editor.go_into(0, 0)
    editor.type("Look: ")
    editor.press("Escape")
    assert (editor.focus, editor.texts[0]) == ("line 0", "Look: The harbour is closed today.")
    editor.wait_until_saved()
    assert site.texts(editor.slug)[0] == editor.texts[0]
    editor.press("Control+z")
    assert editor.texts[0] == "The harbour is closed today."


@pytest.mark.long
def test_long_words_and_right_to_left_text_stay_in_their_column(editor: EditorPage) -> None:
    editor.go_into(0, 0)
    editor.type("https://example.com/" + "a" * 200 + " ")
    editor.go_into(1, 0)
    editor.press("Control+a")
    editor.page.keyboard.insert_text("مرحبا بالعالم!")
    box = editor.page.get_by_label("Text of line 1")
    numbers = editor.page.get_by_test_id("line-quality").first
    assert box.evaluate("box => box.scrollWidth <= box.clientWidth")
    right = box.evaluate("box => box.getBoundingClientRect().right")
    assert right <= numbers.evaluate("numbers => numbers.getBoundingClientRect().left")
    arabic = editor.page.get_by_label("Text of line 2")
    assert arabic.evaluate("box => getComputedStyle(box).direction") == "rtl"
    assert box.evaluate("box => getComputedStyle(box).direction") == "ltr"


@pytest.mark.long
def test_an_undo_that_only_the_server_knows_locks_the_list_until_it_answers(editor: EditorPage, site: Site) -> None:
    editor.go_into(0, 0)
    editor.type("Before: ")
    editor.press("Control+s")
    editor.wait_until_saved()
    editor.open()
    site.delay_s = 2
    editor.page.get_by_role("button", name="Undo", exact=True).click()
    expect(editor.page.get_by_text("Waiting for the server…")).to_be_visible()
    expect(editor.page.get_by_label("Text of line 1")).not_to_be_editable()
    expect(editor.page.get_by_label("Text of line 1")).to_be_editable()
    assert editor.texts[0] == "The harbour is closed today."


@pytest.mark.long
def test_captions_of_a_file_without_speech_are_imported(editor: EditorPage, tmp_path: Path) -> None:
    subtitles = tmp_path / "brought.srt"
    subtitles.write_text("1\n00:00:01,000 --> 00:00:02,000\nBrought along\n")
    editor.go_into(0, 0)
    editor.type("Unsaved ")
    editor.page.get_by_role("button", name="Import and download").click()
    with editor.page.expect_file_chooser() as chosen:
        editor.page.get_by_role("menuitem", name="Import subtitles").click()
    chosen.value.set_files(subtitles)
    expect(editor.page.get_by_test_id("caption-line")).to_have_count(1)
    assert editor.texts == ["Brought along"]
    editor.page.get_by_role("button", name="Undo", exact=True).click()
    expect(editor.page.get_by_test_id("caption-line")).to_have_count(3)
    assert editor.texts[0] == "Unsaved The harbour is closed today."


@pytest.mark.long
def test_a_click_on_a_word_and_a_step_to_a_line_show_their_picture(editor: EditorPage) -> None:
    page = editor.page
    starts = [of_stamp(page.get_by_label(f"Start of line {number}").input_value()) for number in (1, 2, 3)]
    assert shown_at(page) == 0
    at = page.evaluate(PLACE_OF_WORD, ["opens", 1])
    page.mouse.click(*at)
    assert editor.focus == "text 1"
    expect(page.get_by_role("group", name="Playback")).not_to_contain_text("0:00.0")
    word = shown_at(page)
    assert starts[1] < word < starts[2]
    # What is dragged over is marked to be replaced, and the picture stays.
    page.mouse.move(*page.evaluate(PLACE_OF_WORD, ["Nobody", 1]))
    page.mouse.down()
    page.mouse.move(*at)
    page.mouse.up()
    assert shown_at(page) == word
    editor.press("Shift+Alt+S")
    assert editor.focus == "text 2"
    expect_shown(page, starts[2])
    page.get_by_test_id("caption-line").first.click(position={"x": 5, "y": 5})
    expect_shown(page, starts[0])


@pytest.mark.long
def test_every_command_is_found_by_its_name(editor: EditorPage) -> None:
    page = editor.page
    editor.go_into(1, len("Nobody knows "))
    editor.press("Control+k")
    dialog = page.get_by_role("dialog", name="Search")
    box = dialog.get_by_role("combobox", name="Search, or type what to do")
    expect(box).to_be_focused()
    assert violations(page) == []
    options = dialog.get_by_role("option")
    assert options.count() > 60
    editor.type("cursor spl")
    expect(options).to_have_count(1)
    expect(options).to_contain_text("Split")
    expect(options).to_contain_text("Enter")
    editor.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.get_by_test_id("caption-line")).to_have_count(4)
    assert editor.texts[1:3] == ["Nobody knows", "when it opens."]
    editor.type("And ")
    assert editor.texts[2] == "And when it opens."
    # A tool without a key of its own.
    editor.press("Control+k")
    expect(box).to_be_focused()
    editor.type("version")
    editor.press("Enter")
    expect(page.get_by_test_id("panel-history")).to_be_visible()


@pytest.mark.long
def test_the_rail_opens_each_place_where_it_was_left(editor: EditorPage) -> None:
    page = editor.page
    check, versions = (page.get_by_test_id(f"rail-{place}") for place in ("check", "versions"))
    check.click()
    expect(page.get_by_test_id("panel-quality")).to_be_visible()
    page.get_by_role("tab", name="Spelling").click()
    expect(page.get_by_test_id("panel-spelling")).to_be_visible()
    expect(page.get_by_role("tab", name="Spelling")).to_be_focused()
    border = page.get_by_role("separator", name="Width of the tools")
    usual = int(border.get_attribute("aria-valuenow") or 0)
    for _ in range(3):
        border.press("ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", str(usual + 48))

    versions.click()
    expect(page.get_by_test_id("panel-history")).to_be_visible()
    expect(border).to_have_attribute("aria-valuenow", str(usual))
    versions.click()
    expect(page.locator("[data-panel]")).to_have_count(0)
    expect(versions).to_be_focused()

    page.reload()
    check.click()
    expect(page.get_by_test_id("panel-spelling")).to_be_visible()
    expect(border).to_have_attribute("aria-valuenow", str(usual + 48))
    # The texts take the room of the lines.
    page.get_by_test_id("rail-text").click()
    expect(page.locator("[data-panel]")).to_have_count(0)
    expect(page.get_by_role("region", name="AI text", exact=True)).to_be_visible()
