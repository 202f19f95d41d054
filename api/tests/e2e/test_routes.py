"""Every route of the product: its title, its heading, no message in the console, and no fault that axe finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from api.testing.admins import promote
from api.testing.axe import violations
from api.testing.pages import message_watch
from api.testing.site import Person, Site

SETTLE_MS = 20_000
OFTEN_WAITING = "Content is being fetched and loaded"

pytestmark = pytest.mark.timeout(240)

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


@pytest.fixture(scope="module")
def admin(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Person:
    cookies = tmp_path_factory.mktemp("admin") / "cookies.json"
    person = Person(site.sign_up("Root", cookies), cookies)
    site.call(promote(site.state, person.user_id))
    return person


@pytest.fixture
def context(chromium: Browser, site: Site, grace: Person, admin: Person, route: tuple[str, str]) -> Iterator[Any]:
    path, _title = route
    cookies = admin.cookies if path in ADMINS else grace.cookies if path in MEMBERS else None
    opened = chromium.new_context(
        base_url=site.url, viewport={"width": 1360, "height": 860}, storage_state=cookies, reduced_motion="reduce"
    )
    yield opened
    opened.close()


@pytest.mark.parametrize("route", [*VISITORS.items(), *MEMBERS.items(), *ADMINS.items()], ids=lambda route: route[0])
def test_a_route_has_its_title_and_no_fault(
    context: BrowserContext, site: Site, grace: Person, route: tuple[str, str]
) -> None:
    path, title = route
    page = context.new_page()
    messages = message_watch(page)
    slug = site.file(grace.user_id) if "{slug}" in path else ""
    page.goto(path.format(slug=slug, user=grace.user_id))
    page.wait_for_function("title => document.title === `${title} · Sagascript`", arg=title, timeout=SETTLE_MS)
    page.wait_for_load_state("networkidle")
    page.get_by_text(OFTEN_WAITING).wait_for(state="detached", timeout=SETTLE_MS)
    assert page.get_by_role("heading", level=1).count() <= 1
    if path.startswith("/email/verification"):
        # The browser itself reports that the server refused the made-up link.
        messages = [line for line in messages if "status of 422" not in line]
    assert (violations(page), messages) == ([], [])
