"""The generic part of every model deployment: one engine behind Ray Serve, batched over all running files.

Health, limits, the change of engines and the report of what is loaded live here. A task's deployment is a subclass of
`ModelReplica` that loads its engine and adds the methods only that task has.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from typing import Any, Generic, TypeVar

import structlog
from ray import serve as ray_serve
from ray.serve import Application
from ray.serve.config import RequestRouterConfig

from serve.core.engine import Engine
from serve.core.messages import EngineInfo
from serve.core.models.processor import KEPT_MEMORY
from serve.core.replica.autoscaling import QUEUED, replica_options
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.replica.report import Holding, start_reporter
from serve.core.replica.succession import Succession
from serve.core.replica_messages import BatchLimits
from serve.core.task import ModelTask

log = structlog.get_logger(__name__)

EngineT = TypeVar("EngineT", bound=Engine[Any, Any])

BROKEN_AFTER_FAILURES = 3
"""This many items failing in a row mean a broken model or device: Serve then replaces the replica."""
ONGOING_REQUESTS = 512
"""Far more than a batch: the replica's own scheduler must see the items of all files to be fair between them."""

HEALTH_PERIOD_S = 2.0
HEALTH_TIMEOUT_S = 3.0
"""Serve replaces a replica after three failed checks in a row, a number that is fixed. A process that does not answer
at all is known after 9 to 12 s, one that says that it is stuck after 4 to 7 s."""
DRAIN_S = 30.0
"""A replica that Serve stops for a change, or because its node drains, gets no new requests and this long for those it
has. What it does not finish, its callers send to another one."""
DRAIN_LOOK_S = 0.5
_ROUTER: Any = "ray.serve.experimental.consistent_hash_router.ConsistentHashRouter"
"""Serve's router by session, whose sessions are our streams. The field takes a path, and is declared wrong."""
_BY_STREAM: dict[str, Any] = {
    # By default a replica that does not answer for 0.1 s loses its streams to others, which lack their beginning.
    "request_router_config": RequestRouterConfig(
        request_router_class=_ROUTER, request_router_kwargs={"num_fallback_replicas": 0}
    )
}


class ModelReplica(Generic[EngineT]):
    """A thin shell: the scheduler decides what runs together, the engine computes the outcomes.

    Serve calls `reconfigure` and `check_health`; a `ModelClient` calls `run` and `describe`.
    """

    def __init__(self, task: ModelTask[Any, Any], engine: EngineT, limits: BatchLimits) -> None:
        self.task = task
        self.engines = Succession(task, engine, limits)
        self._problem = ""
        self._reporter = start_reporter(task.name, partial(_held_by, self.engines))

    def reconfigure(self, user_config: dict[str, Any]) -> None:
        """New batch limits for a running replica: the fields of `BatchLimits`."""
        self.engines.limit(BatchLimits(**user_config))
        if self._reporter is not None:
            self._reporter.report_now()

    def check_health(self) -> None:
        self.engines.rest()
        for loaded in self.engines:
            # An endpoint may take minutes for a call and then seconds: its client ends calls that hang.
            if loaded.engine.has_deadline:
                continue
            if (failures := loaded.batcher.failures_in_a_row) >= BROKEN_AFTER_FAILURES:
                raise RuntimeError(f"The {self.task.model} failed on {failures} {self.task.items} in a row.")
            if (seconds := loaded.batcher.stalls.stuck_s()) is not None:
                log.error("replica.stuck", task=self.task.name, seconds=round(seconds, 1))
                raise RuntimeError(f"The {self.task.model} has not come back from one call for {seconds:.0f} seconds.")

    async def run(self, item: Any) -> Any:
        """The outcome of an item. Raises EngineRefused."""
        stream = self.task.stream(item)
        with self.engines.of(stream).request(stream) as loaded:
            return await loaded.batcher.submit(item)

    async def describe(self) -> EngineInfo:
        """Which engine new files get, and why."""
        info: EngineInfo = self.engines.current.engine.info
        return replace(info, problem=self._problem or info.problem)

    async def record_autoscaling_stats(self) -> dict[str, float]:
        """What Serve's autoscaling decides by, where the profile lets the number of replicas follow the queue."""
        return {QUEUED: float(sum(each.batcher.queued for each in self.engines))}

    def succeed(self, engine: EngineT) -> None:
        """Give every file that is not running yet to `engine`. May be called from any thread."""
        self._problem = ""
        self.engines.succeed(engine)

    def report_problem(self, sentence: str) -> None:
        """Let `describe` say why a better model is not used. May be called from any thread."""
        self._problem = sentence

    def close(self) -> None:
        # A replica whose loading failed has no engines.
        if hasattr(self, "engines"):
            self.engines.close()
        if (reporter := getattr(self, "_reporter", None)) is not None:
            reporter.stop()

    def __del__(self) -> None:
        # Serve calls this when the replica is stopped.
        self.close()


# A function, because a thread that held the replica itself would keep it alive.
def _held_by(engines: Succession[Any]) -> Holding:
    current = engines.current
    return Holding(current.engine.info, is_busy=any(each.is_busy for each in engines), limits=current.batcher.limits)


def model_application(
    replica: type[ModelReplica[Any]],
    profile: DeploymentProfile,
    *arguments: Any,
    keeps_state: bool = False,
    **options: Any,
) -> Application:
    """The Serve application of one task: replicas as the profile says, each made with these arguments.

    `keeps_state` is that of the task: every call of a stream then goes to one replica, as long as that runs.
    """
    deployment = ray_serve.deployment(
        name=replica.__name__,
        **replica_options(profile),
        **(_BY_STREAM if keeps_state else {}),
        max_queued_requests=profile.max_queued_requests,
        max_ongoing_requests=ONGOING_REQUESTS,
        health_check_period_s=HEALTH_PERIOD_S,
        health_check_timeout_s=HEALTH_TIMEOUT_S,
        graceful_shutdown_timeout_s=DRAIN_S,
        graceful_shutdown_wait_loop_s=DRAIN_LOOK_S,
        max_surge_percent=profile.surge_percent,
        ray_actor_options={
            "num_cpus": profile.slots,
            "num_gpus": profile.num_gpus,
            "runtime_env": {"env_vars": KEPT_MEMORY if profile.device == "cpu" else {}},
        },
        user_config=asdict(profile.limits),
        # One line for each request would fill the log.
        logging_config={"enable_access_log": False},
    )
    return deployment(replica).bind(*arguments, **options)
