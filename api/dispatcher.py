"""`sagascript dispatcher`: jobs, ticks and the outbox in one process."""

from __future__ import annotations

import asyncio

from prometheus_client.core import GaugeMetricFamily

from api.content.live.watch import WATCH_EVERY_S as LIVE_WATCH_EVERY_S
from api.content.live.watch import LiveWatch
from api.people.access.event_delivery import end_delivery, event_delivery
from api.people.webhooks.delivery import WebhookSender
from api.people.webhooks.log_entries import log_delivery
from api.platform.capabilities.replica_recorder import READ_EVERY_S, ReplicaRecorder
from api.platform.capabilities.service import WATCH_EVERY_S, CapabilityWatch
from api.platform.db.engine import Database
from api.platform.db.suspended import SUSPENDED_S, end_suspended_holders, locks_of
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import cleanup_delivery
from api.platform.jobs.attempts.ticks import Ticks
from api.platform.jobs.attempts.tools import Tools
from api.platform.jobs.dispatch.demand import Demand
from api.platform.jobs.dispatch.dispatcher import Dispatcher, Watch, install_signals
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.limits import DEMAND_EVERY_S
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.mail.delivery import mail_delivery
from api.platform.operations.figures import ProcessFigures, gauge
from api.platform.operations.looks import database_and_storage, ray_answers
from api.platform.operations.probe_server import serve_probes
from api.platform.operations.readiness import ReadinessProbe
from api.platform.realtime.publisher import Publisher
from api.platform.retention.loop import remove_forever
from api.platform.retention.rules import RuleTools
from api.platform.settings import ApiSettings
from api.retention import RULES
from cluster.background import end
from cluster.storage.opening import open_storage


def run(settings: ApiSettings, types: JobTypes) -> None:
    """Dispatch until SIGTERM or SIGINT."""
    asyncio.run(_run(settings, types))


async def _run(settings: ApiSettings, types: JobTypes) -> None:
    database = Database(settings.db_url, suspended_after_s=SUSPENDED_S, billing=settings.billing)
    storage = open_storage(settings)
    async with Publisher(settings) as publisher:
        ticks = Ticks(publisher)
        watches: list[Watch] = [
            (WATCH_EVERY_S, CapabilityWatch(database)),
            (READ_EVERY_S, ReplicaRecorder(database)),
            (LIVE_WATCH_EVERY_S, LiveWatch(database, storage, settings)),
        ]
        if settings.ray_address is not None:
            watches.append((DEMAND_EVERY_S, Demand(database, types, settings.ray_address)))
        dispatcher = Dispatcher(Tools(settings, database, storage, ticks), types, watches)
        deliveries = [
            event_delivery(publisher, database),
            end_delivery(publisher),
            cleanup_delivery(storage),
            mail_delivery(settings),
            log_delivery(database),
        ]
        install_signals(dispatcher.stop)
        beside = [
            asyncio.create_task(ticks.run()),
            asyncio.create_task(OutboxSender(database, deliveries).run()),
            asyncio.create_task(WebhookSender(database, settings).run()),
            asyncio.create_task(end_suspended_holders(locks_of(database), enabled=settings.end_suspended)),
            asyncio.create_task(remove_forever(RuleTools(settings, database, types), RULES)),
            asyncio.create_task(_answer_probes(AppState(settings, database, storage), types, dispatcher)),
        ]
        try:
            await dispatcher.run()
        finally:
            # All of them: the first that ends must not close the database under the others.
            await end(*beside)
            await database.close()


async def _answer_probes(state: AppState, types: JobTypes, dispatcher: Dispatcher) -> None:
    def gauges() -> list[GaugeMetricFamily]:
        running = dispatcher.running_kinds()
        return [
            gauge(
                "dispatcher_joined", "Whether this dispatcher has a Ray cluster.", [((), float(dispatcher.is_joined))]
            ),
            gauge(
                "dispatcher_attempts",
                "Attempts that this dispatcher runs.",
                [((kind,), float(running[kind])) for kind in types],
                ("kind",),
            ),
        ]

    settings = state.settings
    looks = [*database_and_storage(state), ray_answers(lambda: dispatcher.is_joined)]
    await serve_probes(
        settings, settings.dispatcher_host, settings.dispatcher_port, ReadinessProbe(looks), ProcessFigures(gauges)
    )
