"""Voices known across a team's files in a browser: switched on, suggested, accepted, refused and forgotten."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import numpy as np
from playwright.sync_api import Browser, expect
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import Speaker
from api.content.files.models import File
from api.content.speakers.voices.models import SpeakerVoice
from api.people.teams.models import Membership, Team, TeamRole
from api.testing.in_browser.axe import violations
from api.testing.in_browser.pages import watched_page
from api.testing.sites.files import write
from api.testing.sites.site import Site


def test_a_voice_is_named_once_suggested_elsewhere_and_forgotten(site: Site, chromium: Browser, tmp_path: Path) -> None:
    cookies = tmp_path / "olga.json"
    olga = site.sign_up(f"Olga{uuid4().hex[:6]}", cookies)
    team_id = uuid4()
    first, second = site.file(olga, "The harbour is closed."), site.file(olga, "Ask again tomorrow.")

    async def make(session: AsyncSession) -> None:
        session.add(Team(id=team_id, name="Newsroom"))
        await session.flush()
        session.add(Membership(team_id=team_id, user_id=olga, role=TeamRole.OWNER))
        for slug, names in ((first, ("Anna", "Ben")), (second, (None, None))):
            await session.execute(update(File).where(File.slug == slug).values(team_id=team_id))
            file = (await session.scalars(select(File).where(File.slug == slug))).one()
            for number, name in enumerate(names, 1):
                label, sample = f"S{number}", {"sample_start_ms": 100 * number, "sample_end_ms": 100 * number + 50}
                voice = np.eye(8)[number].astype("<f2").tobytes()
                session.add(Speaker(file_id=file.id, label=label, name=name, colour=number, **sample))
                session.add(
                    SpeakerVoice(file_id=file.id, label=label, model="tiny", embedding=voice, spoken_ms=9_000, **sample)
                )

    write(site, make)
    with watched_page(chromium, site.url, cookies=cookies) as page:
        page.goto(f"/teams?team={team_id}")
        page.get_by_role("tab", name="Settings").click()
        voices = page.get_by_role("region", name="Voices")
        voices.get_by_role("switch", name="Know voices across the team’s files").click()
        expect(voices.get_by_role("list", name="Known voices").get_by_role("listitem")).to_have_count(2)
        expect(voices).to_contain_text("In 1 file, last learned on")
        assert violations(page) == []
        page.goto(f"/captions/{second}")
        page.get_by_role("button", name="Speakers").first.click()
        anna = page.get_by_role("group", name="Who is Speaker 1?")
        expect(anna).to_contain_text("Sounds like Anna (100 %)")
        assert violations(page) == []
        anna.get_by_role("button", name="Yes").click()
        expect(page.get_by_label("Name of Anna")).to_have_value("Anna")
        ben = page.get_by_role("group", name="Who is Speaker 2?")
        ben.get_by_role("button", name="No").click()
        expect(ben).to_have_count(0)
        page.goto(f"/teams?team={team_id}")
        page.get_by_role("tab", name="Settings").click()
        expect(voices).to_contain_text("In 2 files")
        voices.get_by_role("button", name="Forget the voice of Anna").click()
        page.get_by_role("dialog", name="Forget the voice of Anna?").get_by_role("button", name="Forget").click()
        expect(voices.get_by_role("list", name="Known voices").get_by_role("listitem")).to_have_count(1)
        voices.get_by_role("switch").click()
        page.get_by_role("dialog", name="Forget all voices?").get_by_role("button", name="Forget all").click()
        expect(voices.get_by_role("list", name="Known voices")).to_have_count(0)
        expect(voices.get_by_role("switch")).not_to_be_checked()

    async def left(session: AsyncSession) -> None:
        assert (await session.scalars(select(SpeakerVoice.id).join(File).where(File.team_id == team_id))).all() == []

    write(site, left)
