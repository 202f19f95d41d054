"""`python -m benchmarks health`: replicas that hang, overload, and changes while files are in work."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.health.changes import new_limits_s, rollout, watch_over
from benchmarks.goals.health.hangs import Replacement, counted, every_task, hung, suspended
from benchmarks.goals.health.overload import overload, quantile
from benchmarks.goals.report import Report
from benchmarks.quiet import silence_logs
from cluster.testing.ray_cluster import ray_cluster
from serve.application import remove, shutdown, start, wait_ready
from serve.testing.counted_task import CountedClient, Hang, counted_application, counted_task

HUNG_S = "health-hung"
NOTES = (
    "Tiny models, so their loading hardly counts: add the seconds that your model takes to load.",
    "A model that never returns is stuck after 5 s, or five times its slowest recent call for as much work.",
)


def command(
    times: Annotated[float, typer.Option(min=1.1, help="Work that arrives, in multiples of the capacity.")] = 3.0,
    seconds: Annotated[float, typer.Option(min=1, help="Length of the overload.")] = 20.0,
    piece_ms: Annotated[int, typer.Option(min=1, help="Work of one piece at the overloaded model.")] = 50,
) -> None:
    silence_logs()
    report = Report("health")
    with _cluster() as folder:
        _hangs(report, folder)
        _overload(report, folder, times, seconds, piece_ms)
        for surge in (100, 0):
            _changes(report, folder, surge)
    with every_task() as clients:
        for task, client in clients.items():
            _show(report, f"{task}, process suspended", suspended(client, task))
    for sentence in NOTES:
        report.note(sentence)
    report.write()


@contextmanager
def _cluster() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="health-") as name, ray_cluster(Path(name) / "installation"):
        try:
            yield Path(name)
        finally:
            shutdown()


def _hangs(report: Report, folder: Path) -> None:
    for hang in (Hang.NEVER_RETURNS, Hang.HOLDS_INTERPRETER):
        name = f"counted-{hang.name.lower()}"
        task = counted_task(name)
        start({name: counted_application(counted(folder), name)})
        wait_ready(tasks=[task])
        with CountedClient(task) as client:
            _show(report, f"call that {hang}", hung(client, name, hang))
        remove(name)


def _show(report: Report, what: str, found: Replacement) -> None:
    report.goal(HUNG_S, found.started_s, what=what)
    report.figure(f"{what}: to the next result", found.result_s, "s")


def _overload(report: Report, folder: Path, times: float, seconds: float, piece_ms: int) -> None:
    task = counted_task()
    start({task.name: counted_application(counted(folder, max_batch=1, max_queued_pieces=20))})
    wait_ready(tasks=[task])
    load = overload(task.name, piece_ms, times, seconds)
    what = f"{times:g} x capacity for {seconds:g} s"
    report.figure(f"{what}: failures", len(load.failures), "pieces", pieces=len(load.total), first=load.failures[:3])
    report.figure(f"{what}: refused with a time to retry", load.refusals, "requests")
    for share in (0.5, 0.95, 0.99):
        report.figure(f"{what}: accepted, p{share * 100:.0f}", quantile(load.accepted, share), "s")
    report.figure(f"{what}: with every wait, p95", quantile(load.total, 0.95), "s")
    remove(task.name)


def _changes(report: Report, folder: Path, surge: int) -> None:
    section = counted(folder, max_batch=2, max_surge_percent=surge)
    watch = watch_over(section, folder)
    report.figure("new batch size at every replica", new_limits_s(watch, section), "s")
    with CountedClient(counted_task(), in_flight=256) as client:
        found = rollout(watch, section.model_copy(update={"max_batch": 4}), client)
    what = f"another model under load, surge {surge} %"
    report.figure(f"{what}: until it runs", found.change_s, "s", pieces=found.pieces)
    report.figure(f"{what}: lost", found.lost, "pieces")
    report.figure(f"{what}: computed twice", found.doubled, "pieces")
    report.figure(f"{what}: longest time without a result", found.longest_gap_s, "s")
    remove(counted_task().name)
