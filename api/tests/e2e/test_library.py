"""The library in a browser: projects, tags, search up to the line, actions on several files, the bin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import delete, select

from api.files.models import File
from api.tags.models import Tag
from api.testing.pages import watched_page
from api.testing.site import Person, Site

pytestmark = pytest.mark.timeout(240)

TEXTS = ("The harbour is closed today.", "Nobody knows when it opens.", "Ask again at the lighthouse.")


@pytest.fixture(scope="module")
def lib(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    cookies = tmp_path_factory.mktemp("cookies") / "lib.json"
    return Person(site.sign_up("Libby", cookies), cookies)


@pytest.fixture
def page(chromium: Browser, site: Site, lib: Person) -> Iterator[Page]:
    """Libby's browser, before she has any files or tags."""

    async def remove() -> None:
        async with site.state.database.write() as session:
            for table in (File, Tag):
                await session.execute(delete(table).where(table.user_id == lib.user_id))

    site.call(remove())
    with watched_page(chromium, site.url, cookies=lib.cookies) as opened:
        yield opened


def name_file(site: Site, lib: Person, name: str, *texts: str) -> str:
    slug = site.file(lib.user_id, *(texts or TEXTS))

    async def rename() -> None:
        async with site.state.database.write() as session:
            (await session.scalars(select(File).where(File.slug == slug))).one().name = name

    site.call(rename())
    return slug


def test_projects_are_created_filled_by_dragging_and_deleted(page: Page, site: Site, lib: Person) -> None:
    for name in ("First", "Second"):
        name_file(site, lib, name)
    page.goto("/projects")
    expect(page.get_by_role("heading", name="No projects yet")).to_be_visible()
    page.get_by_role("button", name="New project").click()
    page.get_by_role("textbox", name="Name").fill("Harbour news")
    page.get_by_role("radio", name="blue").check(force=True)
    page.get_by_role("button", name="Create", exact=True).click()
    project = page.get_by_role("region", name="Project Harbour news")
    rest = page.get_by_role("region", name="Project No tag")
    expect(project).to_contain_text("Nothing here yet.")
    rest.get_by_test_id("file").filter(has_text="First").drag_to(project)
    expect(project.get_by_test_id("file")).to_contain_text(["First"])
    expect(rest.get_by_test_id("file")).to_contain_text(["Second"])
    project.get_by_role("button", name="Harbour news 1").click()
    page.reload()
    expect(project.get_by_role("button", name="Harbour news 1")).to_have_attribute("aria-expanded", "false")
    project.get_by_role("button", name="Harbour news 1").click()
    project.get_by_test_id("file").get_by_role("link", name="Harbour news").click()
    expect(page.get_by_text("1 file", exact=True)).to_be_visible()
    assert "tag=" in page.url
    page.go_back()
    page.get_by_role("button", name="More for project Harbour news").click()
    page.get_by_role("menuitem", name="Delete project").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete project").click()
    expect(rest.get_by_test_id("file")).to_have_count(2)


def test_a_hit_opens_the_editor_at_the_line_and_its_time(page: Page, site: Site, lib: Person) -> None:
    slug = name_file(site, lib, "Coast")
    page.goto("/projects")
    box = page.get_by_role("searchbox", name="Search names and captions")
    box.fill("li")
    expect(page.get_by_test_id("project")).to_have_count(1)
    box.fill("LIGHTHOUSE ask")
    found = page.get_by_test_id("found")
    expect(found.locator("mark")).to_have_text(["Ask", "lighthouse"])
    found.get_by_role("link", name="Ask again").click()
    page.wait_for_url(f"**/captions/{slug}")
    row = page.locator("[data-line]").nth(2)
    expect(row.locator("textarea")).to_have_value(TEXTS[2])
    expect(row).to_have_attribute("aria-current", "true")
    expect(page.get_by_text("0:11")).to_be_visible()


def test_several_files_are_tagged_deleted_and_restored_at_once(page: Page, site: Site, lib: Person) -> None:
    for name in ("One", "Two", "Three"):
        name_file(site, lib, name)
    page.goto("/captions")
    cards = page.get_by_test_id("file")
    expect(cards).to_have_count(3)
    for name in ("One", "Two"):
        page.get_by_role("checkbox", name=f"Select {name}").check(force=True)
    bar = page.get_by_role("toolbar", name="Selected files")
    expect(bar).to_contain_text("2 files selected")
    bar.get_by_role("button", name="Tags…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Find or create a tag").fill("Fréttir")
    dialog.get_by_role("button", name="Create “Fréttir”").click()
    expect(dialog.get_by_role("checkbox", name="Fréttir")).to_be_checked()
    dialog.get_by_role("button", name="Save").click()
    expect(cards.filter(has=page.get_by_role("link", name="Fréttir"))).to_have_count(2)
    page.get_by_role("textbox", name="Tags").or_(page.get_by_label("Tags").first).click()
    page.get_by_role("option", name="Fréttir").click()
    expect(cards).to_have_count(2)
    page.reload()
    expect(cards).to_have_count(2)
    for name in ("One", "Two"):
        page.get_by_role("checkbox", name=f"Select {name}").check(force=True)
    bar.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("heading", name="No matches")).to_be_visible()
    page.goto("/bin")
    binned = page.get_by_test_id("binned")
    expect(binned).to_have_count(2)
    expect(binned.first).to_contain_text("30 days left")
    page.get_by_role("button", name="Restore One").click()
    expect(binned).to_have_count(1)
    page.get_by_role("button", name="Delete for good Two").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete for good").click()
    expect(page.get_by_role("heading", name="The bin is empty")).to_be_visible()
    page.goto("/captions")
    expect(cards).to_have_count(2)
    expect(cards.filter(has_text="One")).to_contain_text("Fréttir")
