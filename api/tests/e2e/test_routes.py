"""Every route of the product: its title, its heading, no message in the console, and no fault that axe finds.

First in English on a wide light screen. A page and the editor, and in the long tests every route, are also walked
through by keyboard, enlarged, and shown in Icelandic on a narrow dark screen.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from api.testing.admins import promote
from api.testing.icelandic_accounts import in_icelandic
from api.testing.in_browser.axe import violations
from api.testing.in_browser.keyboard_walk import keyboard_faults, popup_faults, skip_link_faults
from api.testing.in_browser.pages import WORK_MS, message_watch, wait_until
from api.testing.in_browser.reflow_walk import reflow_faults
from api.testing.sites.site import Person, Site

OFTEN_WAITING = ("Content is being fetched and loaded", "Verið er að sækja efni")


VISITORS = {
    "/": "Transcribe, correct and subtitle",
    "/login": "Login",
    "/register": "Register",
    "/reset/password": "Forgot password",
    "/reset/abc/ada@example.com": "Reset password",
    "/email/verification/abc/def": "Verify email",
    "/error": "Error",
}
MEMBERS = {
    "/dashboard": "Uploads",
    "/captions": "Files",
    "/projects": "Projects",
    "/teams": "Teams",
    "/settings": "Settings",
    "/glossary": "Glossary",
    "/bin": "Bin",
    "/captions/{slug}": "Subtitles",
    "/captions/processing/{slug}": "Processing & Transcribing",
    "/no/such/page": "Page not found",
}
ADMINS = {
    "/admin": "Admin - Dashboard",
    "/admin/dashboard": "Admin - Dashboard",
    "/admin/contents": "Admin - Contents Management",
    "/admin/users": "Admin - Users Management",
    "/admin/users/create": "Admin - Create user",
    "/admin/users/{user}": "Admin - Users Management",
    "/admin/companies": "Admin - Companies Management",
    "/admin/invoices": "Admin - Invoices Management",
    "/admin/models": "Admin - Models",
    "/admin/audit": "Admin - Audit log",
    "/teams/browseas-{user}": "Teams",
}
IN_SHORT = ("/login", "/captions/{slug}")
LIKE_OTHERS = (
    "/admin",
    "/reset/password",
    "/admin/users/{user}",
    "/admin/companies",
    "/admin/invoices",
    "/admin/audit",
)
"""Forms and tables as on pages beside them."""
ICELANDIC = {
    "Transcribe, correct and subtitle": "Skrifa upp, leiðrétta og texta",
    "Login": "Innskráning",
    "Register": "Nýskráning",
    "Forgot password": "Gleymt lykilorð",
    "Reset password": "Endurstilla lykilorð",
    "Verify email": "Staðfesta netfang",
    "Error": "Villa",
    "Uploads": "Upphleðslur",
    "Files": "Skrár",
    "Projects": "Verkefni",
    "Teams": "Teymi",
    "Settings": "Stillingar",
    "Glossary": "Orðasafn",
    "Bin": "Rusl",
    "Subtitles": "Skjátexti",
    "Processing & Transcribing": "Vinnsla og uppskrift",
    "Page not found": "Síða fannst ekki",
    "Admin - Dashboard": "Umsjón - Yfirlit",
    "Admin - Contents Management": "Umsjón - Efni",
    "Admin - Users Management": "Umsjón - Notendur",
    "Admin - Create user": "Umsjón - Stofna notanda",
    "Admin - Companies Management": "Umsjón - Fyrirtæki",
    "Admin - Invoices Management": "Umsjón - Reikningar",
    "Admin - Models": "Umsjón - Líkön",
    "Admin - Audit log": "Umsjón - Atburðaskrá",
}
WIDE: ViewportSize = {"width": 1360, "height": 860}
NARROW: ViewportSize = {"width": 360, "height": 780}
IN_ICELANDIC_AND_DARK = """() => {
  localStorage.setItem("sagascript-locale", "is");
  localStorage.setItem("mantine-color-scheme-value", "dark");
}"""
LOOKS = """() => [
  document.documentElement.lang,
  document.documentElement.dataset.mantineColorScheme,
  document.documentElement.scrollWidth <= innerWidth,
]"""


@pytest.fixture(scope="module")
def admin(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    cookies = tmp_path_factory.mktemp("admin") / "cookies.json"
    person = Person(site.sign_up("Root", cookies), cookies)
    site.call(promote(site.state, person.user_id))
    return person


@pytest.fixture(scope="module")
def pages(chromium: Browser, site: Site, grace: Person, admin: Person) -> Iterator[list[Page]]:
    """Of a visitor, a member and an administrator. Each compiles the product's programs once."""
    opened = [
        chromium.new_context(
            base_url=site.url, viewport=WIDE, storage_state=cookies, reduced_motion="reduce"
        ).new_page()
        for cookies in (None, grace.cookies, admin.cookies)
    ]
    yield opened
    for each in opened:
        each.context.close()


