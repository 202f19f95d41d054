"""`benchmarks.soak live`: meetings are captioned live while senders and processes fail; is a word lost?"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Annotated

import typer

from api.testing.processes.patient_client import Unanswered
from api.testing.processes.product import Product, running_product
from benchmarks.soak.live.faults import Fault, Plan, strike
from benchmarks.soak.live.page import Lost, Page, Person
from benchmarks.soak.live.program import Program
from benchmarks.soak.live.talk import Sentence, meeting, sentences
from benchmarks.soak.report import Report
from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_streamer.folders import streaming_models

PAGES = 2
SHOWN = 20
REST_S = (1.0, 4.0)
"""Between two faults of the installation: what runs again gets something to do."""


@dataclass
class Findings:
    meetings: int = 0
    sentences: int = 0
    problems: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def add(self, held: list[Sentence], problem: str | None) -> None:
        with self.lock:
            self.meetings += 1
            self.sentences += len(held)
            if problem is not None:
                self.problems.append(problem)
                typer.echo(problem, err=True)


def command(
    faults: Annotated[int, typer.Option(help="How many faults.", min=1)] = 200,
    seed: Annotated[int, typer.Option(help="Decides faults and what is said.")] = 1,
) -> None:
    """Hold meetings in two pages and a program while their connections and the product's processes fail."""
    report = Report("live")
    findings, plan = Findings(), Plan(faults, seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sg-live-") as name, _installation(Path(name)) as product:
        known = sentences(Path(name) / "said")
        is_over = Event()
        senders = [
            Thread(
                target=_hold,
                args=(product.url, number, known, plan, findings, is_over, random.Random(seed + number)),
                # Ctrl-C ends the command, whatever they wait for.
                daemon=True,
            )
            for number in range(PAGES + 1)
        ]
        for sender in senders:
            sender.start()
        _strike_all(product, plan, findings, random.Random(seed))
        is_over.set()
        for sender in senders:
            sender.join()
    figures = {str(fault): plan.done[fault] for fault in Fault}
    report.figure("faults", sum(plan.done.values()), "faults", seconds=round(time.monotonic() - began), **figures)
    report.figure("meetings", findings.meetings, "meetings", sentences=findings.sentences)
    report.figure("lost, changed or twice", len(findings.problems), "findings", problems=findings.problems[:SHOWN])
    report.note(
        "Two pages and a program at /v1/realtime speak at twice the pace of speech. Of each meeting: final words never "
        "changed, its captions are what was said, once, and of pages the sound is every sample that was acknowledged; "
        "the program was told each sentence once. A tiny streaming model follows, the tiny Whisper reads again."
    )
    report.write()
    if findings.problems:
        raise typer.Exit(1)


@contextmanager
def _installation(folder: Path) -> Iterator[Product]:
    models = folder / "models"
    whisper, streaming = unpack(WHISPER, models), streaming_models(models)["zipformer_streaming"]
    # One person has all pages, and takes part in more meetings than people do.
    limits = {"live_recordings_per_person": "50", "live_recordings": "50"}
    named = {"whisper_model": str(whisper), "live_models": f'["{streaming}"]', "allow_hub": "false"}
    with running_product(folder / "data", **named, **limits) as product:
        yield product


def _strike_all(product: Product, plan: Plan, findings: Findings, luck: random.Random) -> None:
    """Each fault of the installation once a process that it can meet is there."""
    while not findings.meetings:
        # Only now does everything run.
        time.sleep(0.5)
    for fault in plan.of_installation:
        while not strike(product, fault):
            time.sleep(0.5)
        plan.note(fault)
        typer.echo(f"{sum(plan.done.values())} faults, {findings.meetings} meetings: {fault}", err=True)
        time.sleep(luck.uniform(*REST_S))


def _hold(
    url: str, number: int, known: list[Sentence], plan: Plan, findings: Findings, is_over: Event, luck: random.Random
) -> None:
    """Meeting after meeting, until the last fault."""
    person = Person(url, f"ada{number}")
    key = person.key()
    while not is_over.is_set() or plan.has_more:
        held = meeting(known, luck)
        problem = None
        try:
            recording = Page(person, plan) if number < PAGES else Program(person, url, key, plan)
            recording.hold(held)
            recording.check(held)
        except (Lost, Unanswered) as lost:
            problem = str(lost)
        findings.add(held, problem)
