"""What `serve` measures: each opens a system, says what it is, and sends arrivals to it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.callers import Callers, OnRefusal
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.cluster_target import own_application, running_application
from benchmarks.measure.load.configuration import Configuration
from benchmarks.measure.load.engine_process import EngineProcess
from benchmarks.measure.load.openai_target import OpenAITarget
from benchmarks.measure.load.request import Request
from benchmarks.measure.outcomes.outcome import SystemRun
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import DecodeOptions


class Through(StrEnum):
    ENGINE = "engine"
    """The engine behind the product's scheduler, in a process of its own, without Ray."""
    CLUSTER = "cluster"
    """The Serve application through the product's client, on Ray started for this run."""
    RUNNING = "running"
    """The same on the installation that the settings name."""
    OPENAI = "openai"
    """A server with OpenAI's addresses."""


@dataclass(frozen=True, slots=True)
class Load:
    """What callers send and how they behave."""

    clips: Sequence[Clip]
    options: DecodeOptions
    on_refusal: OnRefusal
    patience_s: float


@dataclass(frozen=True, slots=True)
class Server:
    """A server's address; `model` is the name that requests give."""

    url: str
    model: str
    key: str | None


@dataclass(frozen=True, slots=True)
class System:
    described: SystemRun
    send: Callable[[Sequence[Arrival]], Sequence[Request]]
    """Open loop; returns when every request has ended."""


@contextmanager
def opened(through: Through, chosen: Configuration, server: Server | None, load: Load) -> Iterator[System]:
    """`server` is needed for OPENAI alone. Raises RayUnreachable for RUNNING."""
    if server is not None:
        described = SystemRun(name=server.url, engine="openai", model=server.model)
        yield System(described, lambda arrivals: asyncio.run(_over_http(server, load, arrivals)))
    elif through is Through.ENGINE:
        with _engine(chosen, load) as system:
            yield system
    else:
        with _cluster(chosen if through is Through.CLUSTER else None, load) as system:
            yield system


@contextmanager
def _engine(chosen: Configuration, load: Load) -> Iterator[System]:
    with EngineProcess(chosen, load.clips, load.options) as process:
        limits = chosen.profile.limits

        def send(arrivals: Sequence[Arrival]) -> Sequence[Request]:
            run = process.arrive(limits, arrivals, on_refusal=load.on_refusal, patience_s=load.patience_s)
            return run.requests

        yield System(_described(process.loaded.info, "", chosen), send)


@contextmanager
def _cluster(chosen: Configuration | None, load: Load) -> Iterator[System]:
    patience_s = load.patience_s
    opening = (
        running_application(load.options, patience_s=patience_s)
        if chosen is None
        else own_application(chosen, load.options, patience_s=patience_s)
    )
    with opening as (target, info):
        callers = Callers(target, load.clips, on_refusal=load.on_refusal, patience_s=patience_s)
        yield System(_described(info, " on Ray Serve", chosen), lambda arrivals: asyncio.run(callers.arrive(arrivals)))


async def _over_http(server: Server, load: Load, arrivals: Sequence[Arrival]) -> list[Request]:
    async with OpenAITarget(
        server.url,
        key=server.key,
        model=server.model,
        language=load.options.language,
        timeout_s=load.patience_s,
    ) as target:
        callers = Callers(target, load.clips, on_refusal=load.on_refusal, patience_s=load.patience_s)
        return await callers.arrive(arrivals)


def _described(info: EngineInfo, where: str, chosen: Configuration | None) -> SystemRun:
    return SystemRun(
        name=f"{info.engine} {info.model}{where}",
        engine=info.engine,
        model=info.model,
        configuration={} if chosen is None else chosen.text(),
    )
