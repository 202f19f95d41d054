"""`sagascript doctor` for the admin page, in its own process: it imports Ray and may take longer than a page call."""

from __future__ import annotations

import asyncio
import os
import sys
from weakref import WeakKeyDictionary

import structlog
from pydantic import TypeAdapter, ValidationError

from api.edges.admin.system.schemas import CheckOut, SystemOut
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from cluster.doctor import Check
from cluster.wording.message import Message

log = structlog.get_logger(__name__)

WITHIN_S = 120.0
NO_ANSWER = Message("admin.no_answer", "The check did not end. Run `sagascript doctor` on the server to see why.")

_CHECKS: TypeAdapter[list[Check]] = TypeAdapter(list[Check])


class Doctor:
    """The last check of one web process. At most one runs at a time."""

    def __init__(self, settings: ApiSettings) -> None:
        self._settings = settings
        self._running: asyncio.Task[None] | None = None
        self._last = SystemOut(is_running=False, checked_at=None, checks=None, problem=None)

    def report(self, *, again: bool = False) -> SystemOut:
        """The newest findings. The first call, and one with `again`, starts a check."""
        is_running = self._running is not None and not self._running.done()
        if not is_running and (again or self._last.checked_at is None):
            self._running = asyncio.create_task(self._check())
            is_running = True
        return self._last.model_copy(update={"is_running": is_running})

    async def _check(self) -> None:
        checks: list[CheckOut] | None = None
        problem: str | None = NO_ANSWER
        try:
            async with asyncio.timeout(WITHIN_S):
                findings = _CHECKS.validate_json(await self._output())
                checks = [CheckOut(name=each.name, state=each.state, sentence=each.sentence) for each in findings]
            problem = None
        except (OSError, ValidationError) as error:
            log.warning("doctor.failed", error=type(error).__name__)
        found = checks if checks is not None else self._last.checks
        self._last = SystemOut(is_running=False, checked_at=utc_now(), checks=found, problem=problem)

    async def _output(self) -> bytes:
        env = os.environ | {
            "SAGASCRIPT_DATA_DIR": str(self._settings.data_dir.resolve()),
            "SAGASCRIPT_DATABASE_URL": self._settings.db_url,
        }
        program = [sys.executable, "-P", "-m", "api.main", "doctor", "--json", "--codes"]
        process = await asyncio.create_subprocess_exec(
            *program, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL, env=env
        )
        try:
            output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return output


_doctors: WeakKeyDictionary[Database, Doctor] = WeakKeyDictionary()


def doctor_of(state: AppState) -> Doctor:
    """The web process's own."""
    return _doctors.setdefault(state.database, Doctor(state.settings))
