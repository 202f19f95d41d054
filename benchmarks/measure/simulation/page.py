"""What the simulation says, in the form of every result file: figures, curves, and sentences on what to buy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.measure.outcomes.outcome import Curve, Figure, Point, SystemRun
from benchmarks.measure.simulation.plan import Plan, Question


@dataclass(frozen=True, slots=True)
class Costs:
    """`gpus` is the share of a GPU that a replica takes, 0 on the CPU; `price` is for an hour of a GPU or a replica."""

    gpus: float
    price: float | None

    @property
    def unit(self) -> str:
        return "GPU" if self.gpus else "replica"

    def units(self, replicas: float) -> float:
        return replicas * (self.gpus or 1.0)


def system_of(plan: Plan, costs: Costs, engine: str, model: str) -> SystemRun:
    return SystemRun(
        name=f"{plan.hours_a_day:g} h a day",
        engine=engine,
        model=model,
        figures=tuple(_figures(plan, costs)),
    )


def to_buy(plan: Plan, costs: Costs) -> str:
    """One sentence for one volume."""
    replicas = f"{plan.replicas:,} replica{'s' * (plan.replicas != 1)}"
    if costs.gpus:
        bought = math.ceil(costs.units(plan.replicas))
        replicas = f"{bought:,} GPU{'s' * (bought != 1)} for {replicas}"
    hours = costs.units(plan.scaled_replica_h)
    price = "" if costs.price is None else f", {hours * costs.price:,.0f} a day at {costs.price:g} an hour"
    missed = "" if plan.is_met else " The target was not reached: look for the part that waits below."
    return (
        f"{plan.hours_a_day:,g} hours a day: {replicas} at the busiest time and {plan.cores:,} cores for ingest. "
        f"Autoscaling uses {hours:,.1f} {costs.unit} hours a day{price}.{missed}"
    )


def break_points(question: Question, capacities: Sequence[tuple[int, float]], plans: Sequence[Plan]) -> Iterator[str]:
    """Where one more of something is needed."""
    for replicas, hours in capacities:
        yield (
            f"Break point: {replicas} replica{'s' * (replicas != 1)} carr{'y' if replicas != 1 else 'ies'} up to "
            f"{hours:,.0f} hours a day; beyond that 95 % of the files wait longer than {question.first_caption_s:g} s "
            "for their first caption at the busiest time."
        )
    for cores in (16, 64):
        hours = cores / max(1e-9, question.ingest_cores(1.0))
        yield f"Break point: ingest fills {cores} cores at {hours:,.0f} hours a day."
    for plan in plans:
        if plan.scaled.refusals:
            yield (
                f"Break point: at {plan.hours_a_day:,g} hours a day windows are refused while new replicas start "
                f"({plan.scaled.refusals:,} in the simulated time); they come back by themselves."
            )
        slower = plan.scaled.first_caption.p95
        if slower > question.first_caption_s >= plan.fixed.first_caption.p95:
            yield (
                f"Break point: at {plan.hours_a_day:,g} hours a day autoscaling cannot follow: p95 of the first "
                f"caption is {slower:,.0f} s. Keep more replicas running, or start them sooner."
            )


def capacity_system(capacities: Sequence[tuple[int, float]], engine: str, model: str) -> SystemRun:
    points = tuple(Point(x=replicas, y=round(hours, 1)) for replicas, hours in capacities)
    curve = Curve(
        title="Hours a day by replicas",
        x_label="replicas",
        y_label="hours of sound a day",
        points=points,
    )
    return SystemRun(name="capacity", engine=engine, model=model, curves=(curve,))


def load_system(replicas: int, loads: Sequence[tuple[float, float]], engine: str, model: str) -> SystemRun:
    """p95 of the first caption over the volume, for a fixed number of replicas."""
    points = tuple(Point(x=round(hours, 1), y=round(wait, 2)) for hours, wait in loads if math.isfinite(wait))
    curve = Curve(
        title="First caption p95 by volume", x_label="hours of sound a day", y_label="s", points=points, is_log_x=True
    )
    name = f"{replicas} replica{'s' * (replicas != 1)}"
    return SystemRun(name=name, engine=engine, model=model, curves=(curve,) if points else ())


def _figures(plan: Plan, costs: Costs) -> Iterator[Figure]:
    fixed, scaled = plan.fixed, plan.scaled
    values = (
        ("replicas at the busiest time", plan.replicas, ""),
        ("cores for ingest", plan.cores, ""),
        ("first caption p50", fixed.first_caption.p50, "s"),
        ("first caption p95", fixed.first_caption.p95, "s"),
        ("first caption p95, autoscaled", scaled.first_caption.p95, "s"),
        ("all captions p50", fixed.all_captions.p50, "s"),
        ("all captions p95", fixed.all_captions.p95, "s"),
        ("a window at the model p95", fixed.window.p95, "s"),
        ("windows in a batch, mean", fixed.mean_batch, ""),
        ("share of the workers' time", 100 * fixed.utilisation, "%"),
        (f"{costs.unit} hours a day, fixed", costs.units(plan.fixed_replica_h), "h"),
        (f"{costs.unit} hours a day, autoscaled", costs.units(plan.scaled_replica_h), "h"),
        ("replicas, most with autoscaling", scaled.most_replicas, ""),
        ("failures in the simulated time", scaled.failures, ""),
        ("sound in the simulated time", fixed.sound_h, "h"),
    )
    for name, value, unit in values:
        if math.isfinite(value):
            yield Figure(name=name, value=value, unit=unit)
