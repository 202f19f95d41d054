"""Typing on across every command of the editor, however slow the server is: every letter is where the person saw it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from api.tests.e2e.editor_page import EditorPage
from api.tests.e2e.site import Site, running_site
from api.tests.e2e.spoken_video import PROJECT
from api.tests.e2e.test_main_job import register

UI = PROJECT / "ui" / "dist"
SIZE = {"width": 1360, "height": 860}

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    if not (UI / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    with running_site(tmp_path_factory.mktemp("site"), UI) as running:
        yield running


@pytest.fixture(scope="module")
def grace(chromium: Browser, site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[uuid.UUID, Path]:
    """A person, and the cookies of her browser."""
    context = chromium.new_context(base_url=site.url)
    page = context.new_page()
    register(page, "Grace")
    cookies = tmp_path_factory.mktemp("cookies") / "grace.json"
    context.storage_state(path=cookies)
    context.close()
    return site.call(site.user_id("grace@example.com")), cookies


@pytest.fixture
def page(chromium: Browser, site: Site, grace: tuple[uuid.UUID, Path]) -> Iterator[Page]:
    """Grace's browser. What the page reports as an error fails the test."""
    context = chromium.new_context(base_url=site.url, viewport=SIZE, storage_state=grace[1])
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    yield opened
    context.close()
    site.delay_s = 0
    site.answers_to_lose = 0
    assert problems == []


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


@pytest.mark.parametrize(("delay_s", "pause_ms"), [(0.0, 0), (0.1, 40), (2.0, 0)])
def test_letters_go_where_the_person_saw_them(
    page: Page, site: Site, grace: tuple[uuid.UUID, Path], delay_s: float, pause_ms: int
) -> None:
    slug = site.file(grace[0])
    editor = EditorPage(page, slug, pause_ms).open()
    site.delay_s = delay_s
    wanted = work(editor)
    assert editor.texts == wanted
    site.delay_s = 0
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert editor.open().texts == wanted


def test_changes_made_offline_show_at_once_and_are_sent_later(
    page: Page, site: Site, grace: tuple[uuid.UUID, Path]
) -> None:
    slug = site.file(grace[0])
    before = site.texts(slug)
    editor = EditorPage(page, slug).open()
    page.context.set_offline(True)
    wanted = work(editor)
    assert editor.texts == wanted
    expect(page.get_by_test_id("save-state")).to_have_attribute("data-state", "failed")
    assert site.texts(slug) == before
    page.context.set_offline(False)
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


def test_answers_that_get_lost_double_nothing(page: Page, site: Site, grace: tuple[uuid.UUID, Path]) -> None:
    slug = site.file(grace[0])
    editor = EditorPage(page, slug).open()
    site.answers_to_lose = 2
    wanted = work(editor)
    editor.wait_until_saved()
    assert site.answers_to_lose == 0
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


def test_a_reload_sends_what_was_not_saved_and_nothing_twice(
    page: Page, site: Site, grace: tuple[uuid.UUID, Path]
) -> None:
    slug = site.file(grace[0])
    editor = EditorPage(page, slug).open()
    site.delay_s = 2
    wanted = work(editor)
    page.on("dialog", lambda dialog: dialog.accept())
    site.delay_s = 0
    editor.open()
    editor.wait_until_saved()
    assert editor.texts == wanted
    assert site.texts(slug) == wanted


def test_somebody_elses_change_is_a_question_and_a_space_answers_nothing(
    page: Page, site: Site, grace: tuple[uuid.UUID, Path]
) -> None:
    slug = site.file(grace[0])
    editor = EditorPage(page, slug).open()
    other = EditorPage(page.context.new_page(), slug).open()
    other.go_into(0, 3)
    other.type(" old")
    other.press("Escape")
    other.wait_until_saved()
    editor.go_into(0, 28)
    editor.type(" Mine.")
    editor.press("Control+s")
    expect(page.get_by_test_id("conflict-mine")).to_have_text("The harbour is closed today. Mine.")
    editor.press("Space", "Enter")
    expect(page.get_by_test_id("conflict-theirs")).to_have_text("The old harbour is closed today.")
    page.get_by_role("button", name="Use mine").click()
    editor.wait_until_saved()
    assert site.texts(slug)[0] == editor.texts[0] == "The harbour is closed today. Mine."
    assert editor.focus == "text 0"
