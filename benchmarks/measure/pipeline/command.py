"""`python -m benchmarks pipeline`: from upload to captions for many people, by the events that their pages receive."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from api.testing.processes.product import running_product
from benchmarks.measure.datasets.folder import AUDIO
from benchmarks.measure.load.arrivals import poisson
from benchmarks.measure.load.options import Output, ProfileName, Seed
from benchmarks.measure.models.environment import finished
from benchmarks.measure.outcomes.outcome import Data
from benchmarks.measure.outcomes.publish import publish
from benchmarks.measure.pipeline.crowd import Media, run
from benchmarks.measure.pipeline.page import NoInstallation
from benchmarks.measure.pipeline.results import METRICS, system_of
from benchmarks.measure.pipeline.uploading import media_in
from benchmarks.quiet import silence_logs
from pipelines.languages import AUTO
from pipelines.media.probe import probe
from pipelines.media.sample import SAMPLE

NOTES = (
    "Uploads arrive as a Poisson process whose times were fixed in advance, and all times count from the moment an "
    "upload was due (no coordinated omission).",
    "Moments are those at which the uploader's page received the event, or a fetched draft with a line in it.",
)


def command(
    uploads: Annotated[int, typer.Option(min=1, help="Expected number of uploads.")] = 20,
    per_minute: Annotated[float, typer.Option(min=0.01, help="Uploads a minute.")] = 20.0,
    people: Annotated[int, typer.Option(min=1, help="Accounts that upload in turn; each is made for the run.")] = 5,
    url: Annotated[
        str | None, typer.Option(help="Your running installation. By default one is started in an empty folder.")
    ] = None,
    media: Annotated[
        Path | None, typer.Option(help="Folder of videos and audio; by default the sample video of 28 s.")
    ] = None,
    language: Annotated[str, typer.Option(help="Language of all media; by default detected.")] = AUTO,
    patience: Annotated[float, typer.Option(min=1, help="Seconds until an upload counts as without captions.")] = 900.0,
    model: Annotated[str | None, typer.Option(help="Model of an installation started here.")] = None,
    profile: ProfileName = "auto",
    seed: Seed = 1,
    output: Output = None,
) -> None:
    if url is not None and (model is not None or profile != "auto"):
        raise typer.BadParameter("A running installation has its own model and profile.")
    silence_logs()
    paths = [SAMPLE] if media is None else media_in(media, AUDIO)
    if not paths:
        raise typer.BadParameter(f"{media} holds no video or audio.", param_hint="--media")
    chosen = [Media(path, path.read_bytes(), probe(path).duration_ms / 1000) for path in paths]
    arrivals = poisson(per_minute / 60, 60 * uploads / per_minute, len(chosen), seed)
    if not arrivals:
        raise typer.BadParameter("No upload falls into this time: raise --uploads or change --seed.")
    try:
        with _installation(url, model, profile) as address:
            timelines = asyncio.run(
                run(address, chosen, arrivals, people=people, language=language, patience_s=patience)
            )
    except NoInstallation as problem:
        raise typer.BadParameter(str(problem)) from problem
    outcome = finished(
        "pipeline",
        f"Upload to captions: {len(arrivals)} uploads, {per_minute:g} a minute, {people} people",
        data=Data(name=str(media or SAMPLE.name), items=len(chosen), seconds=sum(one.seconds for one in chosen)),
        metrics=METRICS,
        systems=[system_of(url or "an installation of its own", timelines)],
        notes=NOTES,
    )
    publish(outcome, output)


@contextmanager
def _installation(url: str | None, model: str | None, profile: str) -> Iterator[str]:
    """The address of the one that runs, or of one that runs for the time of the measurement."""
    if url is not None:
        yield url.rstrip("/")
        return
    settings = {"allow_hub": "false", "profile": profile}
    if model is not None:
        settings["whisper_model"] = str(Path(model).resolve()) if Path(model).exists() else model
    with tempfile.TemporaryDirectory(prefix="sg-load-") as folder, running_product(Path(folder), **settings) as product:
        yield product.url
