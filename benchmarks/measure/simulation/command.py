"""`python -m benchmarks simulate`: waits, GPU hours and break points past one machine, from measured service times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.measure.load.curves import BadCurves, CurveFile, ServiceCurve, read_curves
from benchmarks.measure.load.options import Output, ProfileName, Seed
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.progress import progress
from benchmarks.measure.simulation.day import Installation
from benchmarks.measure.simulation.fleet import Failures, Scaling
from benchmarks.measure.simulation.page import Costs, break_points, capacity_system, load_system, system_of, to_buy
from benchmarks.measure.simulation.plan import Question, at_noon, capacity, plan
from benchmarks.measure.simulation.replica import Service
from benchmarks.measure.simulation.workload import Habits
from pipelines.flows.transcribe.flow import CPU_IN_FLIGHT, GPU_IN_FLIGHT
from serve.profile import BadProfile, load_profile
from serve.tasks.transcription.profile import TranscriptionProfile

VOLUMES = (10.0, 1_000.0, 100_000.0)
REPLICAS = (1, 2, 4, 8)
LOADS = (0.25, 0.5, 0.7, 0.85, 1.0, 1.1)
"""Shares of the capacity at which the waits are shown."""
INGEST_CORE_S = 7.6
"""Core-seconds for an hour of sound on 2 cores of an AMD EPYC (`python -m benchmarks preprocess`)."""
NODE_START_S = 120.0


def command(
    curves: Annotated[Path, typer.Option(help="Service times that `batching` wrote: NAME.curves.json.")],
    hours: Annotated[
        list[float] | None, typer.Option(min=0.1, help="Hours of sound a day; repeat it. Default: 10, 1000, 100000.")
    ] = None,
    first_caption: Annotated[
        float, typer.Option(min=1, help="Seconds to the first caption that 95 % of the files must keep.")
    ] = 30.0,
    peak: Annotated[float, typer.Option(min=1, max=20, help="Busiest moment of a day over its mean.")] = 2.5,
    mean_minutes: Annotated[float, typer.Option(min=0.1, help="Mean length of a file.")] = 20.0,
    median_minutes: Annotated[float, typer.Option(min=0.1, help="Median length of a file.")] = 10.0,
    speech: Annotated[float, typer.Option(min=0.01, max=1, help="Share of the sound that is speech.")] = 0.8,
    ingest_core_s: Annotated[
        float, typer.Option(min=0, help="Core-seconds of ingest for an hour of sound.")
    ] = INGEST_CORE_S,
    node_start: Annotated[
        float, typer.Option(min=0, help="Seconds until a new node is there; the model's loading comes on top.")
    ] = NODE_START_S,
    mtbf_hours: Annotated[
        float, typer.Option(min=0, help="Mean hours between failures of a replica; 0: none.")
    ] = 500.0,
    least: Annotated[int, typer.Option(min=1, help="Replicas that autoscaling keeps.")] = 1,
    price: Annotated[float | None, typer.Option(min=0, help="Price of an hour of a GPU, or of a CPU replica.")] = None,
    windows: Annotated[int, typer.Option(min=1000, help="Windows in one simulation: more take longer.")] = 40_000,
    profile: ProfileName = "auto",
    seed: Seed = 1,
    output: Output = None,
) -> None:
    try:
        measured, section = read_curves(curves), load_profile(profile).require(TranscriptionProfile)
    except (BadCurves, BadProfile) as problem:
        raise typer.BadParameter(str(problem)) from problem
    if mean_minutes < median_minutes:
        raise typer.BadParameter("The mean length of files is at least their median: some are much longer.")
    first = measured.curves[0]
    service = service_of(measured.curves, is_cpu=first.device == "cpu")
    question = Question(
        Installation(
            service, section.limits, 2.0, ingest_core_s, GPU_IN_FLIGHT if first.device == "cuda" else CPU_IN_FLIGHT
        ),
        Habits(mean_file_s=60 * mean_minutes, median_file_s=60 * median_minutes, peak=peak, speech=speech),
        Failures(mtbf_hours),
        Scaling(least, least, start_s=node_start + first.load_s),
        first_caption,
        windows,
        seed,
    )
    volumes = hours or VOLUMES
    costs = Costs(section.num_gpus if first.device == "cuda" else 0.0, price)
    with progress("Simulations", len(volumes) + len(REPLICAS) * (1 + len(LOADS))) as advance:
        plans = []
        for volume in volumes:
            plans.append(plan(question, volume))
            advance(f"{volume:g} hours a day")
        # The search for capacities takes many runs: each gets a quarter of the windows.
        smaller = replace(question, windows=max(1000, windows // 4))
        capacities, loads = [], []
        for replicas in REPLICAS:
            capacities.append((replicas, capacity(smaller, replicas)))
            advance(f"capacity of {replicas}")
            waits = []
            for share in LOADS:
                volume = share * capacities[-1][1]
                waits.append((volume, at_noon(smaller, volume, replicas).first_caption.p95))
                advance(f"{replicas} replicas, {100 * share:.0f} %")
            loads.append((replicas, waits))
    outcome = finished(
        "simulation",
        f"Past one machine: {first.engine} {first.model} on {first.device}",
        data=Data(name=str(curves), items=len(measured.curves), notes=_basis(measured, question)),
        metrics=(),
        systems=[
            *(system_of(one, costs, first.engine, first.model) for one in plans),
            *(load_system(replicas, waits, first.engine, first.model) for replicas, waits in loads),
            capacity_system(capacities, first.engine, first.model),
        ],
        notes=(*(to_buy(one, costs) for one in plans), *break_points(question, capacities, plans)),
    )
    publish(outcome, output)


def service_of(curves: Sequence[ServiceCurve], *, is_cpu: bool) -> Service:
    """The engine's calls side by side are the most that were measured; on the CPU a spare worker comes on top."""
    return Service(tuple(curves), max(curve.beside for curve in curves), 1 if is_cpu else 0)


def _basis(measured: CurveFile, question: Question) -> tuple[str, ...]:
    machine, habits = measured.machine, question.habits
    gpus = f", {', '.join(machine.gpus)}" if machine.gpus else ""
    return (
        f"Service times: {machine.processor}, {machine.cores} cores{gpus}, {measured.measured_at}, "
        f"commit {measured.commit[:12]}. One busy replica: {question.speed:,.0f} s of sound a second.",
        f"Files: {habits.mean_file_s / 60:g} min on average, half below {habits.median_file_s / 60:g}; "
        f"{100 * habits.speech:g} % speech; the busiest moment has {habits.peak:g} times the mean rate.",
        "Simulated are ingest slots, flows, routing, batches, queue bounds, autoscaling, and starts and failures of "
        "replicas. Not simulated are network, database, storage, exports and other model tasks.",
        f"At large volumes only the busiest time is simulated ({question.windows:,} windows), with a part of the "
        "files and as large a part of the machines where that is too much; hours of a day follow from the sound.",
    )
