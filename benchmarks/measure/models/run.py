"""Runs one system over all sounds."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import typer

from benchmarks.measure.datasets.folder import BadDataset, Dataset
from benchmarks.measure.datasets.sound import Sound
from benchmarks.measure.models.answers import Answers
from benchmarks.measure.models.child import Json
from benchmarks.measure.models.side import Side, SideFailed, figures_of
from benchmarks.measure.outcomes.outcome import Curve, Figure, Item, SystemRun
from benchmarks.measure.progress import Advance


@dataclass(frozen=True, slots=True)
class System:
    """What to measure: a module that `child.py` loads, its configuration and the Python that runs it."""

    name: str
    module: str
    configuration: Json
    python: str = sys.executable


@dataclass(frozen=True, slots=True)
class Task:
    """How to ask for an item and how to score the answer and its seconds.

    `closing` gives figures (name, value, unit) and curves of all answers together.
    """

    request: Callable[[Sound], Json]
    score: Callable[[Sound, Json, float], Item]
    closing: Callable[[], tuple[list[tuple[str, float, str]], tuple[Curve, ...]]] = lambda: ([], ())


def measure(
    system: System, sounds: Sequence[Sound], task: Task, advance: Advance, answers: Answers, *, warm_up: bool
) -> SystemRun:
    """One sound after the other.

    `warm_up` runs the first sound once before, uncounted: a GPU compiles at its first call.
    Raises SideFailed when the model cannot be loaded.
    """
    items: list[Item] = []
    notes: list[str] = []
    with Side(system.module, system.configuration, python=system.python) as side:
        try:
            if warm_up:
                side.ask(task.request(sounds[0]))
            for sound in sounds:
                record = answers.known(system.name, sound.item.id)
                if record is None:
                    record = side.ask(task.request(sound))
                    answers.add(system.name, sound.item.id, record)
                items.append(_item(sound, record, task))
                advance(sound.item.id)
        except SideFailed as failure:
            notes.append(f"It stopped after {len(items)} of {len(sounds)} items. {failure}")
        except KeyboardInterrupt:
            answers.is_stopped = True
            notes.append(f"Somebody stopped it after {len(items)} of {len(sounds)} items.")
        about, figures = side.about, figures_of(side)
    if failed := [item for item in items if item.problem]:
        notes.append(f"{len(failed)} items have no answer. The first, {failed[0].id}: {failed[0].problem}")
    more, curves = task.closing()
    return SystemRun(
        name=system.name,
        engine=about["engine"],
        model=about["model"],
        configuration=system.configuration,
        items=tuple(items),
        figures=tuple(Figure(name=name, value=value, unit=unit) for name, value, unit in [*figures, *more]),
        curves=curves,
        notes=tuple([*(f"{system.name}: {note}" for note in notes), *([about["reason"]] if "reason" in about else [])]),
    )


def _item(sound: Sound, record: Json, task: Task) -> Item:
    if "problem" in record:
        return blank_item(sound).model_copy(update={"problem": record["problem"]})
    return task.score(sound, record["answer"], record["seconds"])


def blank_item(sound: Sound) -> Item:
    """The item of a sound, without values. Cuts of one file belong together."""
    item = sound.item
    return Item(id=item.id, group=str(item.audio), language=item.language, condition=item.condition)


def limited(dataset: Dataset, limit: int) -> Dataset:
    """This many items, spread over the data; all of them for 0."""
    items = dataset.items
    if not limit or limit >= len(items):
        return dataset
    chosen = tuple(items[int(number * len(items) / limit)] for number in range(limit))
    note = f"Only {limit} of {len(items)} items were measured, as --limit says."
    return Dataset(dataset.folder, chosen, (*dataset.notes, note))


@contextmanager
def clear_sentences() -> Iterator[None]:
    """A person reads what is wrong, not where in our code it showed."""
    try:
        yield
    except (BadDataset, SideFailed) as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(1) from problem
