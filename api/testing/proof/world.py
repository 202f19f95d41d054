"""People, teams and one of everything, so that others can try to reach what is not theirs."""

from __future__ import annotations

import copy
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import Cookie
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from sqlalchemy import update

from api.app import create_app
from api.people.auth.attempts import Attempts
from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.people.plans.tiers import PlanTier
from api.people.teams.models import Membership, TeamRole
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.routers import ROUTERS
from api.testing.admins import promote
from api.testing.browser import Browser
from api.testing.databases.migrated import make_sqlite
from api.testing.proof.belongings import Belongings, make_belongings
from api.testing.proof.rows import Rows, rows_of
from api.testing.stripe.payer import Payer
from api.testing.stripe.server import StripeServer

OWNERS = {"ada": "Zanzibarmark", "oscar": "Timbuktumark", "eve": "Evesmark"}
"""Who owns things, and what is in the name of each of them. Nobody else may ever read it."""
PEOPLE = (*OWNERS, "vera", "root")


@dataclass
class World:
    """Ada owns a team, Vera views it; Oscar owns another one. Eve is a stranger, Root an administrator."""

    app: FastAPI
    state: AppState
    rows: Rows
    people: dict[str, Browser]
    stack: AsyncExitStack
    own: dict[str, Belongings] = field(default_factory=dict)
    _cookies: dict[str, list[Cookie]] = field(default_factory=dict)
    _newcomers: int = 0

    async def newcomer(self) -> Browser:
        """A new account. It comes from an address of its own, because few people may register from one."""
        self._newcomers += 1
        address = f"127.1.{self._newcomers // 250}.{self._newcomers % 250}"
        browser = await self.stack.enter_async_context(Browser.open(self.app, address=address))
        await browser.register(f"newcomer.{uuid.uuid4().hex[:10]}")
        return browser

    def override(self, dependency: Callable[..., Any], other: Callable[..., Any]) -> None:
        """Make a hole. The app's own routes, which processes share, do not look at overrides."""
        overridable = APIRouter(dependency_overrides_provider=self.app)
        for router in ROUTERS:
            overridable.include_router(router)
        self.app.router.routes[:0] = overridable.routes
        self.app.dependency_overrides[dependency] = other

    def save(self) -> None:
        self.rows.save()
        self._cookies = {name: copy.deepcopy(list(each.cookies.jar)) for name, each in self.people.items()}

    def reset(self) -> None:
        """Return to the saved state: all rows, everybody's cookies, and no refusals in memory."""
        self.rows.restore()
        self.app.state.attempts = Attempts()
        for name, cookies in self._cookies.items():
            jar = self.people[name].cookies.jar
            jar.clear()
            for cookie in cookies:
                jar.set_cookie(copy.copy(cookie))


@asynccontextmanager
async def opened_world(
    folder: Path, bank: StripeServer | None = None, *, database_url: str | None = None
) -> AsyncIterator[World]:
    """On SQLite, unless there is the URL of an empty database. With `bank`, people pay: those who own things have the
    plan Business, the others none."""
    paid = bank.settings if bank else {}
    settings = ApiSettings(data_dir=folder / "data", ui_dir=folder / "ui", database_url=database_url, **paid)
    if database_url is None:
        make_sqlite(settings.db_url)
    app = create_app(settings)
    async with app.router.lifespan_context(app), AsyncExitStack() as stack:
        rows = rows_of(settings.db_url)
        stack.callback(rows.close)
        people = {name: await stack.enter_async_context(Browser.open(app)) for name in (*PEOPLE, "visitor")}
        world = World(app, app.state.shared, rows, people, stack)
        await people["visitor"].get("/sanctum/csrf-cookie")
        for name in PEOPLE:
            await people[name].register(f"{name}.{uuid.uuid4().hex[:6]}")
        await promote(world.state, people["root"].user_id)
        if bank is not None:
            await _pay(world, bank)
        for name, mark in OWNERS.items():
            world.own[name] = await make_belongings(world.state, people[name], mark)
        async with world.state.database.write() as session:
            team_id = uuid.UUID(world.own["ada"].team_id)
            session.add(Membership(team_id=team_id, user_id=people["vera"].user_id, role=TeamRole.VIEWER))
        world.save()
        yield world


async def _pay(world: World, bank: StripeServer) -> None:
    await sync_prices(Gateway(world.state.settings))
    async with world.state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=utc_now()))
    for name in OWNERS:
        await Payer(world.people[name], bank, world.state.database).subscribe(PlanTier.BUSINESS)
