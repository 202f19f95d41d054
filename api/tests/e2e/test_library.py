"""The library in a browser: projects, tags, search up to the line, actions on several files, the bin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from sqlalchemy import delete, select

from api.content.arrivals.models import Upload, UploadStatus
from api.content.files.models import File
from api.content.tags.models import Tag
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import message_watch, wait_until, watched_page
from api.testing.sites.site import Person, Site

TEXTS = ("The harbour is closed today.", "Nobody knows when it opens.", "Ask again at the lighthouse.")


@pytest.fixture(scope="module")
def lib(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    cookies = tmp_path_factory.mktemp("cookies") / "lib.json"
    return Person(site.sign_up("Libby", cookies), cookies)


@pytest.fixture
def page(chromium: Browser, site: Site, lib: Person) -> Iterator[Page]:
    """Libby's browser, before she has any files or tags. Dialogs, lists and drags move as they do for most people."""

    async def remove() -> None:
        async with site.state.database.write() as session:
            for table in (File, Tag, Upload):
                await session.execute(delete(table).where(table.user_id == lib.user_id))

    site.call(remove())
    with watched_page(chromium, site.url, cookies=lib.cookies, with_motion=True) as opened:
        yield opened


def name_file(site: Site, lib: Person, name: str, *texts: str) -> str:
    slug = site.file(lib.user_id, *(texts or TEXTS))

    async def rename() -> None:
        async with site.state.database.write() as session:
            (await session.scalars(select(File).where(File.slug == slug))).one().name = name

    site.call(rename())
    return slug


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
def test_a_new_team_is_worked_for_even_if_somebody_goes_on_at_once(
    chromium: Browser, site: Site, tmp_path: Path
) -> None:
    cookies = tmp_path / "nina.json"
    site.sign_up("Nina", cookies, f"nina.{uuid4().hex[:8]}@example.com")
    with watched_page(chromium, site.url, cookies=cookies) as page:
        _create_a_team_and_go_on(page)


def _create_a_team_and_go_on(page: Page) -> None:
    page.goto("/teams")
    page.get_by_role("button", name="Create a team").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Night desk")
    held: list[Route] = []
    page.route("**/api/user", lambda route: held.append(route))
    dialog.get_by_role("button", name="Create team").click()
    expect(page.get_by_role("heading", name="Night desk")).to_be_visible()
    wait_until(page, "localStorage.getItem('sagascript.team') !== null")
    assert held
    page.unroute("**/api/user")
    page.goto("/captions")
    expect(page.get_by_role("combobox", name="Workspace", exact=True)).to_have_value("Night desk")


@pytest.mark.long
def test_several_files_move_to_a_team_and_their_captions_into_one_zip(page: Page, site: Site, lib: Person) -> None:
    for name in ("One", "Two"):
        name_file(site, lib, name)
    page.goto("/teams")
    page.get_by_role("button", name="Create a team").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("Coast guard")
    dialog.get_by_role("button", name="Create team").click()
    expect(page.get_by_role("heading", name="Coast guard")).to_be_visible()
    page.goto("/captions?team=mine")
    bar = page.get_by_role("toolbar", name="Selected files")
    for name in ("One", "Two"):
        page.get_by_role("checkbox", name=f"Select {name}").check(force=True)
    bar.get_by_role("button", name="Captions…").click()
    expect(dialog).to_contain_text("Captions of 2 files")
    dialog.get_by_test_id("zip-format").click()
    page.get_by_role("option", name="VTT · WebVTT").click()
    assert violations(page) == []
    with page.expect_download() as download:
        dialog.get_by_role("link", name="Download ZIP").click()
    assert download.value.suggested_filename == "captions.zip"
    with ZipFile(download.value.path()) as archive:
        assert sorted(archive.namelist()) == ["One.en-US.vtt", "Two.en-US.vtt"]
        assert TEXTS[0] in archive.read("One.en-US.vtt").decode()
    expect(bar).to_contain_text("2 files selected")
    bar.get_by_role("button", name="Move to…").click()
    expect(dialog.get_by_role("button", name="Move")).to_be_disabled()
    dialog.get_by_role("radio", name="Coast guard").check()
    dialog.get_by_role("button", name="Move").click()
    expect(page.get_by_text("Moved 2 files to Coast guard")).to_be_visible()
    expect(bar).to_have_count(0)
    expect(page.get_by_test_id("file")).to_have_count(0)
    page.get_by_role("combobox", name="Workspace", exact=True).click()
    page.get_by_role("option", name="Coast guard").click()
    expect(page.get_by_test_id("file")).to_have_count(2)
    page.goto("/captions?q=harbour")
    expect(page.get_by_test_id("found").first).to_contain_text("Coast guard")
    page.goto("/captions")
    page.get_by_role("checkbox", name="Select One").check(force=True)
    bar.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.goto("/bin")
    expect(page.get_by_test_id("binned")).to_contain_text("Coast guard")


