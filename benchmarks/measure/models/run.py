"""Runs systems over questions: one system after the other, and in turns for their speed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass

import typer

from benchmarks.measure.datasets.folder import BadDataset, Dataset
from benchmarks.measure.datasets.sound import Sound
from benchmarks.measure.models.answers import Answers
from benchmarks.measure.models.child import Json
from benchmarks.measure.models.side import Side, SideFailed, figures_of
from benchmarks.measure.outcomes.outcome import Curve, Figure, Item, Metric, SystemRun
from benchmarks.measure.progress import Advance, progress

Closing = Callable[[], tuple[list[tuple[str, float, str]], tuple[Curve, ...]]]
"""Figures (name, value, unit) and curves of all answers together."""


@dataclass(frozen=True, slots=True)
class System:
    """What to measure: a module that `child.py` loads, its configuration and the Python that runs it."""

    name: str
    module: str
    configuration: Json
    python: str = sys.executable


@dataclass(frozen=True, slots=True)
class Question:
    """One request, and how its record (the answer with its seconds, or a problem) becomes items."""

    name: str
    request: Json
    items: Callable[[Json], Sequence[Item]]


@dataclass(frozen=True, slots=True)
class Questions:
    """What one system is asked. `warm_up` goes before and does not count: the first call loads parts of some models."""

    system: System
    asked: Sequence[Question]
    warm_up: Json | None = None
    closing: Closing = lambda: ([], ())


def measure(questions: Questions, advance: Advance, answers: Answers) -> SystemRun:
    """One question after the other. Raises SideFailed when the model cannot be loaded."""
    system = questions.system
    items: list[Item] = []
    notes: list[str] = []
    count = len(questions.asked)
    with _side(questions) as side:
        done = 0
        try:
            if questions.warm_up is not None:
                side.ask(questions.warm_up)
            for question in questions.asked:
                record = answers.known(system.name, question.name)
                if record is None:
                    record = side.ask(question.request)
                    answers.add(system.name, question.name, record)
                items += question.items(record)
                done += 1
                advance(question.name)
        except SideFailed as failure:
            notes.append(f"It stopped after {done} of {count} items. {failure}")
        except KeyboardInterrupt:
            answers.is_stopped = True
            notes.append(f"Somebody stopped it after {done} of {count} items.")
        about, figures = side.about, figures_of(side)
    if failed := [item for item in items if item.problem]:
        notes.append(f"{len(failed)} items have no answer. The first, {failed[0].id}: {failed[0].problem}")
    more, curves = questions.closing()
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


def measured(
    systems: Sequence[Questions], metrics: Sequence[Metric], answers: Answers, *, turns: int
) -> list[SystemRun]:
    """All systems one after the other; then, with `turns`, their speed that often in turns."""
    runs = []
    for questions in systems:
        with progress(questions.system.name, len(questions.asked)) as advance:
            runs.append(measure(questions, advance, answers))
        if answers.is_stopped:
            return runs
    if turns:
        with progress("Speed in turns", turns) as advance:
            taken = in_turns(systems, {metric.key for metric in metrics if metric.is_timed}, turns, advance)
        runs = [run.model_copy(update={"turns": tuple(taken[run.name])}) for run in runs]
    return runs


def in_turns(
    systems: Sequence[Questions],
    timed: Collection[str],
    turns: int,
    advance: Advance,
    *,
    beside: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> dict[str, list[tuple[Item, ...]]]:
    """The timed values of every item, `turns` times for each system.

    All systems get one question before any gets the next, and each is first in its turn: what else the machine does
    then slows them alike. All are loaded at the same time, and `beside` goes on once they are. Raises SideFailed.
    """
    taken: dict[str, list[tuple[Item, ...]]] = {each.system.name: [] for each in systems}
    with ExitStack() as stack:
        order = [(each, stack.enter_context(_side(each))) for each in systems]
        for each, side in order:
            side.ask(each.asked[0].request if each.warm_up is None else each.warm_up)
        stack.enter_context(beside())
        for turn in range(turns):
            found: dict[str, list[Item]] = {name: [] for name in taken}
            for number in range(len(systems[0].asked)):
                order = [*order[1:], order[0]]
                for each, side in order:
                    question = each.asked[number]
                    found[each.system.name] += _timed(question.items(side.ask(question.request)), timed)
            for name, items in found.items():
                taken[name].append(tuple(items))
            advance(f"{turn + 1}")
    return taken


def _timed(items: Sequence[Item], keys: Collection[str]) -> Iterator[Item]:
    for item in items:
        values = {key: value for key, value in item.values.items() if key in keys}
        if values:
            yield Item(id=item.id, group=item.group, language=item.language, condition=item.condition, values=values)


def _side(questions: Questions) -> Side:
    system = questions.system
    return Side(system.module, system.configuration, python=system.python)


def unanswered(item: Item, record: Json) -> Item | None:
    """The item with its problem, where the record has no answer."""
    return item.model_copy(update={"problem": str(record["problem"])}) if "problem" in record else None


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
