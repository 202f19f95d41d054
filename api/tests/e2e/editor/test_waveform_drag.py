"""Lines are moved on the waveform with the pointer, as one step of the history."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site


@pytest.mark.long
def test_a_dragged_block_moves_its_line_and_undo_takes_it_back(desk: Page, site: Site, grace: Person) -> None:
    EditorPage(desk, site.long_file(grace.user_id, 1, 1_800)).open()
    block = desk.get_by_test_id("waveform").locator("[part~=cue]").first
    expect(block).to_be_visible()
    start, end = desk.get_by_label("Start of line 1", exact=True), desk.get_by_label("End of line 1", exact=True)
    before = start.input_value(), end.input_value()
    box = block.bounding_box()
    assert box is not None
    # The right edge is pulled to the left.
    desk.mouse.move(box["x"] + box["width"] - 4, box["y"] + 40)
    desk.mouse.down()
    desk.mouse.move(box["x"] + box["width"] - 30, box["y"] + 40, steps=5)
    desk.mouse.up()
    expect(end).not_to_have_value(before[1])
    expect(start).to_have_value(before[0])
    desk.keyboard.press("Control+z")
    expect(end).to_have_value(before[1])
