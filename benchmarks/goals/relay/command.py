"""`python -m benchmarks relay`: goals 15 to 18 and 5,000 channels held."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.relay.crowd import Crowd
from benchmarks.goals.relay.fan_out import FanOut
from benchmarks.goals.relay.many import held, idle
from benchmarks.goals.relay.servers import Minimal, Ours
from benchmarks.goals.report import Report

SERVER_CORE, CLIENT_CORE = 0, 1


def command(
    listeners: Annotated[int, typer.Option(help="Clients of the one channel.")] = 200,
    pairs: Annotated[int, typer.Option(help="How often ours and theirs run in turns.")] = 5,
    bursts: Annotated[int, typer.Option(help="Bursts of ten events a run.")] = 200,
    singles: Annotated[int, typer.Option(help="Single events a run.")] = 400,
    idlers: Annotated[int, typer.Option(help="Idle connections.")] = 2_000,
    many: Annotated[int, typer.Option(help="Subscribed private channels held.")] = 5_000,
    seconds: Annotated[float, typer.Option(help="How long each of the steady measurements takes.")] = 15.0,
) -> None:
    """Run the relay on one core, its clients on the other."""
    report = Report("relay")
    with tempfile.TemporaryDirectory() as folder, Crowd(CLIENT_CORE) as crowd:
        ours, theirs = Ours(SERVER_CORE, folder=Path(folder)), Minimal(SERVER_CORE)
        try:
            ours.start()
            still = idle(ours, crowd, idlers, seconds)
            report.goal("18-rss", still.kb_each, connections=idlers)
            report.goal("18-cpu", still.cpu_percent, connections=idlers, seconds=seconds)
            theirs.start()
            fan_out = FanOut(ours, theirs, crowd, listeners)
            fan_out.open()
            burst = fan_out.rates(burst=10, bursts=bursts, every_s=0.025, pairs=pairs)
            report.goal("15", burst.ratio, unit_of_pairs="messages per core-second", **burst.detail())
            single = fan_out.rates(burst=1, bursts=singles, every_s=0.010, pairs=pairs)
            report.goal("16", single.ratio, unit_of_pairs="messages per core-second", **single.detail())
            delays = fan_out.delays_ms(per_s=50, seconds=seconds)
            report.goal("17", delays[int(len(delays) * 0.99)], p50_ms=delays[len(delays) // 2], deliveries=len(delays))
            fan_out.close()
            theirs.stop()
            strong = held(ours, crowd, many, 500, seconds)
            report.figure(
                "5000-channels", strong.p99_ms, "ms p99", channels=many, events_per_s=500, p50_ms=strong.p50_ms
            )
            report.figure("5000-channels, events lost or out of order", strong.lost, "events")
            report.figure("5000-channels, most memory", strong.peak_mb, "MB")
            report.figure("5000-channels, all back after kill -9", strong.back_s, "s")
        finally:
            ours.stop()
            theirs.stop()
    report.note("Server on one core, clients in a process of their own on the other; delivered frames are counted.")
    report.note("Ours takes its events over the signed HTTP API, the minimal loop over a websocket.")
    report.write()
