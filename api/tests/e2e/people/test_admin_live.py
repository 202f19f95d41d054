"""The admin page of live recordings, in a browser."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Page, expect
from sqlalchemy import select

from api.content.files.models import File, FileStatus
from api.content.live.models import LiveSession
from api.testing.in_browser.pages import WORK_MS
from api.testing.sites.site import Site


async def record(site: Site, slug: str) -> None:
    """A file of the site becomes a recording that has run for a minute."""
    async with site.state.database.write() as session:
        file = (await session.scalars(select(File).where(File.slug == slug))).one()
        file.name, file.status = "Board meeting", FileStatus.LIVE
        session.add(LiveSession(file_id=file.id, source=uuid4(), pieces=120, reserved_s=600, ends_at_ms=36_000_000))


def test_a_recording_is_seen_and_ended(office: Page, site: Site, tmp_path: Path) -> None:
    speaker = site.sign_up("Speaker", tmp_path / "speaker.json", f"speaker.{uuid4().hex[:8]}@example.com")
    office.goto("/admin/live")
    expect(office.get_by_text("Nobody records live now.")).to_be_visible(timeout=WORK_MS)
    site.call(record(site, site.file(speaker, "Good morning.")))
    row = office.get_by_role("row").filter(has_text="Board meeting")
    expect(row).to_contain_text("@example.com", timeout=WORK_MS)
    expect(row).to_contain_text("1 min")
    expect(row).to_contain_text("Not begun")
    row.get_by_role("button", name="End the recording Board meeting").click()
    office.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    expect(row).to_have_count(0, timeout=WORK_MS)
    expect(office.get_by_text("Nobody records live now.")).to_be_visible()
