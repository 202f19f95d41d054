"""`sagascript dispatcher`: jobs, ticks and the outbox in one process."""

from __future__ import annotations

import asyncio
import contextlib

from api.capabilities.service import WATCH_EVERY_S, CapabilityWatch
from api.db.engine import Database
from api.db.suspended import SUSPENDED_S, end_suspended_holders, locks_of
from api.jobs.attempt import Tools
from api.jobs.cleanup import cleanup_delivery
from api.jobs.dispatcher import Dispatcher, install_signals
from api.jobs.event_delivery import end_delivery, event_delivery
from api.jobs.job_type import JobTypes
from api.jobs.outbox_sender import OutboxSender
from api.jobs.ticks import Ticks
from api.mail.delivery import mail_delivery
from api.realtime.publisher import Publisher
from api.retention.loop import remove_forever
from api.retention.rules import Kept
from api.settings import ApiSettings
from cluster.heartbeat import beat_forever, heartbeat_file
from cluster.storage import open_storage


def run(settings: ApiSettings, types: JobTypes) -> None:
    """Dispatch until SIGTERM or SIGINT."""
    asyncio.run(_run(settings, types))


async def _run(settings: ApiSettings, types: JobTypes) -> None:
    database = Database(settings.db_url, suspended_after_s=SUSPENDED_S, billing=settings.billing)
    storage = open_storage(settings)
    async with Publisher(settings) as publisher:
        ticks = Ticks(publisher)
        watches = [(WATCH_EVERY_S, CapabilityWatch(database))]
        dispatcher = Dispatcher(Tools(settings, database, storage, ticks), types, watches)
        deliveries = [
            event_delivery(publisher, database),
            end_delivery(publisher),
            cleanup_delivery(storage),
            mail_delivery(settings),
        ]
        install_signals(dispatcher.stop)
        beside = [
            asyncio.create_task(ticks.run()),
            asyncio.create_task(OutboxSender(database, deliveries).run()),
            asyncio.create_task(end_suspended_holders(locks_of(database), enabled=settings.end_suspended)),
            asyncio.create_task(remove_forever(Kept(settings, database, types))),
            asyncio.create_task(beat_forever(heartbeat_file(settings, "dispatcher"))),
        ]
        try:
            await dispatcher.run()
        finally:
            for task in beside:
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(*beside)
            await database.close()