@pytest.fixture
def page(pages: list[Page], route: tuple[str, str]) -> Iterator[Page]:
    """A wide, light page in English, whatever the one before it was."""
    path, _title = route
    page = pages[2 if path in ADMINS else 1 if path in MEMBERS else 0]
    page.set_viewport_size(WIDE)
    yield page
    page.evaluate("localStorage.clear()")
    # What the page still writes as it ends belongs to no other route.
    page.goto("about:blank")


ROUTES = VISITORS | MEMBERS | ADMINS


@pytest.mark.parametrize(
    "route",
    [pytest.param(each, marks=pytest.mark.long if each[0] in LIKE_OTHERS else ()) for each in ROUTES.items()],
    ids=lambda route: route[0],
)
def test_a_route_has_its_title_and_no_fault(page: Page, site: Site, grace: Person, route: tuple[str, str]) -> None:
    path, title = route
    messages = message_watch(page)
    page.goto(address(path, site, grace))
    assert_faultless(page, path, title, messages)


@pytest.mark.parametrize(
    "route",
    [pytest.param(each, marks=() if each[0] in IN_SHORT else pytest.mark.long) for each in ROUTES.items()],
    ids=lambda route: route[0],
)
def test_a_route_works_by_keyboard_enlarged_in_icelandic_narrow_and_dark(
    page: Page, site: Site, grace: Person, admin: Person, route: tuple[str, str]
) -> None:
    path, title = route
    messages = message_watch(page)
    page.goto(address(path, site, grace))
    loaded(page, title)
    # `/admin` only leads to another of them.
    if path != "/admin":
        assert faults_by_keyboard_and_enlarged(page, title, has_menus=path not in VISITORS) == []

    with in_icelandic(site, [grace, admin]):
        page.evaluate(IN_ICELANDIC_AND_DARK)
        page.set_viewport_size(NARROW)
        page.reload()
        assert_faultless(page, path, ICELANDIC[title], messages)
        assert page.evaluate(LOOKS) == ["is", "dark", True]


def address(path: str, site: Site, grace: Person) -> str:
    slug = site.file(grace.user_id) if "{slug}" in path else ""
    return path.format(slug=slug, user=grace.user_id)


def faults_by_keyboard_and_enlarged(page: Page, title: str, *, has_menus: bool) -> list[str]:
    """Whether all can be reached and read, and one sees where one is."""
    faults = keyboard_faults(page)
    # The page for an address that nobody has is a single link.
    if has_menus and title != "Page not found":
        faults += skip_link_faults(page)
    return faults + popup_faults(page) + reflow_faults(page)


def loaded(page: Page, title: str) -> None:
    """Wait until the page is there and nothing on it is still on its way."""
    wait_until(page, "title => document.title === `${title} · Sagascript`", title)
    page.wait_for_load_state("networkidle")
    for waiting in OFTEN_WAITING:
        page.get_by_text(waiting).wait_for(state="detached", timeout=WORK_MS)


def assert_faultless(page: Page, path: str, title: str, messages: list[str]) -> None:
    loaded(page, title)
    assert page.get_by_role("heading", level=1).count() <= 1
    if path.startswith("/email/verification"):
        # The browser itself reports that the server refused the made-up link.
        messages = [line for line in messages if "status of 422" not in line]
    assert (violations(page), messages) == ([], [])