@pytest.mark.long
def test_ctrl_k_searches_from_every_page_with_the_keys_alone(page: Page, site: Site, lib: Person) -> None:
    slug = name_file(site, lib, "Coast")
    name_file(site, lib, "Other", "Nothing of the kind.")
    page.goto(f"/captions/{slug}")
    expect(page.locator("[data-line]")).to_have_count(len(TEXTS))
    page.locator("[data-line] textarea").first.focus()
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Search")
    box = dialog.get_by_role("combobox")
    expect(box).to_be_focused()
    expect(dialog.get_by_role("status")).to_contain_text("at least 3 characters")
    page.keyboard.insert_text("lighthouse")
    options = dialog.get_by_role("option")
    expect(options).to_have_count(3)
    expect(options.first).to_have_attribute("aria-selected", "true")
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", str(options.nth(1).get_attribute("id")))
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(page.locator("[data-line]").nth(2)).to_have_attribute("aria-current", "true")
    for path in ("/settings", "/glossary"):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.keyboard.press("Control+k")
        expect(box).to_be_focused()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Search", exact=True).click()
    box.fill("no such words")
    expect(dialog.get_by_role("status")).to_contain_text("Try fewer words")
    expect(options).to_have_count(0)
    box.fill("nothing")
    expect(options).to_have_count(3)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url("**/captions?q=nothing")
    expect(page.get_by_test_id("found")).to_have_count(1)


def incoming(site: Site) -> set[Path]:
    """The files of uploads that are under way."""
    return {path for path in (site.settings.storage_root / ".incoming").rglob("*") if path.is_file()}


@pytest.mark.long
def test_a_cancelled_upload_leaves_no_message_and_no_bytes(page: Page, site: Site, lib: Person, tmp_path: Path) -> None:
    messages = message_watch(page)
    # Uploads that other tests left unfinished on this site keep theirs.
    before = incoming(site)
    # The bytes never leave the browser, so the upload is under way until it is cancelled.
    page.route("**/tus/*", lambda route: None if route.request.method == "PATCH" else route.continue_())
    path = tmp_path / "talk.mp4"
    path.write_bytes(b"x" * 1_000_000)
    page.goto("/dashboard")
    with page.expect_request(lambda request: request.method == "PATCH"):
        page.get_by_test_id("upload-input").set_input_files(path)
    row = page.get_by_test_id("upload")
    with page.expect_response(lambda answer: answer.request.method == "DELETE") as deleted:
        row.get_by_role("button", name="Cancel talk.mp4").click()
    assert deleted.value.status == 204
    expect(row).to_have_count(0)
    page.unroute_all()
    page.reload()
    expect(page.get_by_test_id("upload-input")).to_be_attached()
    expect(row).to_have_count(0)
    page.wait_for_load_state("networkidle")
    assert messages == []

    async def statuses() -> list[str]:
        async with site.state.database.read() as session:
            return list(await session.scalars(select(Upload.status).where(Upload.user_id == lib.user_id)))

    assert set(site.call(statuses())) == {UploadStatus.CANCELLED}
    assert incoming(site) - before == set()


@pytest.mark.long
def test_one_upload_opens_its_live_view_and_several_stay_a_list(page: Page, tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.mp4" for name in ("one", "two", "three", "four")]
    for path in paths:
        path.write_bytes(path.stem.encode() * 1_000)
    page.goto("/dashboard")
    page.get_by_test_id("upload-input").set_input_files(paths[:2])
    expect(page.get_by_test_id("file")).to_have_count(2)
    assert "/processing/" not in page.url
    # Nobody is taken away from what they type.
    search = page.get_by_role("searchbox", name="Search names and captions")
    search.press_sequentially("th")
    page.get_by_test_id("upload-input").set_input_files(paths[2])
    expect(page.get_by_test_id("file")).to_have_count(3)
    expect(search).to_be_focused()
    assert "/processing/" not in page.url

    search.fill("")
    page.get_by_test_id("upload-input").set_input_files(paths[3])
    page.wait_for_url("**/captions/processing/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("four")


@pytest.mark.long
def test_a_search_just_typed_does_not_bring_back_who_has_gone_on(page: Page, site: Site, lib: Person) -> None:
    slug = name_file(site, lib, "Harbour")
    held: list[Route] = []
    page.route("**/assets/CaptionsPage-*.js", lambda route: held.append(route))
    page.goto("/dashboard")
    box = page.get_by_role("searchbox", name="Search names and captions")
    card = page.get_by_test_id("file").get_by_role("link", name="Harbour")
    expect(card).to_be_visible()
    box.press_sequentially("h")
    # By the keyboard, as fast as it goes: the box still waits for a pause.
    card.evaluate("link => link.click()")
    wait_until(page, f"location.pathname === '/captions/{slug}'")
    # Longer than the pause, while the code of the page is on its way.
    page.wait_for_timeout(1_000)
    for route in held:
        route.continue_()
    expect(page.get_by_test_id("caption-line").first).to_be_visible()
    assert page.url.endswith(f"/captions/{slug}")


@pytest.mark.long
def test_a_phone_offers_its_camera(chromium: Browser, site: Site, lib: Person, tmp_path: Path) -> None:
    film = tmp_path / "VID_1.mp4"
    film.write_bytes(b"from the camera" * 1_000)
    phone = chromium.new_context(
        base_url=site.url,
        storage_state=lib.cookies,
        viewport={"width": 360, "height": 780},
        is_mobile=True,
        has_touch=True,
        service_workers="block",
    )
    page = phone.new_page()
    page.goto("/dashboard")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Record").tap()
    assert chooser.value.element.get_attribute("capture") == "environment"
    chooser.value.set_files(film)
    page.wait_for_url("**/captions/processing/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("VID_1")
    assert violations(page) == []
    phone.close()
