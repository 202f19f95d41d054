"""People, teams and one of everything, so that a sweep can try whether anybody reaches what is not theirs."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from sqlalchemy import select, update

from api.ai_texts.models import AiText
from api.app import create_app
from api.billing.gateway import Gateway
from api.billing.prices import sync_prices
from api.captions.models import CaptionTrack
from api.db.base import Base, utc_now
from api.db.migrate import upgrade
from api.exports.models import Export
from api.files.models import File
from api.http.state import AppState
from api.plans.tiers import PlanTier
from api.settings import ApiSettings
from api.teams.models import Membership, TeamRole
from api.testing.browser import Browser
from api.testing.stripe.payer import Payer
from api.testing.stripe.server import StripeServer
from api.testing.transcribed import captioned_file
from api.uploads.models import Upload, UploadStatus
from api.users.models import User
from pipelines.flows.minutes_messages import TextType

MARK = "Zanzibarmark"
"""In every name and text of the team's people. Nobody else may ever read it."""

UNWATCHED = frozenset({"attempt_counts", "alembic_version", "audit_entries"})
MOVING = frozenset({"last_used_at", "expires_at", "used_at", "seen_at", "updated_at", "last_seen_at"})
"""Columns that change while nobody changes anything."""


@dataclass
class World:
    """Ada owns a team, Vera views it; Eve is a stranger, Root an administrator. Everything here is Ada's."""

    app: FastAPI
    state: AppState
    ada: Browser
    vera: Browser
    eve: Browser
    root: Browser
    visitor: Browser
    _stack: AsyncExitStack
    _newcomers: int = 0
    team_id: str = ""
    file: File = field(default_factory=File)
    ids: dict[str, list[str]] = field(default_factory=dict)
    """Values of path parameters by name, the usual one first."""
    eve_file: str = ""

    @property
    def own_ids(self) -> set[str]:
        """Ids that appear in each row that belongs to Ada and her team."""
        return {each.replace("-", "") for each in (str(self.ada.user_id), self.team_id, str(self.file.id))}

    async def newcomer(self) -> Browser:
        """A new account. It comes from an address of its own, because few people may register from one."""
        self._newcomers += 1
        browser = await self._stack.enter_async_context(
            Browser.open(self.app, address=f"127.1.{self._newcomers // 250}.{self._newcomers % 250}")
        )
        await browser.register(f"newcomer.{uuid.uuid4().hex[:10]}")
        return browser

    async def watched(self) -> frozenset[str]:
        """Every row that names Ada, her team or her file."""
        found: set[str] = set()
        async with self.state.database.read() as session:
            for table in Base.metadata.sorted_tables:
                if table.name in UNWATCHED:
                    continue
                for row in (await session.execute(select(table))).mappings():
                    text = f"{table.name} {_text(dict(row).items())}"
                    if any(each in text.replace("-", "") for each in self.own_ids) or MARK in text:
                        found.add(text)
        return frozenset(found)


def _text(row: Iterable[tuple[str, Any]]) -> str:
    values = {name: str(value) for name, value in row if name not in MOVING and not isinstance(value, datetime)}
    return json.dumps(values, sort_keys=True, default=str)


@asynccontextmanager
async def opened_world(folder: Path, bank: StripeServer | None = None) -> AsyncIterator[World]:
    """With `bank`, people pay: Ada and Eve have the plan Business, the others none."""
    settings = ApiSettings(data_dir=folder / "data", ui_dir=folder / "ui", **(bank.settings if bank else {}))
    await upgrade(settings.db_url)
    app = create_app(settings)
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        ada, vera, eve, root, visitor = [await stack.enter_async_context(Browser.open(app)) for _ in range(5)]
        world = World(app, app.state.shared, ada, vera, eve, root, visitor, stack)
        await world.visitor.get("/sanctum/csrf-cookie")
        for name in ("ada", "vera", "eve", "root"):
            await getattr(world, name).register(f"{name}.{uuid.uuid4().hex[:6]}")
        if bank is not None:
            await _pay(world, bank)
        await _fill(world)
        yield world


async def _pay(world: World, bank: StripeServer) -> None:
    await sync_prices(Gateway(world.state.settings))
    async with world.state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=utc_now()))
    for browser in (world.ada, world.eve):
        await Payer(browser, bank, world.state.database).subscribe(PlanTier.BUSINESS)


async def _fill(world: World) -> None:
    state = world.state
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == world.root.user_id).values(is_admin=True))
        await session.execute(update(User).where(User.id == world.ada.user_id).values(name=f"Ada {MARK}"))
    team = await world.ada.post("/api/teams", json={"name": f"Team {MARK}"})
    assert team.status_code < 300, team.text
    world.team_id = team.json()["data"]["id"]
    team_header = {"X-Active-Team": world.team_id}
    invited = await world.ada.post(f"/api/teams/{world.team_id}/invitations", json={"email": "zoe@example.com"})
    assert invited.status_code < 300, invited.text
    world.file = await captioned_file(state, world.ada.user_id, f"Nobody else may read {MARK}.")
    eve_file = await captioned_file(state, world.eve.user_id, "My own words.")
    world.eve_file = eve_file.slug
    term = await world.ada.post("/api/glossary", json={"source": f"{MARK} term", "target": "orð"}, headers=team_header)
    assert term.status_code < 300, term.text
    tag = await world.ada.post("/api/tags", json={"tag": f"{MARK} tag"}, headers=team_header)
    assert tag.status_code < 300, tag.text
    async with state.database.write() as session:
        session.add(Membership(team_id=uuid.UUID(world.team_id), user_id=world.vera.user_id, role=TeamRole.VIEWER))
        file = await session.get_one(File, world.file.id)
        file.name, file.team_id = f"File {MARK}", uuid.UUID(world.team_id)
        track = (await session.scalars(select(CaptionTrack).where(CaptionTrack.file_id == file.id))).first()
        assert track is not None
        export = Export(file_id=file.id, track_id=track.id, user_id=world.ada.user_id, language="en")
        text = AiText(file_id=file.id, user_id=world.ada.user_id, type=TextType.MINUTES, language="en")
        upload = Upload(
            user_id=world.ada.user_id,
            team_id=file.team_id,
            filename=f"{MARK}.mp4",
            language="en-US",
            status=UploadStatus.INCOMPLETE,
            tus_id=uuid.uuid4().hex,
        )
        session.add_all([export, text, upload])
        await session.flush()
        world.file = file
        things = [file.slug, str(file.id), str(track.id), str(text.id), upload.slug, str(upload.id), str(upload.tus_id)]
    tag_data, term_data = tag.json()["data"], term.json()["data"]
    tag_data = tag_data[0] if isinstance(tag_data, list) else tag_data
    sessions = (await world.ada.get("/api/user/sessions")).json()["data"]
    world.ids = {
        **{name: [*things, *(str(tag_data[each]) for each in ("id", "slug") if each in tag_data)] for name in _ANY},
        "ids": [*things, f"{upload.slug},{world.eve_file}", f"{world.eve_file},{file.slug}"],
        "export_id": [str(export.id)],
        "term_id": [str(term_data["id"])],
        "team_id": [world.team_id],
        "user_id": [str(world.ada.user_id)],
        "session_id": [str(each["id"]) for each in sessions[:1]] or [str(uuid.uuid4())],
        "invitation_id": [str(invited.json()["data"].get("id", uuid.uuid4()))],
        "language": ["en"],
        "label": ["S1"],
        "version": ["1"],
        "keyword": [MARK],
        "name": ["quickmt-en-is"],
    }


_ANY = ("slug", "key", "id")
