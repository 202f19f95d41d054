"""The figures of the dashboard, computed at most every half minute by each web process."""

from __future__ import annotations

import asyncio
import time
from weakref import WeakKeyDictionary

from api.content.files.models import FileStatus
from api.edges.admin.contents.queries import page_of_contents
from api.edges.admin.contents.schemas import ContentQuery
from api.edges.admin.dashboard import money, people, work
from api.edges.admin.dashboard.ranges import Window
from api.edges.admin.dashboard.schemas import DashboardOut, Range
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs.job_type import JobTypes

FRESH_S = 30.0
LISTED = 6
"""Newest and failed files on the dashboard."""


class _Figures:
    """The last figures of each range. One request computes them, others wait for it."""

    def __init__(self) -> None:
        self.computed: dict[Range, tuple[float, DashboardOut]] = {}
        self.lock = asyncio.Lock()


_figures: WeakKeyDictionary[Database, _Figures] = WeakKeyDictionary()


async def dashboard(state: AppState, types: JobTypes, hours: Range) -> DashboardOut:
    figures = _figures.setdefault(state.database, _Figures())
    async with figures.lock:
        at, found = figures.computed.get(hours, (0.0, None))
        if found is None or time.monotonic() - at > FRESH_S:
            found = await _compute(state, types, hours)
            figures.computed[hours] = (time.monotonic(), found)
    return found


async def _compute(state: AppState, types: JobTypes, hours: Range) -> DashboardOut:
    now = utc_now()
    window = Window.of(hours, now)
    async with state.database.read() as session:
        worked = await work.engines(session, types, window)
        newest = await page_of_contents(session, ContentQuery(per_page=LISTED))
        failed = await page_of_contents(session, ContentQuery(per_page=LISTED, status=[FileStatus.FAILED]))
        return DashboardOut(
            hours=hours,
            computed_at=now,
            step_s=window.step_s,
            people=await people.people(session, window),
            minutes=await people.minutes(session, window),
            gpu=await work.gpu(session, worked),
            engines=worked,
            queues=await work.queues(session, types, window),
            failures=await work.failures(session, types, window),
            storage=await money.storage(session, state.settings),
            revenue=await money.revenue(session, now),
            newest=newest.data,
            failed=failed.data,
        )
