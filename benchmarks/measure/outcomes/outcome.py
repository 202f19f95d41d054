"""The result file of a measurement of models: what was measured, where, with what, and the values of every item.

Totals are not stored: they follow from the items, and so do intervals and comparisons (`scoring.py`, `compare.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cluster.testing.portable import portable


class Formula(StrEnum):
    """How the parts of many items make one value."""

    RATIO = "ratio"
    """Parts are (amount, of): the sum of all amounts over the sum of all they are of. A mean has `of` 1."""
    QUANTILE = "quantile"
    """Parts are (value,): the metric's quantile of all values, as for latencies."""
    BLEU = "bleu"
    """Parts are (length, reference length, matches of 1 to 4 words, runs of 1 to 4 words): corpus BLEU."""
    CHRF = "chrf"
    """Parts are (runs, reference runs, matches) of each order: corpus chrF with beta 2."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(_Record):
    """`scale` multiplies the value: 100 for percent. `about` is a sentence for readers of the report."""

    key: str
    title: str
    unit: str
    about: str
    formula: Formula = Formula.RATIO
    lower_is_better: bool = True
    scale: float = 1.0
    quantile: float = 0.5
    is_judged: bool = True
    """False where neither more nor less is better, such as a length."""
    is_timed: bool = False
    """Whether it depends on the machine's load: what differs then is the run, so that items of one run say nothing."""


class Item(_Record):
    """One measured piece of the data. Items of one `group`, a recording, are not independent of each other.

    `values` are the parts for each metric's formula, without the metrics that do not apply to the item. `texts` are for
    readers, such as reference and answer. `problem` says why the item has no answer.
    """

    id: str
    group: str
    language: str = ""
    condition: str = ""
    values: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    texts: dict[str, str] = Field(default_factory=dict)
    problem: str = ""


class Figure(_Record):
    """A value of the whole run, such as a memory peak. `goal` names the project's goal that it answers for."""

    name: str
    value: float
    unit: str
    goal: str = ""


class Point(_Record):
    x: float
    y: float
    label: str = ""
    """Such as "batch 8": what the point was measured with."""


class Curve(_Record):
    """Points joined by a line. Curves of equal title share one plot."""

    title: str
    x_label: str
    y_label: str
    points: tuple[Point, ...]
    is_log_x: bool = False


class SystemRun(_Record):
    """One model, engine or program on the data."""

    name: str
    engine: str
    model: str
    configuration: dict[str, Any] = Field(default_factory=dict)
    items: tuple[Item, ...] = ()
    turns: tuple[tuple[Item, ...], ...] = ()
    """Further runs, of the timed metrics alone, in turns with the other systems of the file."""
    figures: tuple[Figure, ...] = ()
    curves: tuple[Curve, ...] = ()
    notes: tuple[str, ...] = ()


class Machine(_Record):
    """`gpus` are name, memory and driver of each, as nvidia-smi names them."""

    processor: str
    cores: int
    memory_gib: float
    system: str
    gpus: tuple[str, ...] = ()
    load: tuple[float, ...] = ()
    """Load averages of 1, 5 and 15 minutes at the end."""


class Data(_Record):
    """What was measured on. `notes` say what was left out or looks wrong."""

    name: str
    items: int
    seconds: float | None = None
    languages: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Outcome(_Record):
    """One run of a command. `commit` ends in `+` when the checkout had changes."""

    form: Literal[1] = 1
    kind: str
    title: str
    command: str
    finished_at: datetime
    commit: str
    machine: Machine
    versions: dict[str, str]
    data: Data
    metrics: tuple[Metric, ...]
    systems: tuple[SystemRun, ...]
    notes: tuple[str, ...] = ()

    def system(self, name: str) -> SystemRun:
        """Raises BadOutcome."""
        for run in self.systems:
            if run.name == name:
                return run
        known = ", ".join(f"“{run.name}”" for run in self.systems)
        raise BadOutcome(f"There is no system “{name}” in this result. It has {known}.")


class BadOutcome(ValueError):
    """A result file that cannot be used. The message is for the person."""


def write_outcome(outcome: Outcome, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(portable(outcome.model_dump_json(indent=1, exclude_defaults=True)) + "\n", encoding="utf-8")
    return path


def read_outcome(path: Path) -> Outcome:
    """Raises BadOutcome."""
    try:
        return Outcome.model_validate_json(path.read_bytes())
    except OSError as missing:
        raise BadOutcome(f"The result file {path} cannot be read: {missing.strerror}.") from missing
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        raise BadOutcome(
            f"{path} is not a result file of `python -m benchmarks`: {where}: {first['msg']}. Files of asr, "
            "diarization, translation, text and the load measurements can be compared."
        ) from wrong


def distinct(values: Iterable[str]) -> tuple[str, ...]:
    """The values that say something, sorted."""
    return tuple(sorted({value for value in values if value}))
