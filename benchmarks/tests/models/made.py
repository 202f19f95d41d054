"""Made outcomes for tests of comparing and reporting."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime

from benchmarks.measure.outcomes.outcome import Curve, Data, Figure, Item, Machine, Metric, Outcome, Point, SystemRun

WER = Metric(key="wer", title="Word error rate", unit="%", about="Wrong words for each spoken word.", scale=100)
SPEED = Metric(
    key="speed", title="Speed", unit="× real time", about="Sound for time.", lower_is_better=False, is_timed=True
)
MACHINE = Machine(processor="Test", cores=2, memory_gib=8, system="Linux")


def run_with(name: str, errors: Sequence[int], *, words: int = 20) -> SystemRun:
    """A system with this many wrong words in each item; every second item is Icelandic."""
    items = tuple(
        Item(
            id=f"talk-{number}",
            group=f"talk-{number}",
            language="is" if number % 2 else "en",
            values={"wer": (wrong, words), "speed": (10, 2)},
            texts={"reference": "said <loudly>", "answer": f"{name} answered {number}"},
        )
        for number, wrong in enumerate(errors)
    )
    curve = Curve(
        title="Latency and throughput",
        x_label="windows/s",
        y_label="p95, ms",
        points=(Point(x=1, y=30, label="batch 1"), Point(x=4, y=90, label="batch 8")),
    )
    return SystemRun(
        name=name, engine="test", model="tiny", items=items, curves=(curve,),
        figures=(Figure(name="memory peak", value=512.5, unit="MB"),),
    )  # fmt: skip


def outcome_of(*runs: SystemRun) -> Outcome:
    return Outcome(
        kind="asr",
        title="Speech recognition",
        command="python -m benchmarks asr data",
        finished_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        commit="abc",
        machine=MACHINE,
        versions={"python": "3.11"},
        data=Data(name="data", items=len(runs[0].items), notes=("one.wav has no reference.",)),
        metrics=(WER, SPEED),
        systems=runs,
    )


def seeded_errors(count: int, mean: float, seed: int) -> list[int]:
    chance = random.Random(seed)
    return [min(20, round(chance.expovariate(1 / mean))) for _ in range(count)]
