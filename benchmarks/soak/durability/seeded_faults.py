"""Faults seeded into the product from outside; the checker must find each of them.

`DURABILITY_SEEDED_FAULTS` names a file that lists them. A process reads it at its start, so a running installation
gets a fault by ending the process that shall have it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import random
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from benchmarks.soak.durability import account_faults
from benchmarks.soak.durability.patching import Patch

BEAT_PARTS = 3
"""Beats in one lease, as in the product."""


class SeededFault(StrEnum):
    NO_FENCE = "no-fence"
    ACK_BEFORE_COMMIT = "ack-before-commit"
    SKIP_OUTBOX = "skip-outbox"
    OFFSET_AHEAD = "offset-ahead"
    DOUBLE_EFFECT = "double-effect"
    LOST_DELETE = "lost-delete"
    ORPHANED_ATTEMPT = "orphaned-attempt"
    BACKWARD_PROGRESS = "backward-progress"
    CHARGED_TWICE = "charged-twice"
    STALE_WEBHOOK = "stale-webhook"
    GRANTED_TWICE = "granted-twice"
    UNRECORDED = "unrecorded"


ABOUT: dict[SeededFault, str] = {
    SeededFault.NO_FENCE: "an attempt that lost its lease may still write its result",
    SeededFault.ACK_BEFORE_COMMIT: "a caption edit is answered Success seconds before it is kept",
    SeededFault.SKIP_OUTBOX: "every second state event is not written",
    SeededFault.OFFSET_AHEAD: "an offset is promised while its bytes are in the process's memory",
    SeededFault.DOUBLE_EFFECT: "what follows from a result is done twice",
    SeededFault.LOST_DELETE: "deleting for good leaves the stored objects",
    SeededFault.ORPHANED_ATTEMPT: "an attempt that failed leaves its objects and its work folder",
    SeededFault.BACKWARD_PROGRESS: "progress is counted down",
    SeededFault.CHARGED_TWICE: "a finished transcription is charged twice",
    SeededFault.STALE_WEBHOOK: "what an event says replaces what the payment provider says now",
    SeededFault.GRANTED_TWICE: "each reading of a paid invoice brings its minutes again",
    SeededFault.UNRECORDED: "administrators' changes leave no entry in the audit log",
}

CAUGHT_BY: dict[SeededFault, int] = {
    SeededFault.NO_FENCE: 3,
    SeededFault.ACK_BEFORE_COMMIT: 2,
    SeededFault.SKIP_OUTBOX: 3,
    SeededFault.OFFSET_AHEAD: 1,
    SeededFault.DOUBLE_EFFECT: 3,
    SeededFault.LOST_DELETE: 9,
    SeededFault.ORPHANED_ATTEMPT: 4,
    SeededFault.BACKWARD_PROGRESS: 5,
    SeededFault.CHARGED_TWICE: 6,
    SeededFault.STALE_WEBHOOK: 7,
    SeededFault.GRANTED_TWICE: 7,
    SeededFault.UNRECORDED: 10,
}
"""The invariant that must find it; others may find it too."""


def patches(lease_s: float, seeded_faults_file: str) -> dict[str, list[Patch]]:
    """Patches by module: the shorter lease, and the faults that the file lists now."""
    made: dict[str, list[Patch]] = {"api.platform.jobs.limits": [_shorten(lease_s)]}
    file = Path(seeded_faults_file)
    for name in file.read_text().split() if file.is_file() else ():
        for module, patch in _PATCHES[SeededFault(name)].items():
            made.setdefault(module, []).append(patch)
    return made


def _replace(owner: Any, name: str, new: Any) -> None:
    """Replace a name. A missing name ends the process, so that a fault is never silently left out."""
    getattr(owner, name)
    setattr(owner, name, new)


def _shorten(lease_s: float) -> Patch:
    def patch(limits: Any) -> None:
        for name, value in (
            ("LEASE_S", lease_s),
            ("BEAT_S", lease_s / BEAT_PARTS),
            ("CANCEL_LEASE_S", lease_s),
        ):
            if hasattr(limits, name):
                setattr(limits, name, min(value, getattr(limits, name)))

    return patch


def _late_writes_pass(queue: Any) -> None:
    _replace(queue, "_guard", lambda lease: (queue.Job.id == lease.job_id,))
    anything = {state: frozenset(queue.JobState) for state in queue.JobState}
    queue.JOB_STATE = dataclasses.replace(queue.JOB_STATE, allowed=anything)


ACK_AHEAD_S = 60.0
"""Longer than a busy machine takes to kill the process after the answer."""


def _answer_first(routes: Any) -> None:
    """Make the change on a session that is rolled back, and again for good some seconds later."""
    service: Any = routes.service
    edit = service.edit
    late: set[asyncio.Task[None]] = set()

    async def keep(bind: Any, arguments: tuple[Any, ...]) -> None:
        await asyncio.sleep(ACK_AHEAD_S)
        from sqlalchemy.ext.asyncio import AsyncSession

        async with AsyncSession(bind, expire_on_commit=False) as session, session.begin():
            await edit(session, *arguments)

    async def answer(session: Any, *arguments: Any) -> Any:
        changed = await edit(session, *arguments)
        bind = session.bind
        await session.rollback()
        task = asyncio.create_task(keep(bind, arguments))
        late.add(task)
        task.add_done_callback(late.discard)
        return changed

    service.edit = answer


def _forget_events(outbox: Any) -> None:
    add_event: Callable[..., None] = outbox.add_event
    luck = random.Random(1)

    def add(*arguments: Any) -> None:
        if luck.random() < 0.5:
            add_event(*arguments)

    outbox.add_event = add


KEPT_IN_MEMORY = 96 * 1024


def _write_behind(local_store: Any) -> None:
    """Write the last bytes of a request only when the next request or the end needs them."""
    writer, store = local_store.LocalWriter, local_store.LocalStore
    write, open_again, publish = writer.write, store.open, store.publish
    held: dict[str, tuple[int, bytes]] = {}

    def write_less(self: Any, parts: Any) -> None:
        path = os.readlink(f"/proc/self/fd/{self._descriptor}")
        offset, before = held.pop(path, (self.written, b""))
        data = before + b"".join(bytes(part) for part in parts)
        self.written = offset
        write(self, [data[:-KEPT_IN_MEMORY]])
        held[path] = self.written, data[-KEPT_IN_MEMORY:]
        self.written += len(held[path][1])

    def catch_up(path: Path) -> None:
        offset, data = held.pop(str(path), (0, b""))
        if data:
            with path.open("r+b") as file:
                file.seek(offset)
                file.write(data)

    def open_late(self: Any, record: Any) -> Any:
        catch_up(self.path(record.id))
        return open_again(self, record)

    def publish_late(self: Any, record: Any) -> Any:
        catch_up(self.path(record.id))
        return publish(self, record)

    writer.write, store.open, store.publish = write_less, open_late, publish_late


def _do_twice(endings: Any) -> None:
    from api.content.exports.transitions import EXPORT_STATUS
    from api.content.files.transitions import FILE_STATUS

    finish: Callable[..., Any] = endings.finish

    class Twice:
        def __init__(self, handler: Any) -> None:
            self._handler = handler

        async def on_done(self, *arguments: Any) -> None:
            # The tables of the product would refuse the second time.
            for table in (FILE_STATUS, EXPORT_STATUS):
                ends: Any = table.allowed
                ends.update({status: ends[status] | {status} for status in ends})
            await self._handler.on_done(*arguments)
            await self._handler.on_done(*arguments)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._handler, name)

    async def finish_twice(session: Any, handler: Any, lease: Any, result: Any) -> Any:
        return await finish(session, Twice(handler), lease, result)

    endings.finish = finish_twice


def _keep_objects(cleanup: Any) -> None:
    _replace(cleanup, "_remove", lambda _storage, _payload: None)


def _leave_everything(attempt_output: Any) -> None:
    _replace(attempt_output.AttemptOutput, "_remove", lambda _self, _prefix, _work: True)


def _count_down(attempt: Any) -> None:
    note = attempt.RunningAttempt._note_in

    async def note_less(self: Any, session: Any, value: Any, **more: Any) -> None:
        await note(self, session, value, **more)
        job = await session.get(attempt.Job, self.lease.job_id)
        if job is not None:
            job.progress = max(0, 99 - job.progress)

    attempt.RunningAttempt._note_in = note_less


_PATCHES: dict[SeededFault, dict[str, Patch]] = {
    SeededFault.NO_FENCE: {"api.platform.jobs.queue": _late_writes_pass},
    SeededFault.ACK_BEFORE_COMMIT: {"api.content.captions.routes": _answer_first},
    SeededFault.SKIP_OUTBOX: {"api.platform.jobs.outbox": _forget_events},
    SeededFault.OFFSET_AHEAD: {"api.content.uploads.tus.storage.local_store": _write_behind},
    SeededFault.DOUBLE_EFFECT: {"api.platform.jobs.attempts.endings": _do_twice},
    SeededFault.LOST_DELETE: {"api.platform.jobs.attempts.cleanup": _keep_objects},
    SeededFault.ORPHANED_ATTEMPT: {"api.platform.jobs.attempts.attempt_output": _leave_everything},
    SeededFault.BACKWARD_PROGRESS: {"api.platform.jobs.attempts.attempt": _count_down},
    SeededFault.CHARGED_TWICE: {"api.people.ledger.metering": account_faults.charge_twice},
    SeededFault.STALE_WEBHOOK: {"api.people.billing.webhooks": account_faults.believe_events},
    SeededFault.GRANTED_TWICE: {"api.people.billing.grants.granting": account_faults.grant_again},
    SeededFault.UNRECORDED: {"api.people.audit.service": account_faults.forget_entries},
}
