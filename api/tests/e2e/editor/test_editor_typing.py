"""Typing on across every command of the editor, however slow the server is: every letter is where the person saw it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from api.testing.in_browser.editor_page import EditorPage
from api.testing.sites.site import Person, Site


def work(editor: EditorPage) -> list[str]:
    """Everything an editor does, without a pause between a command and the next letter. The captions that should be."""
    press, write = editor.press, editor.type
    first, ask = "The harbour", "Ask again tomorrow morning."
    editor.go_into(0, len(first))
    press("Control+Enter")
    write("so the men ")
    press("Control+End")
    write(" and into more")
    rest = "is closed today. and into more"
    assert editor.texts[:2] == [first, f"so the men {rest}"]

    # Twice the same key: the second one finds nothing before the caret and changes nothing.
    press("Control+Home", *["ArrowRight"] * 10, "Control+Enter", "Control+Enter")
    write("move ")
    assert editor.texts[:3] == [first, "so the men", f"move {rest}"]
    press("Shift+Alt+KeyN")
    write("on ")
    assert editor.texts[:2] == [first, f"so the men move on {rest}"]
    press("Shift+Alt+KeyM")
    write("and ")
    second = f"so the men move on and {rest} Nobody knows when it opens."
    assert editor.texts == [first, second, ask]

    press("Shift+Alt+KeyA")
    write("library text")
    assert editor.texts == [first, second, "library text", ask]
    press("Control+z")
    write("typed anew")
    press("Control+z", "Control+Shift+z")
    write("!")
    assert editor.texts[2] == "typed anew!"
    press("Control+Home", *["ArrowRight"] * 5, "Control+Enter", "Control+z")
    write("?")
    assert editor.texts == [first, second, "typed anew!?", ask]

    # A key that is held is one command, and the letters after it are letters.
    press("Escape")
    editor.hold("Delete", 6)
    assert editor.texts == [first, second, ask]
    press("Enter")
    write(" Please.")
    press("Control+z", "Control+z", "Control+Shift+z", "Control+Shift+z")
    write(" Thanks.")
    return [first, second, f"{ask} Please. Thanks."]


@pytest.mark.parametrize(
    ("delay_s", "pause_ms"),
    [(0.1, 40)] + [pytest.param(*each, marks=pytest.mark.long) for each in ((0.0, 0), (2.0, 0))],
)
def test_letters_go_where_the_person_saw_them(
    desk: Page, site: Site, grace: Person, delay_s: float, pause_ms: int
) -> None:
    slug = site.file(grace.user_id)
    editor = EditorPage(desk, slug, pause_ms).open()
    site.delay_s = delay_s
    wanted = work(editor)
    assert editor.texts == wanted
    site.delay_s = 0
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted
    expect(desk.get_by_role("dialog")).to_have_count(0)
    assert editor.open().texts == wanted


@pytest.mark.long
def test_changes_made_offline_show_at_once_and_are_sent_later(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    before = site.texts(slug)
    editor = EditorPage(desk, slug).open()
    desk.context.set_offline(True)
    wanted = work(editor)
    assert editor.texts == wanted
    expect(desk.get_by_test_id("save-state")).to_have_attribute("data-state", "failed")
    assert site.texts(slug) == before
    desk.context.set_offline(False)
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


@pytest.mark.long
def test_answers_that_get_lost_double_nothing(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    editor = EditorPage(desk, slug).open()
    site.answers_to_lose = 2
    wanted = work(editor)
    editor.wait_until_saved()
    assert site.answers_to_lose == 0
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


@pytest.mark.long
def test_a_reload_sends_what_was_not_saved_and_nothing_twice(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    editor = EditorPage(desk, slug).open()
    site.delay_s = 2
    wanted = work(editor)
    desk.on("dialog", lambda dialog: dialog.accept())
    site.delay_s = 0
    editor.open()
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


def test_somebody_elses_change_is_a_question_and_a_space_answers_nothing(desk: Page, site: Site, grace: Person) -> None:
    slug = site.file(grace.user_id)
    editor = EditorPage(desk, slug).open()
    other = EditorPage(desk.context.new_page(), slug).open()
    # At the same place: changes of different words are joined.
    other.go_into(0, 28)
    other.type(" Theirs.")
    other.press("Escape")
    other.wait_until_saved()
    editor.go_into(0, 28)
    editor.type(" Mine.")
    editor.press("Control+s")
    expect(desk.get_by_test_id("conflict-mine")).to_have_text("The harbour is closed today. Mine.")
    editor.press("Space", "Enter")
    expect(desk.get_by_test_id("conflict-theirs")).to_have_text("The harbour is closed today. Theirs.")
    desk.get_by_role("button", name="Use my text").click()
    editor.wait_until_saved()
    assert site.texts(slug)[0] == editor.texts[0] == "The harbour is closed today. Mine."
    assert editor.focus == "text 0"
